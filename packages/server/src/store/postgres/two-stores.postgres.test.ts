/** Two nodes on one database: what holds within a store holds between them. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import type { Head, SessionStore } from '../../ports/session-store.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../../testing/private-postgres.ts';
import { command, createdSession, event, headOf, logOf, newSession, quotaMove, runWrite, taken, unique, waitMs } from '../../testing/store-contract/samples.ts';
import { openPostgresStore, type PostgresStore } from './open-postgres-store.ts';

let server: PrivatePostgres;
let url: string;
let here: PostgresStore;
let there: PostgresStore;

const until = async (condition: () => boolean): Promise<void> => {
  for (let tries = 0; !condition(); tries += 1) {
    if (tries > 3_000) expect.fail('it did not happen within 30 s');
    await waitMs(10);
  }
};

/** Until one of them hears the other: what is told before it listens is told to nobody. */
const connected = (from: PostgresStore, sid: number, heard: ReadonlyMap<number, number>): Promise<void> =>
  until(() => {
    from.bus.publish(sid, 0);
    return heard.has(sid);
  });

/** What the owner's quota stands at. */
const countOf = async (owner: string): Promise<number> => (await here.sessions.quota(owner)).unfinished;

beforeAll(async () => {
  server = await startPrivatePostgres();
});
afterAll(() => server?.stop());
beforeEach(async () => {
  url = await server.freshDatabase();
  [here, there] = await Promise.all([
    openPostgresStore({ url, clock: systemClock, writeConnections: 2, poolSize: 3 }),
    openPostgresStore({ url, clock: systemClock, writeConnections: 2, poolSize: 3 }),
  ]);
});
afterEach(() => Promise.all([here?.close(), there?.close()]));

