/** N1 and N2: several nodes start at once; a newer database is refused. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import type { ResourceWrite } from '../../ports/session-store.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../../testing/private-postgres.ts';
import { command, createdSession, headOf, quotaMove, taken, waitMs } from '../../testing/store-contract/samples.ts';
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

it('N1 also on a database of an earlier release, and while another node has long been migrating it', async () => {
  const url = await server.freshDatabase();
  await withClient(url, (client) => migrate(client, migrations.slice(0, 3)));
  await withClient(url, async (slow) => {
    // As a node that migrates does.
    await slow.query('select pg_advisory_lock(7480011935)');
    const opening = Promise.all(Array.from({ length: 3 }, () => openPostgresStore({ url, clock: systemClock, poolSize: 1, writeConnections: 1 })));
    await waitMs(500);
    expect(await applied(url)).toEqual([1, 2, 3]);
    await slow.query('select pg_advisory_unlock(7480011935)');
    const stores = await opening;
    expect(await applied(url)).toEqual(migrations.map(({ version }) => version));
    await Promise.all(stores.map((store) => store.close()));
  });
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

const session = (sid: number, deletedAt: number | null): string =>
  `insert into sessions values (${sid}, 'ses_${sid}', 'user:ann', 'ses_${sid}', '', 'space:default', 'c', 'T', 't', '{"A":"B"}', 'idle', null, ${deletedAt}, 1, 1);
   insert into heads values (${sid}, 9, 9, 0, 0, null, 0, 'user:ann', null, ${deletedAt !== null});
   insert into states values (${sid}, '{}');`;
const action = (sid: number, n: number, about: object, status: string): string => {
  const body = JSON.stringify({ request_id: `act_${n}`, ...about, turn_id: 'turn_1', status, created_at: 5 });
  return `insert into resources values (${sid}, 'required_action', ${n}, 'act_${n}', ${n}, ${n}, 1, '${body}');`;
};

it('N1 a database of the first release is brought up to date with what is in it', async () => {
  const url = await server.freshDatabase();
  const old = [
    session(1, null),
    session(2, 5),
    action(1, 3, { kind: 'question', approver: 'owner', tool_call: { input: { text: '\0 \ud800' } } }, 'open'),
    action(1, 4, { approver: 'owner', tool_call: { input: { status: 'open', created_at: 5 } } }, 'answered'),
    action(1, 5, { kind: 'question', approver: ['bob', 'bob'], prompt: '\\u0000 \0 \ud800' }, 'open'),
    action(2, 3, { kind: 'question', approver: 'owner' }, 'open'),
    `insert into quotas values ('user:ann', 3); select setval('session_sids', 2);`,
  ];
  await withClient(url, async (client) => {
    await migrate(client, migrations.slice(0, 3));
    await client.query(old.join('\n'));
  });
  const { sessions, close } = await openPostgresStore({ url, clock: systemClock });
  const opened = { openedAt: 1, sid: 1 };
  expect(await sessions.openActions({ among: [{ kinds: ['question'] }], limit: 9 })).toMatchObject([{ ...opened, n: 3 }]);
  expect(await sessions.openActions({ among: [{ owner: 'user:ann', kinds: ['question'] }], limit: 9 })).toMatchObject([{ ...opened, n: 3 }]);
  expect(await sessions.openActions({ among: [{ approver: 'bob' }], limit: 9 })).toMatchObject([{ ...opened, n: 5 }]);
  expect(await sessions.list({ status: 'all', q: 'b"', offset: 0, limit: 9 })).toEqual([]);
  expect(await sessions.list({ status: 'all', q: 'b', offset: 0, limit: 9 })).toMatchObject([{ sid: 1 }]);
  expect(await sessions.quota('user:ann')).toEqual({ unfinished: 3, running: 0, tokens: 0 });
  const head = await headOf(sessions, 1);
  taken(await sessions.write(command(head, { quota: quotaMove('user:ann', { unfinished: -1, running: 1, tokens: 2 }) })));
  expect(await sessions.quota('user:ann')).toEqual({ unfinished: 2, running: 1, tokens: 2 });
  await close();
});

it('a node of the release before goes on writing beside this one', async () => {
  const url = await server.freshDatabase();
  const store = await openPostgresStore({ url, clock: systemClock });
  const made = {
    ...{
      w: 1,
      id: 'ses_old',
      owner: 'user:ann',
      root: 'ses_old',
      path: '',
      placement: 'space:x',
      config_ref: 'c',
      config: '{}',
      title: 'T',
      title_folded: 't',
    },
    ...{ metadata: '{"A":"B"}', status: 'idle', archived_at: null, deleted_at: null, created_at: 1, updated_at: 1 },
  };
  const ofOne = `array[null]::bigint[], '{2}', '{-1}', '{-1}', '{-1}', '{1}', '{1}', '{-1}', '{0}', array[null]::text[], '{user:ann}', '{1}', '{9}'`;
  const rows = `'{1}', '{"{}"}', '{1}', '{1}', '{0}', '{session.status_created}', '{1}', '{"{}"}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}'`;
  await withClient(url, (client) =>
    client.query(`select * from turnkeeper_write_1(false, ${ofOne}, ${rows}, $1, null, null, null, null)`, [JSON.stringify([made])]),
  );
  expect(await store.sessions.list({ status: 'all', q: 'a":"b', offset: 0, limit: 9 })).toEqual([]);
  expect(await store.sessions.list({ status: 'all', q: 'b', offset: 0, limit: 9 })).toMatchObject([{ id: 'ses_old' }]);
  expect(await store.sessions.quota('user:ann')).toEqual({ unfinished: 1, running: 0, tokens: 0 });
  await store.close();
});

it('what a node of the release before resolves stays on the list of open actions, with the body that says so', async () => {
  const url = await server.freshDatabase();
  const store = await openPostgresStore({ url, clock: systemClock });
  const body = (status: string): string => JSON.stringify({ kind: 'question', approver: ['ann'], status });
  const action: ResourceWrite = { kind: 'required_action', id: 'act_1', first: 0, last: 0, base: 0, body: body('open') };
  const { head } = await createdSession(store.sessions, { write: { resources: [action] } });
  const ofOne = `array[${head.sid}]::bigint[], '{0}', '{${head.stateSeq}}', '{-1}', '{-1}', '{1}', '{1}', '{-1}', '{0}', array[null]::text[], '{}', '{}', '{}'`;
  const event = `'{1}', '{"{}"}', '{1}', '{1}', '{0}', '{required_action.resolved}', '{1}', '{"{}"}'`;
  const resource = `'{1}', '{required_action}', '{act_1}', '{1}', '{1}', '{1}', '{1}', array[$1]::text[]`;
  await withClient(url, (client) =>
    client.query(`select * from turnkeeper_write_1(false, ${ofOne}, ${event}, ${resource}, '{}', '{}', '{}', null, null, null, null, null)`, [
      body('answered'),
    ]),
  );
  expect(await store.sessions.openActions({ among: [{ approver: 'ann' }], limit: 9 })).toMatchObject([{ sid: head.sid, body: body('answered') }]);
  await store.close();
});

it('a database that cannot be reached is storage_unavailable', async () => {
  const opening = openPostgresStore({ url: 'postgres://postgres@127.0.0.1:1/none', clock: systemClock });
  await expect(opening).rejects.toMatchObject({ code: 'storage_unavailable' });
});

it('N1 sessions that use mini-tools are marked: those that are there, and those that come, by whichever release', async () => {
  const url = await server.freshDatabase();
  const made = (sid: number, owner: string, config: string): string => `insert into configs values ('c${sid}', '${config}');
    insert into sessions (sid, id, owner, root, path, placement, config_ref, title, title_folded, metadata, metadata_folded, status, created_at, updated_at)
      values (${sid}, 's${sid}', '${owner}', 's${sid}', '', 'space:default', 'c${sid}', 'T', 't', '{}', '', 'idle', 1, 1);
    insert into heads (sid, seq, state_seq, horizon, fence, node, wn, owner, due, gone) values (${sid}, 1, 1, 0, 0, null, 0, '${owner}', 0, false);`;
  const three = (sid: number): string =>
    [made(sid, 'minitool:bot', '{}'), made(sid + 1, 'user:ann', '{"tools":[{"type":"minitool","id":"bot"}]}'), made(sid + 2, 'user:ann', '{}')].join('\n');
  await withClient(url, async (client) => {
    await migrate(client, migrations.slice(0, 16));
    await client.query(three(1));
    await migrate(client);
    await client.query(three(4));
    const { rows } = await client.query<{ hosted: boolean }>('select hosted from heads order by sid');
    expect(rows.map(({ hosted }) => hosted)).toEqual([true, true, false, true, true, false]);
  });
});
