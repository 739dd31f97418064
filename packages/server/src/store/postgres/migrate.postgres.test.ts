/** N1 and N2: several nodes start at once; a newer database is refused. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../../testing/private-postgres.ts';
import { createdSession } from '../../testing/store-contract/samples.ts';
import { migrate, migrations } from './migrate.ts';
import { openPostgresStore } from './open-postgres-store.ts';

let server: PrivatePostgres;

beforeAll(async () => {
  server = await startPrivatePostgres();
});
afterAll(() => server?.stop());

const withClient = async <Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
};

const applied = (url: string): Promise<number[]> =>
  withClient(url, async (client) =>
    (await client.query<{ version: number }>('select version from migrations order by version')).rows.map((row) => row.version),
  );

it('N1 stores that are opened at the same moment apply each migration once', async () => {
  const url = await server.freshDatabase();
  const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore({ url, clock: systemClock, poolSize: 1, writeConnections: 1 })));
  expect(await applied(url)).toEqual(migrations.map(({ version }) => version));
  for (const store of stores) await createdSession(store.sessions);
  await Promise.all(stores.map((store) => store.close()));
});

it('N1 a migration that fails leaves nothing and is tried again at the next start', async () => {
  const url = await server.freshDatabase();
  const broken = [...migrations, { version: 99, name: 'broken', sql: 'create table left_behind (a int); select 1 / 0;' }];
  await expect(withClient(url, (client) => migrate(client, broken))).rejects.toThrow('division by zero');
  expect(await applied(url)).toEqual(migrations.map(({ version }) => version));
  await withClient(url, async (client) => {
    expect((await client.query(`select to_regclass('left_behind') as found`)).rows).toEqual([{ found: null }]);
  });
  const store = await openPostgresStore({ url, clock: systemClock });
  await store.close();
});

it('N2 a database of a newer release is refused, and says why', async () => {
  const url = await server.freshDatabase();
  await withClient(url, (client) => migrate(client, [...migrations, { version: 99, name: 'future', sql: 'create table future (a int)' }]));
  await expect(openPostgresStore({ url, clock: systemClock })).rejects.toThrow(/newer release .*version 99/);
});

it('a database that cannot be reached is storage_unavailable', async () => {
  const opening = openPostgresStore({ url: 'postgres://postgres@127.0.0.1:1/none', clock: systemClock });
  await expect(opening).rejects.toMatchObject({ code: 'storage_unavailable' });
});