describe('writes', () => {
  it('W2 W3 commands of both come through one by one: no gap, no repeat, no loss', async () => {
    const sessions = await Promise.all(Array.from({ length: 4 }, () => createdSession(here.sessions)));
    const writer = async (store: SessionStore, name: string, sid: number): Promise<void> => {
      for (let done = 0; done < 15; ) {
        const result = await store.write(command(await headOf(store, sid), { events: [event(name)] }));
        if (result.ok) done += 1;
        else expect(result.reason).toBe('conflict');
      }
    };
    await Promise.all(sessions.flatMap(({ head }) => [writer(here.sessions, 'here', head.sid), writer(there.sessions, 'there', head.sid)]));
    for (const { head } of sessions) {
      const log = await logOf(here.sessions, head.sid);
      expect(log.map((row) => row.seq)).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
      expect(log.filter((row) => row.type === 'there')).toHaveLength(15);
    }
  });

  it('W5 a key used on both at the same moment is taken once; the other gets the row that won', async () => {
    for (let round = 0; round < 15; round += 1) {
      const receipt = (hash: string) => ({ scope: 's', key: `k${round}`, hash, answer: `"${hash}"`, at: 1 });
      const create = (store: SessionStore, hash: string) =>
        store.create(newSession({ write: { events: [event('x')], receipts: [receipt(hash), { ...receipt(hash), key: unique('own') }] } }));
      const results = await Promise.all([create(here.sessions, 'here'), create(there.sessions, 'there')]);
      expect(results.filter((result) => result.ok)).toHaveLength(1);
      const winner = results[0]?.ok ? 'here' : 'there';
      expect(results.find((result) => !result.ok)).toEqual({ ok: false, reason: 'receipt', receipt: receipt(winner) });
    }
    const left = await here.sessions.list({ status: 'all', offset: 0, limit: 100 });
    expect(left).toHaveLength(15);
  });

  it('a quota is never passed by both together', async () => {
    for (let round = 0; round < 6; round += 1) {
      const owner = unique('app:');
      const sessions = await Promise.all(Array.from({ length: 40 }, () => createdSession(here.sessions, { owner })));
      const results = await Promise.all(
        sessions.map(async ({ head }, index) => {
          // Handed in over many turns of the event loop, so that many batches of both are under way at once.
          for (let turns = index; turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve));
          return (index % 2 ? here : there).sessions.write(command(head, { quota: quotaMove(owner, { unfinished: 1, unfinishedLimit: 17 }) }));
        }),
      );
      expect(results.filter((result) => result.ok)).toHaveLength(17);
      expect(await countOf(owner)).toBe(17);
    }
  });

  it('a limit of running turns is never passed by both together, and what is refused moves nothing', async () => {
    const owner = unique('app:');
    const sessions = await Promise.all(Array.from({ length: 30 }, () => createdSession(here.sessions, { owner })));
    const quota = quotaMove(owner, { unfinished: 1, running: 1, tokens: 3, runningLimit: 5 });
    const results = await Promise.all(
      sessions.map(async ({ head }, index) => {
        for (let turns = index; turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve));
        return (index % 2 ? here : there).sessions.write(command(head, { quota }));
      }),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(5);
    expect(results.filter((result) => !result.ok && result.reason === 'quota' && result.quota === 'running' && result.count === 5)).toHaveLength(25);
    expect(await there.sessions.quota(owner)).toEqual({ unfinished: 5, running: 5, tokens: 15 });
  });

  it('W7 a head that someone keeps locked delays its own write, not those of its batch', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => createdSession(here.sessions)));
    const locked = made[0]!.head;
    const onSameLane = made.find(({ head }) => head.sid !== locked.sid && (head.sid - locked.sid) % 2 === 0)!.head;
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('begin');
    await other.query('select from heads where sid = $1 for update', [locked.sid]);
    let settled = false;
    const waiting = there.sessions.write(command(locked)).finally(() => {
      settled = true;
    });
    taken(await there.sessions.write(command(onSameLane)));
    await waitMs(50);
    expect(settled).toBe(false);
    await other.query('commit');
    await other.end();
    taken(await waiting);
  });

  it('batches of both that touch the same sessions, owners and keys in any order never end in a deadlock', async () => {
    const owners = Array.from({ length: 5 }, () => unique('app:'));
    const made = await Promise.all(Array.from({ length: 20 }, (_, index) => createdSession(here.sessions, { owner: owners[index % 5]! })));
    const heads = new Map(made.map(({ head }): [number, Head] => [head.sid, head]));
    let taken = 0;
    const counts = new Map(owners.map((owner): [string, number] => [owner, 0]));
    const work = async (store: SessionStore, backwards: boolean): Promise<void> => {
      for (let round = 0; round < 15; round += 1) {
        const order = backwards ? made.toReversed() : made;
        const results = await Promise.all(
          order.map(async ({ head: { sid } }, index) => {
            const head = heads.get(sid)!;
            const owner = owners[(index * 3 + round) % 5]!;
            const receipts = [0, 1].map((n) => ({ scope: 's', key: `${round}-${(index + n * 7) % 30}-${sid}`, hash: 'h', answer: '0', at: 0 }));
            const result = await store.write(command(head, { quota: quotaMove(owner, { unfinished: 1 }), receipts }));
            heads.set(sid, result.ok ? result.head : await headOf(store, sid));
            if (result.ok) counts.set(owner, (counts.get(owner) ?? 0) + 1);
            return result;
          }),
        );
        taken += results.filter((result) => result.ok).length;
      }
    };
    await Promise.all([work(here.sessions, false), work(there.sessions, true)]);
    const logs = await Promise.all(made.map(({ head }) => logOf(here.sessions, head.sid)));
    for (const [owner, count] of counts) if (count > 0) expect(await countOf(owner)).toBe(count);
    expect(logs.reduce((sum, log) => sum + log.length - 1, 0)).toBe(taken);
  });
});

