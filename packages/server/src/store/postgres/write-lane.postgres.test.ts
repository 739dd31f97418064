/** What goes through one write connection together: J1, J2, and what PostgreSQL's text cannot hold. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../../testing/private-postgres.ts';
import { command, createdSession, event, headOf, newSession, quotaMove, taken } from '../../testing/store-contract/samples.ts';
import { openPostgresStore, type PostgresStore } from './open-postgres-store.ts';

let server: PrivatePostgres;
let url: string;
let store: PostgresStore;

beforeAll(async () => {
  server = await startPrivatePostgres();
  url = await server.freshDatabase();
  store = await openPostgresStore({ url, clock: systemClock, writeConnections: 1 });
});
afterAll(async () => {
  await store?.close();
  await server?.stop();
});

const commits = async (): Promise<number> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ n: string }>('select count(distinct xmin::text) as n from events');
  await client.end();
  return Number(rows[0]?.n);
};

it('W7 writes that arrive together are one commit', async () => {
  const made = await Promise.all(Array.from({ length: 50 }, () => createdSession(store.sessions)));
  const before = await commits();
  await Promise.all(made.map(({ head }) => store.sessions.write(command(head))));
  expect((await commits()) - before).toBeLessThanOrEqual(2);
});

it('J2 a write that the database cannot store rejects alone, and so does one that cannot be sent', async () => {
  const made = await Promise.all(Array.from({ length: 12 }, () => createdSession(store.sessions)));
  const row = { kind: 'run' as const, first: 0, last: 0, base: 0, body: '{}' };
  const faults = [
    {
      resources: [
        { ...row, id: 'a' },
        { ...row, id: 'b' },
      ],
    },
    { quota: quotaMove('app:x', { tokens: 1e30 }) },
  ];
  const writes = made.map(({ head }, index) => store.sessions.write(command(head, faults[index - 4] ?? {})));
  const results = await Promise.allSettled(writes);
  const bad = results.flatMap((result, index) => (result.status === 'rejected' ? [index] : []));
  expect(bad).toEqual([4, 5]);
  for (const index of bad) {
    expect(results[index]).toMatchObject({ reason: { code: 'internal_error' } });
    const { head } = made[index]!;
    expect(await headOf(store.sessions, head.sid)).toEqual(head);
  }
  for (const result of results) if (result.status === 'fulfilled') expect(result.value.ok).toBe(true);
});

it('J1 writes of one session handed in together are taken in their order', async () => {
  const { head } = await createdSession(store.sessions, { write: { hold: { kind: 'claim', node: 'n' } } });
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, wn) => store.sessions.write({ sid: head.sid, guard: { kind: 'run', fence: 1, wn }, events: [event('x')] })),
  );
  expect(results.map((result) => taken(result).wn)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

it('NUL and half surrogates in titles and keys are stored as U+FFFD, and found', async () => {
  const key = 'k\0\ud800';
  const session = newSession({
    row: { title: 'A\0title \udc00', metadata: JSON.stringify({ a: '\0' }) },
    write: { events: [event('x', { text: '\0\ud800' })], receipts: [{ scope: 's', key, hash: 'h', answer: '"\\u0000"', at: 1 }] },
  });
  const head = taken(await store.sessions.create(session));
  const loaded = await store.sessions.load(session.row.id);
  expect(loaded?.row).toMatchObject({ title: 'A\ufffdtitle \ufffd', metadata: '{"a":"\\u0000"}' });
  expect(await store.sessions.receipt('s', key)).toMatchObject({ key: 'k\ufffd\ufffd', answer: '"\\u0000"' });
  expect((await store.sessions.list({ status: 'all', offset: 0, limit: 9, q: 'a\0TITLE' })).map((row) => row.sid)).toEqual([head.sid]);
  taken(await store.sessions.write(command(head, { session: { title: '\0', metadata: '{"b":"\\u0000"}' } })));
  expect((await store.sessions.load(session.row.id))?.row).toMatchObject({ title: '\ufffd', metadata: '{"b":"\\u0000"}' });
  const again = await store.sessions.create(newSession({ write: { events: [event('x')], receipts: [{ scope: 's', key, hash: 'h2', answer: '0', at: 2 }] } }));
  expect(again).toMatchObject({ ok: false, reason: 'receipt', receipt: { hash: 'h' } });
});
