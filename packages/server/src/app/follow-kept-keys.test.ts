import { expect, test } from 'vitest';
import { ManualClock } from '../testing/harness/manual-clock.ts';
import { followKeptKeys } from './follow-kept-keys.ts';

const names = ['KEY'];

test('a look that failed, and a change that was not seen to its end, are made up for', async () => {
  const clock = new ManualClock();
  const fails = { look: true, change: true };
  const seen: string[] = [];
  const kept = {
    names,
    look: async () => {
      seen.push('look');
      if (fails.look) throw new Error('the store is away');
      return seen.length === 2;
    },
  };
  const changed = async (): Promise<void> => {
    seen.push('change');
    if (fails.change) throw new Error('the store is away');
  };
  const reported: unknown[] = [];
  const keys = followKeptKeys({ kept, clock, shared: false, changed, report: (error) => reported.push(error) });
  await keys.secretChanged('OTHER');
  expect(seen).toEqual([]);
  await keys.secretChanged('KEY');
  fails.look = false;
  await clock.advance(15_000);
  fails.change = false;
  await clock.advance(15_000);
  expect([seen, reported.length]).toEqual([['look', 'look', 'change', 'look', 'change'], 2]);
  // Nothing is owed any more: alone on its store, it looks no more by itself.
  await clock.advance(60_000);
  expect(seen).toHaveLength(5);
  keys.stop();
});

test('one look after the other; none after the stop', async () => {
  const clock = new ManualClock();
  let running = 0;
  let most = 0;
  let looks = 0;
  const look = async (): Promise<boolean> => {
    running += 1;
    looks += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return false;
  };
  const keys = followKeptKeys({ kept: { names, look }, clock, shared: true, changed: async () => {}, report: (error) => expect.fail(String(error)) });
  await Promise.all([keys.secretChanged('KEY'), keys.secretChanged('KEY')]);
  await clock.advance(15_000);
  await keys.secretChanged('KEY');
  expect([most, looks]).toEqual([1, 4]);
  keys.stop();
  await clock.advance(60_000);
  expect(looks).toBe(4);
});