describe('claims', () => {
  it('both racing take every due session once', async () => {
    await Promise.all([here.sessions.heartbeat('a', 60_000), there.sessions.heartbeat('b', 60_000)]);
    await Promise.all(Array.from({ length: 60 }, () => createdSession(here.sessions, { due: 0 })));
    const got: string[] = [];
    const race = async (store: SessionStore, node: string): Promise<void> => {
      for (let empty = 0; empty < 3; ) {
        const claimed = await store.claim({ node, now: 1, limit: 4 });
        empty = claimed.length === 0 ? empty + 1 : 0;
        for (const { loaded } of claimed) {
          expect(loaded.head).toMatchObject({ node, fence: 1 });
          got.push(loaded.row.id);
        }
      }
    };
    await Promise.all([race(here.sessions, 'a'), race(here.sessions, 'a'), race(there.sessions, 'b'), race(there.sessions, 'b')]);
    expect(new Set(got).size).toBe(60);
    expect(got).toHaveLength(60);
  });

  it('what is handed out is as of one moment, also while commands are committed', async () => {
    await here.sessions.heartbeat('a', 60_000);
    const { head } = await createdSession(there.sessions, { due: 0 });
    let going = true;
    const writing = async (): Promise<void> => {
      for (let now = head; going; )
        now = taken(
          await there.sessions.write(command(now, { events: [event('x')], state: { body: `{"seq":${now.seq + 1}}`, due: 0 }, hold: { kind: 'release' } })),
        );
    };
    const claiming = async (): Promise<void> => {
      for (let n = 0; n < 40; n += 1) {
        for (const { loaded } of await here.sessions.claim({ node: 'a', now: 1, limit: 1 })) {
          if (loaded.head.stateSeq > 1) expect(loaded.state).toBe(`{"seq":${loaded.head.stateSeq}}`);
        }
      }
      going = false;
    };
    await Promise.all([writing(), claiming()]);
  });

  it('H1 a process that takes over a name gets what the name held, and the one before is told', async () => {
    expect(await here.sessions.heartbeat('node', 60_000)).toBe(true);
    const { id } = await createdSession(here.sessions, { due: 0 });
    const [first] = await here.sessions.claim({ node: 'node', now: 1, limit: 1 });
    expect(await there.sessions.heartbeat('node', 60_000)).toBe(true);
    expect(await there.sessions.claim({ node: 'node', now: 1, limit: 1 })).toMatchObject([{ orphaned: true, loaded: { row: { id }, head: { fence: 2 } } }]);
    expect(await here.sessions.write(runWrite(first!.loaded.head))).toEqual({ ok: false, reason: 'fenced' });
    expect(await here.sessions.claim({ node: 'node', now: 1, limit: 1 })).toEqual([]);
    expect(await here.sessions.heartbeat('node', 60_000)).toBe(false);
    expect(await there.sessions.heartbeat('node', 60_000)).toBe(true);
  });
});

describe('wake-ups', () => {
  it('reach the other store, not the own one; the newest seq of each session is among them', async () => {
    const heard = { here: new Map<number, number>(), there: new Map<number, number>() };
    here.bus.subscribe(() => {
      throw new Error('a listener that fails');
    });
    here.bus.subscribe((sid, seq) => heard.here.set(sid, seq));
    const stop = there.bus.subscribe((sid, seq) => heard.there.set(sid, seq));
    await connected(here, 1, heard.there);
    await connected(there, 7, heard.here);
    for (let seq = 1; seq <= 50; seq += 1) for (let sid = 1; sid <= 300; sid += 1) here.bus.publish(sid, seq);
    await until(() => heard.there.size === 300 && [...heard.there.values()].every((seq) => seq === 50));
    there.bus.publish(7, 99);
    await until(() => heard.here.get(7) === 99);
    expect(heard.here.size).toBe(1);
    stop();
    here.bus.publish(1, 51);
    here.bus.publish(8, 51);
    await waitMs(100);
    expect(heard.there.get(1)).toBe(50);
  });

  it('B1 listening goes on after its connection was lost', async () => {
    const heard = new Map<number, number>();
    there.bus.subscribe((sid, seq) => heard.set(sid, seq));
    await connected(here, 1, heard);
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query(`select pg_terminate_backend(pid, 30000) from pg_stat_activity where application_name in ('turnkeeper listen', 'turnkeeper notify')`);
    await admin.end();
    let seq = 0;
    await until(() => {
      seq += 1;
      here.bus.publish(1, seq);
      return (heard.get(1) ?? 0) > 0;
    });
  });
});

it('a store never has more connections than it was given', async () => {
  const count = async (): Promise<number> => {
    const admin = new pg.Client({ connectionString: url, application_name: 'admin' });
    await admin.connect();
    const { rows } = await admin.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where application_name like 'turnkeeper%' and datname = current_database()`,
    );
    await admin.end();
    return rows[0]?.n ?? 0;
  };
  await there.close();
  here.bus.subscribe(() => {});
  const made = await Promise.all(Array.from({ length: 30 }, () => createdSession(here.sessions)));
  let most = 0;
  const load = async (): Promise<void> => {
    for (let n = 0; n < 5; n += 1) {
      await Promise.all(made.map(({ id }) => here.sessions.load(id)));
      here.bus.publish(1, n);
    }
  };
  const watch = async (): Promise<void> => {
    for (let n = 0; n < 5; n += 1) most = Math.max(most, await count());
  };
  await Promise.all([load(), load(), watch()]);
  expect(most).toBeGreaterThan(2);
  expect(most).toBeLessThanOrEqual(2 + 3 + 2);
  await here.close();
  await expect.poll(count).toBe(0);
});
