/** W1, W3 and W8 while connections are lost and the server restarts under the store. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import type { Head, SessionStore } from '../../ports/session-store.ts';
import { untilSomebodyWaits } from '../../testing/postgres/somebody-waits.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../../testing/private-postgres.ts';
import { command, createdSession, event, headOf, logOf, runWrite, taken, waitMs } from '../../testing/store-contract/samples.ts';
import { openPostgresStore, type PostgresStore } from './open-postgres-store.ts';

let server: PrivatePostgres;
let url: string;
let store: PostgresStore;

beforeAll(async () => {
  server = await startPrivatePostgres();
});
afterAll(() => server?.stop());
beforeEach(async () => {
  url = await server.freshDatabase();
  store = await openPostgresStore({ url, clock: systemClock, writeConnections: 2, poolSize: 3 });
});
afterEach(() => store?.close());

const isUnknown = (error: unknown): boolean => error instanceof TurnkeeperError && error.details['outcome'] === 'unknown';
const isUnavailable = (error: unknown): boolean => error instanceof TurnkeeperError && error.code === 'storage_unavailable';

/** Ends all connections of the store, as a failing network or an administrator would; resolves when they are gone. */
const endConnections = async (): Promise<number> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query(
    'select pg_terminate_backend(pid, 30000) from pg_stat_activity where datname = current_database() and application_name like $1',
    ['turnkeeper%'],
  );
  await client.end();
  return rowCount ?? 0;
};

/** The holder of a session as a runner is: after an unknown outcome it looks at the head before it goes on. */
const streaming = async (sessions: SessionStore, first: Head, going: () => boolean): Promise<{ acknowledged: number[]; unknown: number; refused: number }> => {
  const seen = { acknowledged: [] as number[], unknown: 0, refused: 0 };
  let head = first;
  while (going()) {
    try {
      head = taken(await sessions.write(runWrite(head, { events: [event('piece', { at: head.seq + 1 }, 1)] })));
      seen.acknowledged.push(head.seq);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (isUnknown(error)) seen.unknown += 1;
      else seen.refused += 1;
      for (let tries = 0; ; tries += 1) {
        try {
          head = await headOf(sessions, first.sid);
          break;
        } catch (readFailure) {
          if (!isUnavailable(readFailure) || tries > 1_500) throw readFailure;
          await waitMs(20);
        }
      }
    }
  }
  return seen;
};

const holders = (count: number) =>
  Promise.all(Array.from({ length: count }, () => createdSession(store.sessions, { write: { hold: { kind: 'claim', node: 'n' } } })));

/** Every acknowledged write is in the log, the log has no gap, and no write is in it twice. */
const expectWhole = async (sid: number, acknowledged: readonly number[]): Promise<void> => {
  const log = await logOf(store.sessions, sid);
  expect(log.map((row) => row.seq)).toEqual(Array.from({ length: log.length }, (_, index) => index + 1));
  for (const row of log.slice(1)) expect(JSON.parse(row.data)).toEqual({ at: row.seq });
  expect(log.length).toBeGreaterThanOrEqual(acknowledged.at(-1) ?? 1);
  expect((await headOf(store.sessions, sid)).seq).toBe(log.length);
};

describe('the server goes away and comes back', () => {
  it.each([
    ['in good order', () => server.restart()],
    [
      'by a crash',
      async () => {
        await server.stopHard();
        await server.start();
      },
    ],
  ])('W1 W8 restart %s during writes: what was acknowledged is there, nothing is written twice, and it goes on by itself', async (_, restart) => {
    const sessions = await holders(8);
    let going = true;
    const runs = sessions.map(({ head }) => streaming(store.sessions, head, () => going));
    await waitMs(150);
    await restart();
    await waitMs(400);
    going = false;
    const results = await Promise.all(runs);
    for (const [index, result] of results.entries()) await expectWhole(sessions[index]!.head.sid, result.acknowledged);
    // Whether a write was under way at that very moment is the machine's business.
    expect(results.every((result) => result.unknown + result.refused > 0)).toBe(true);
  });

  it('a restart between writes is not noticed but for the time it takes', async () => {
    const { head, id } = await createdSession(store.sessions);
    await server.restart();
    await waitMs(50);
    expect((await store.sessions.load(id))?.head).toEqual(head);
    const next = taken(await store.sessions.write(command(head)));
    await server.stopHard();
    await server.start();
    expect(await headOf(store.sessions, head.sid)).toEqual(next);
    taken(await store.sessions.write(command(next)));
    await store.sessions.ping();
  });

  it('W8 while the server is down writes and reads fail as storage_unavailable, writes with a certain outcome', async () => {
    const { head } = await createdSession(store.sessions);
    await server.stopHard();
    await waitMs(50);
    const results = await Promise.allSettled([
      store.sessions.write(command(head)),
      store.sessions.write(command(head)),
      store.sessions.ping(),
      store.sessions.loadBySid(head.sid),
    ]);
    for (const result of results) {
      if (result.status === 'fulfilled') expect.fail('it was answered without a server');
      expect(result.reason).toMatchObject({ code: 'storage_unavailable' });
      expect(isUnknown(result.reason)).toBe(false);
    }
    await server.start();
    taken(await store.sessions.write(command(head)));
  });
});

