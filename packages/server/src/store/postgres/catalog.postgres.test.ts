/** What the shared catalog rests on in PostgreSQL alone: its tables, indexes and locks. */
import type { SessionId } from '@turnkeeper/core/session/ids';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import type { MinitoolStore } from '../../ports/minitools.ts';
import { untilSomebodyWaits } from '../../testing/postgres/somebody-waits.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../../testing/private-postgres.ts';
import { auditRow, createdSession, newSession } from '../../testing/store-contract/samples.ts';
import { sampleWebhook } from '../../testing/store-contract/webhooks.ts';
import type { CatalogDatabase, SqlStatement } from '../catalog/catalog-database.ts';
import { createFileIndex } from '../catalog/files.ts';
import { createMinitoolStore } from '../catalog/minitools.ts';
import { createRetentionStore, sessionTables } from '../catalog/retention.ts';
import { createWebhookStore } from '../catalog/webhooks.ts';
import { openPostgresStore, type PostgresStore } from './open-postgres-store.ts';

let server: PrivatePostgres;
let store: PostgresStore;
let client: pg.Client;
beforeAll(async () => {
  server = await startPrivatePostgres();
  const url = await server.freshDatabase();
  store = await openPostgresStore({ url, clock: systemClock });
  client = new pg.Client({ connectionString: url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await store?.close();
  await server?.stop();
});

it('every table that names a session by its number is purged with it', async () => {
  const { rows } = await client.query<{ place: string }>(
    `select table_name || '.' || column_name as place from information_schema.columns where table_schema = 'public' and column_name in ('sid', 'subject_sid')`,
  );
  const listed = Object.entries(sessionTables).map(([name, { sid }]) => `${name}.${sid}`);
  expect(rows.map(({ place }) => place).toSorted()).toEqual(listed.toSorted());
});

/** How statements are carried out where an index will do if it can. */
const plansOf = async (ask: (database: CatalogDatabase) => Promise<unknown>): Promise<string> => {
  const plans: string[] = [];
  const read = async ({ sql, params }: SqlStatement) => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, [...params]);
    plans.push(...rows.map((row) => row['QUERY PLAN']));
    return [];
  };
  for (const way of ['seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin']) await client.query(`set enable_${way} = off`);
  const write = async (statements: readonly SqlStatement[]) => {
    for (const statement of statements) await read(statement);
    return [];
  };
  await ask({ dialect: 'postgres', read, write });
  await client.query('reset all');
  return plans.join('\n');
};

it('texts are in the order of their bytes, whatever the locale, and found by their indexes', async () => {
  const paths = await plansOf((database) => createFileIndex(database).paths('ses_1', 10));
  expect(paths).toContain('files_by_path');
  expect(paths).not.toContain('Sort');
  expect(await plansOf((database) => createWebhookStore(database).lanesOf([1, 2]))).toContain('webhooks_by_application');
  const walk = await plansOf((database) => createWebhookStore(database).owed({ webhookId: 'whk_1', sid: null }, 10));
  expect(walk).toContain('webhooks_pkey');
  expect(walk).not.toContain('Sort');
  const { rows } = await client.query(
    `select column_name from information_schema.columns where table_name = 'files' and column_name in ('path', 'id') and collation_name = 'C'`,
  );
  expect(rows).toHaveLength(2);
});

it('what mini-tools are asked for again and again is found by its indexes', async () => {
  const row = { id: 'in_1', minitoolId: 'bot', hook: 'chat', key: 'k', orderKey: 'o', headers: {}, body: '', receivedAt: 9, attempts: 0, notBefore: 0 };
  const plans = async (ask: (minitools: MinitoolStore) => Promise<unknown>) => plansOf((database) => ask(createMinitoolStore(database)));
  const received = await plans((minitools) => minitools.receive(row, { messages: 10, bytes: 100 }));
  expect(received).toContain('minitool_ingress_waiting');
  expect(received).not.toContain('Delete');
  const waiting = await plans((minitools) => minitools.waiting('bot', 'chat', 1, 10));
  expect(waiting).toContain('minitool_ingress_waiting');
  expect(waiting).toContain('minitool_ingress_lanes');
  expect(await plansOf((database) => createRetentionStore(database).forgetHookKeys(1, 10))).toContain('minitool_ingress_done');
  const behind = await plans((minitools) => minitools.behind('bot', { after: 0, most: 10 }));
  expect(behind).toContain('sessions_of_owner');
  expect(await plans((minitools) => minitools.unmark('ses_1' as SessionId))).toContain('minitool_marks_pkey');
});

it('SA4: an import waits for the numbers that are being given out, and takes none back', async () => {
  const { head } = await createdSession(store.sessions);
  await client.query('begin');
  const { rows } = await client.query<{ given: number }>(`select nextval('session_sids')::int as given`);
  const session = newSession();
  const row = { ...session.row, sid: 1_000_000 };
  const importing = store.archive.bringBack(
    { row, config: session.config, state: '{"v":1}', format: 1, seq: 1, stateSeq: 1, events: [], resources: [] },
    auditRow(),
  );
  await untilSomebodyWaits(client);
  await client.query('commit');
  expect(await importing).toBe('done');
  expect(rows[0]?.given).toBe(head.sid + 1);
  expect((await createdSession(store.sessions)).head.sid).toBe(1_000_001);
});

it('a subscription is deleted while one of its lanes delivers: each waits for the other’s rows in one order', async () => {
  const { head, id } = await createdSession(store.sessions);
  const row = sampleWebhook({ subject: { kind: 'session', sid: head.sid, sessionId: id } });
  await store.webhooks.create(row, { scope: 's', key: row.id, hash: 'h' }, auditRow());
  await client.query('begin');
  await client.query('update webhook_lanes set seq = seq where webhook_id = $1', [row.id]);
  const removing = store.webhooks.remove(row.id, 5, auditRow());
  await untilSomebodyWaits(client);
  await client.query('select from webhooks where id = $1 for update nowait', [row.id]);
  await client.query('commit');
  expect(await removing).toBe(true);
  expect((await client.query('select from webhook_lanes where webhook_id = $1', [row.id])).rows).toEqual([]);
});
