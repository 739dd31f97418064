import { expect, test } from 'vitest';
import type { ApplicationRow } from '../ports/catalog.ts';
import { ManualClock } from '../testing/harness/manual-clock.ts';
import { createOwnerLimits } from './owner-limits.ts';

const row = (maxConcurrent: number | null) => ({ maxConcurrent, maxUnfinished: null, tokenBudget: 0 }) as ApplicationRow;

const open = (first: ApplicationRow | undefined) => {
  const clock = new ManualClock();
  const asked: string[] = [];
  const store = { row: first, fails: false, hold: Promise.resolve() };
  const limits = createOwnerLimits(
    {
      application: async (id) => {
        asked.push(id);
        const found = store.row;
        await store.hold;
        if (store.fails) throw new Error('the store is away');
        return found;
      },
    },
    clock,
  );
  return { clock, asked, store, limits };
};

/** Reads of the store wait until `goOn`. */
const holding = (store: { hold: Promise<void> }) => {
  const gate = Promise.withResolvers<void>();
  store.hold = gate.promise;
  return () => gate.resolve();
};

test('OL1 users are not counted, mini-tools by the limit of all, applications always, also when they have no row or no limit', async () => {
  const { limits, asked } = open(undefined);
  expect([limits.of('user:ann'), limits.ready('user:ann'), limits.of('minitool:x'), limits.ready('minitool:x')]).toEqual([
    undefined,
    undefined,
    { unfinished: 200 },
    undefined,
  ]);
  await limits.ready('app:a');
  expect(limits.of('app:a')).toEqual({});
  expect(asked).toEqual(['a']);
});

test('OL2 OL3 is waited for the first time and when it is older than 5 s; one read is made for all who wait', async () => {
  const { limits, asked, store, clock } = open(row(2));
  expect(() => limits.of('app:a')).toThrow('before they were read');
  await Promise.all([limits.ready('app:a'), limits.ready('app:a')]);
  expect(limits.of('app:a')).toEqual({ running: 2, tokens: 0 });
  store.row = row(3);
  await clock.advance(5_000);
  expect(limits.ready('app:a')).toBeUndefined();
  expect(asked).toHaveLength(1);
  await clock.advance(1);
  await limits.ready('app:a');
  expect(limits.of('app:a')).toMatchObject({ running: 3 });
  expect(asked).toHaveLength(2);
});

test('OL2 nothing is decided while the store is away; it is asked again the next time', async () => {
  const { limits, store } = open(row(2));
  store.fails = true;
  await expect(limits.ready('app:a')).rejects.toThrow('away');
  expect(() => limits.of('app:a')).toThrow('before they were read');
  store.fails = false;
  await limits.ready('app:a');
  expect(limits.of('app:a')).toMatchObject({ running: 2 });
});

test('OL2 OL3 who waits for a read that a change overtakes waits for the next one', async () => {
  const { limits, store, asked } = open(row(2));
  const goOn = holding(store);
  const before = limits.ready('app:a');
  limits.forget('app:a');
  store.row = row(null);
  goOn();
  await before;
  expect(limits.of('app:a')).toEqual({ tokens: 0 });
  expect(asked).toHaveLength(2);
});

test('OL3 what was forgotten is read anew, and a read from before is not taken for it', async () => {
  const { limits, store, clock } = open(row(2));
  await limits.ready('app:a');
  await clock.advance(6_000);
  const goOn = holding(store);
  const before = limits.ready('app:a');
  limits.forget('app:a');
  store.row = row(null);
  const after = limits.ready('app:a');
  // Whoever had waited before may still look.
  expect(limits.of('app:a')).toMatchObject({ running: 2 });
  goOn();
  await Promise.all([before, after]);
  expect(limits.of('app:a')).toEqual({ tokens: 0 });
  expect(limits.ready('app:a')).toBeUndefined();
});

test('OL4 what nobody asked for in a while is not kept', async () => {
  const { limits, clock } = open(row(2));
  await limits.ready('app:a');
  await clock.advance(10 * 60_000);
  await limits.ready('app:b');
  expect(limits.of('app:a')).toMatchObject({ running: 2 });
  await clock.advance(5_001);
  await limits.ready('app:b');
  expect(() => limits.of('app:a')).toThrow('before they were read');
});
