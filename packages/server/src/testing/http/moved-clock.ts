/** A clock that a test moves by hand. Timers fire in their order, each at its own time. */
import type { Clock } from '../../ports/clock.ts';

export type MovedClock = Clock & {
  readonly move: (ms: number) => void;
  /** Timers that wait. */
  readonly waiting: () => number;
};

export const createMovedClock = (start = 1_000_000): MovedClock => {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly fire: () => void }>();
  return {
    now: () => now,
    elapsed: () => now,
    after: (ms, fire) => {
      const timer = { at: now + Math.max(ms, 0), fire };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    move: (ms) => {
      const end = now + ms;
      for (;;) {
        const next = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.fire();
      }
      now = end;
    },
    waiting: () => timers.size,
  };
};
