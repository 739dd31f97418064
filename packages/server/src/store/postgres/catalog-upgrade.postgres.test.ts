/** A database of the first release is brought to the tables of the catalog that this one needs. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PrivatePostgres, startPrivatePostgres } from '../../testing/private-postgres.ts';
import { migrate, migrations } from './migrate.ts';
import { catalogTables2 } from './migrations/0005-catalog-2.ts';

let server: PrivatePostgres;
let client: pg.Client;
beforeAll(async () => {
  server = await startPrivatePostgres();
  client = new pg.Client({ connectionString: await server.freshDatabase() });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await server?.stop();
});

it('what an earlier release wrote is kept: users are active and without a password, spaces that are in use exist', async () => {
  await migrate(
    client,
    migrations.filter(({ version }) => version < catalogTables2.version),
  );
  await client.query(`
    insert into users (id, username, display_name, roles, created_at) values ('user_1', 'ada', 'Ada', '["admin"]', 1);
    insert into agents select id, id, 'A', '', space, 1, 1, 1
      from (values ('agent_1', 'default'), ('agent_2', 'support'), ('agent_3', 'support')) as x(id, space);
    insert into sessions (sid, id, owner, root, path, placement, config_ref, title, title_folded, metadata, status, created_at, updated_at)
      select sid, 'ses_' || sid, 'user:user_1', 'ses_' || sid, '', placement, 'c', '', '', '{}', 'idle', 1, 1
      from (values (1, 'space:default'), (2, 'space:lab'), (3, 'space:support'), (4, 'container:tool/list')) as x(sid, placement)`);

  await migrate(client);

  expect((await client.query('select status, password_hash from users')).rows).toEqual([{ status: 'active', password_hash: null }]);
  expect((await client.query('select id, name from spaces order by id')).rows).toEqual([
    { id: 'default', name: 'Default' },
    { id: 'lab', name: 'lab' },
    { id: 'support', name: 'support' },
  ]);
});