describe('connections are lost', () => {
  it('idle ones are replaced: the next read and write succeed', async () => {
    const { head } = await createdSession(store.sessions);
    expect(await endConnections()).toBeGreaterThanOrEqual(3);
    await waitMs(100);
    expect(await headOf(store.sessions, head.sid)).toEqual(head);
    taken(await store.sessions.write(command(head)));
  });

  it('W8 a write whose connection is lost while it waits for a lock says that its outcome is unknown', async () => {
    const { head } = await createdSession(store.sessions);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('begin');
    await other.query('select from heads where sid = $1 for update', [head.sid]);
    const writing = store.sessions.write(command(head)).catch((error: unknown) => error);
    await untilSomebodyWaits(other);
    await other.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'turnkeeper write%'`);
    expect(isUnknown(await writing)).toBe(true);
    await other.query('rollback');
    await other.end();
    expect(await headOf(store.sessions, head.sid)).toEqual(head);
    taken(await store.sessions.write(command(head)));
  });

  it('W8 a read-only database refuses writes for certain, and takes them again afterwards', async () => {
    const { head } = await createdSession(store.sessions);
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    const database = new URL(url).pathname.slice(1);
    await admin.query(`alter database ${database} set default_transaction_read_only = on`);
    await endConnections();
    await waitMs(100);
    const refused = await store.sessions.write(command(head)).catch((error: unknown) => error);
    expect(isUnavailable(refused) && !isUnknown(refused)).toBe(true);
    await expect(store.sessions.ping()).rejects.toMatchObject({ code: 'storage_unavailable' });
    await admin.query('set default_transaction_read_only = off');
    await admin.query(`alter database ${database} set default_transaction_read_only = off`);
    await admin.end();
    await endConnections();
    await waitMs(100);
    taken(await store.sessions.write(command(head)));
    await store.sessions.ping();
  });

  it('PR1 after a fail-over nobody has to cut the connections to the server that takes no writes any more', async () => {
    const { head } = await createdSession(store.sessions);
    await store.sessions.heartbeat('a', 60_000);
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    const database = new URL(url).pathname.slice(1);
    await admin.query(`alter database ${database} set default_transaction_read_only = on`);
    await endConnections();
    await waitMs(100);
    // All connections that are made now lead to a server that only reads.
    await Promise.allSettled([0, 1, 2, 3, 4].map(() => store.sessions.load('ses_x' as never)));
    await expect(store.sessions.heartbeat('a', 60_000)).rejects.toMatchObject({ code: 'storage_unavailable', details: {} });
    await expect(store.sessions.write(command(head))).rejects.toMatchObject({ code: 'storage_unavailable', details: {} });
    await admin.query('set default_transaction_read_only = off');
    await admin.query(`alter database ${database} set default_transaction_read_only = off`);
    await admin.end();
    expect(await store.sessions.heartbeat('a', 60_000)).toBe(true);
    taken(await store.sessions.write(command(head)));
    await store.sessions.ping();
  });

  it('a change that loses a deadlock is made again', async () => {
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    // The store looks for a deadlock once, a while after it began to wait: by then there is one. The store finds it first, and is the one that loses.
    await other.query(`alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '3s'`);
    await endConnections();
    await waitMs(100);
    await other.query(`set deadlock_timeout = '60s'`);
    await other.query(`insert into sign_in_links values ('old', 'u', 1)`);
    await other.query('begin');
    await other.query(`insert into sign_in_links values ('new', 'u', 1)`);
    // It deletes the old link, then waits for the new one.
    const adding = store.catalog.addSignInLink({ hash: 'new', userId: 'v', expiresAt: 9 }, 1e12).catch((error: unknown) => error);
    await untilSomebodyWaits(other);
    await other.query(`update sign_in_links set user_id = 'w' where hash = 'old'`);
    await other.query('rollback');
    await other.end();
    expect(await adding).toBeUndefined();
    expect(await store.catalog.signInLink('new')).toEqual({ hash: 'new', userId: 'v', expiresAt: 9 });
    expect(await store.catalog.signInLink('old')).toBeUndefined();
  });

  it('a store that was closed refuses, and can be closed twice', async () => {
    const { head } = await createdSession(store.sessions);
    await Promise.all([store.close(), store.sessions.close()]);
    // Another code than that of a store that may recover: a fact is not tried again for ever.
    await expect(store.sessions.write(command(head))).rejects.toMatchObject({ code: 'shutting_down' });
    await expect(store.sessions.loadBySid(head.sid)).rejects.toMatchObject({ code: 'shutting_down' });
    await expect(store.sessions.ping()).rejects.toMatchObject({ code: 'shutting_down' });
    await expect(store.sessions.heartbeat('node', 1_000)).rejects.toMatchObject({ code: 'shutting_down' });
  });
});
