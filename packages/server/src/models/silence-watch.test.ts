import { expect, it } from 'vitest';
import type { Clock } from '../ports/clock.ts';
import { createSilenceWatch } from './silence-watch.ts';

const setUp = () => {
  const timers = new Map<() => void, number>();
  const clock: Clock = {
    now: () => 0,
    after: (ms, fire) => {
      timers.set(fire, ms);
      return () => timers.delete(fire);
    },
  };
  let silences = 0;
  const watch = createSilenceWatch(clock, { firstByteMs: 300, idleMs: 120 }, () => {
    silences += 1;
  });
  return { timers, watch, silences: () => silences };
};

it('time counts only while someone waits, and no timer is left behind', async () => {
  const { timers, watch } = setUp();
  const waiting = watch.during(new Promise((resolve) => setImmediate(resolve)));
  expect([...timers.values()]).toEqual([300]);
  await waiting;
  expect(timers.size).toBe(0);
  await expect(watch.during(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(timers.size).toBe(0);
  expect(watch.answered()).toBe(false);
});

it('silence is told', () => {
  const { timers, watch, silences } = setUp();
  void watch.during(new Promise(() => {}));
  for (const fire of timers.keys()) fire();
  expect(silences()).toBe(1);
});
