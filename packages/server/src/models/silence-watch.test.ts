import { expect, it } from 'vitest';
import { ManualClock } from '../testing/harness/manual-clock.ts';
import { createSilenceWatch } from './silence-watch.ts';

const setUp = () => {
  const clock = new ManualClock();
  let silences = 0;
  const watch = createSilenceWatch(clock, { firstByteMs: 300, idleMs: 120 }, () => {
    silences += 1;
  });
  return { clock, watch, silences: () => silences };
};
/** A step of the provider, and how it ends. */
const waiting = ({ watch }: ReturnType<typeof setUp>) => {
  const step = Promise.withResolvers<void>();
  return { ends: step.resolve, waited: watch.during(step.promise) };
};

it('silence is told once somebody has waited for so long, not before', async () => {
  const { clock, watch, silences } = setUp();
  void watch.during(new Promise(() => {}));
  await clock.advance(299);
  expect(silences()).toBe(0);
  await clock.advance(1);
  expect([silences(), watch.answered()]).toEqual([1, false]);
});

it('time counts only while someone waits', async () => {
  const set = setUp();
  const first = waiting(set);
  await set.clock.advance(200);
  first.ends();
  await first.waited;
  await set.clock.advance(1_000);
  void waiting(set);
  await set.clock.advance(299);
  expect(set.silences()).toBe(0);
  await set.clock.advance(1);
  expect(set.silences()).toBe(1);
});

it('a step that fails is waited for no more, and no timer is left behind the end', async () => {
  const { clock, watch } = setUp();
  await expect(watch.during(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  watch.end();
  expect(clock.waiting).toBe(0);
});
