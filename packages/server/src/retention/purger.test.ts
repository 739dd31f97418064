/** PG5, on a store that counts what it is asked for. */
import { formats } from '@turnkeeper/core/session/formats';
import { expect, test } from 'vitest';
import type { RetentionStore } from '../ports/retention.ts';
import { ManualClock } from '../testing/harness/manual-clock.ts';
import { settle } from '../testing/harness/settle.ts';
import { Purger } from './purger.ts';

type Fake = Pick<
  RetentionStore,
  'lastSid' | 'nextSid' | 'candidates' | 'deletedBefore' | 'purge' | 'lease' | 'prune' | 'pruneReceipts' | 'forgetHookKeys' | 'looked'
>;

const open = (over: Partial<Fake>) => {
  const clock = new ManualClock();
  const store: Fake = {
    lease: async () => true,
    lastSid: async () => 0,
    nextSid: async () => undefined,
    candidates: async () => [],
    deletedBefore: async () => [],
    purge: async () => true,
    prune: async () => 0,
    pruneReceipts: async () => 0,
    forgetHookKeys: async () => 0,
    looked: async () => {},
    ...over,
  };
  const purger = new Purger({
    store: store as RetentionStore,
    sessions: undefined as never,
    webhooks: { forget: async () => {} },
    clock,
    node: () => 'n1',
    config: { historyDays: 0, deletedDays: 7, auditDays: 0 },
    formats,
    changed: () => {},
    report: (error) => {
      throw error;
    },
  });
  return { clock, purger };
};
const candidate = (sid: number) => ({ sid, seq: 9, horizon: 5, pruned: 0, deltas: 0 });

test('PG5: numbers that nobody has are jumped over', async () => {
  const sids = [3, 700, 1_500, 900_000_000_000, 900_000_000_500];
  const windows: number[] = [];
  const looked: number[] = [];
  const { purger } = open({
    lastSid: async () => sids.at(-1) ?? 0,
    nextSid: async (after) => sids.find((sid) => sid > after),
    candidates: async ({ after, span }) => {
      windows.push(after);
      return sids.filter((sid) => sid > after && sid <= after + span).map(candidate);
    },
    looked: async (sid) => void looked.push(sid),
  });
  await purger.pass();
  expect(looked).toEqual(sids);
  expect(windows).toEqual([2, 1_499, 899_999_999_999]);
});

test('PG5: a pass ends when nothing that was deleted is left, with pauses in between', async () => {
  const left = new Set(Array.from({ length: 130 }, (_, n) => n + 1));
  const { purger, clock } = open({
    deletedBefore: async (_, limit) => [...left].slice(0, limit),
    purge: async (sid) => left.delete(sid),
  });
  let ended = false;
  const passing = purger.pass().then(() => {
    ended = true;
  });
  await settle(400);
  expect(left.size).toBe(80);
  expect(ended).toBe(false);
  for (let n = 0; n < 5; n += 1) await clock.advance(1_000);
  await passing;
  expect(left.size).toBe(0);
});

test('PG5: what was cut short is not marked as looked at', async () => {
  const looked: number[] = [];
  let held = 3;
  const { purger } = open({
    lastSid: async () => 2,
    nextSid: async (after) => (after < 1 ? 1 : undefined),
    candidates: async () => [candidate(1), candidate(2)],
    // The first is gone through; of the second there is more than the lease allows.
    prune: async (sid) => (sid === 1 ? 3 : 500),
    looked: async (sid) => void looked.push(sid),
    lease: async () => {
      held -= 1;
      return held >= 0;
    },
  });
  await purger.pass();
  expect(looked).toEqual([1]);
});
