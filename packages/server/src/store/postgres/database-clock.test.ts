/** DC1 to DC3: the time of the database, whatever the clock of this machine says. */
import { expect, it } from 'vitest';
import { ManualClock } from '../../testing/harness/manual-clock.ts';
import { createDatabaseClock } from './database-clock.ts';

const setUp = () => {
  const local = new ManualClock(1_000);
  const clock = createDatabaseClock(local);
  /** A sample: the database said that it was `ahead` of the local count, half way of a round trip of `tripMs`. */
  const sample = (ahead: number, tripMs = 0) =>
    clock.measure(async () => {
      const sent = local.elapsed();
      await local.advance(tripMs);
      return sent + tripMs / 2 + ahead;
    });
  return { local, clock, sample };
};

it('DC1 the local time of day may be wrong, and be set by hand at any moment', async () => {
  const { local, clock, sample } = setUp();
  local.wrong = 600_000;
  await sample(5_000);
  expect(clock.now()).toBe(6_000);
  local.wrong = -600_000;
  await local.advance(70);
  expect(clock.now()).toBe(6_070);
  expect(clock.elapsed()).toBe(1_070);
});

it('it tells no time before it was measured, and keeps what it knows when a measurement fails', async () => {
  const { clock, sample } = setUp();
  expect(() => clock.now()).toThrow('never measured');
  await sample(5_000);
  await expect(clock.measure(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(clock.now()).toBe(6_000);
});

it('DC2 a database that is behind is waited for: time goes on, at half its pace, and never back', async () => {
  const { local, clock, sample } = setUp();
  await sample(5_000);
  expect(clock.now()).toBe(6_000);
  await sample(4_900);
  const told: number[] = [];
  for (let n = 0; n < 30; n += 1) {
    told.push(clock.now());
    await local.advance(10);
  }
  expect(told.slice(0, 4)).toEqual([6_000, 6_005, 6_010, 6_015]);
  expect(told.toSorted((a, b) => a - b)).toEqual(told);
  expect(clock.now()).toBe(local.elapsed() + 4_900);
});

it('DC2 a database that is ahead is followed at once', async () => {
  const { clock, sample } = setUp();
  await sample(5_000);
  expect(clock.now()).toBe(6_000);
  await sample(9_000);
  expect(clock.now()).toBe(10_000);
});

it('DC3 the shortest round trip counts, until it is contradicted or too old', async () => {
  const { local, clock, sample } = setUp();
  const ahead = () => clock.now() - local.elapsed();
  await sample(5_000, 2);
  await sample(5_030, 80);
  expect(ahead()).toBe(5_000);
  // Too far from what was seen to be the same clock.
  await sample(5_300, 80);
  expect(ahead()).toBe(5_300);
  for (let n = 0; n < 8; n += 1) await sample(5_310, 100);
  expect(ahead()).toBe(5_310);
});
