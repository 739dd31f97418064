/** A clock that stands still until a test moves it. */

export type KitClock = {
  /** Unix ms. */
  now(): number;
  iso(): string;
  /** Runs once, when the clock has been moved so far. Gives what stops it. */
  after(ms: number, run: () => void): () => void;
  /** Moves on, and runs what falls due in its order; resolves when what came of it has come to rest. */
  advance(ms: number): Promise<void>;
};

/** Messages take a few turns of the event loop, and so do the answers to them. */
const restingTurns = 30;

/** Until what was begun has gone as far as it goes without the clock. */
export const untilAtRest = async (): Promise<void> => {
  for (let turn = 0; turn < restingTurns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

export const createKitClock = (start: number): KitClock => {
  type Timer = { readonly at: number; readonly run: () => void };
  const timers = new Set<Timer>();
  let now = start;
  const next = (until: number): Timer | undefined => [...timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0];
  return {
    now: () => now,
    iso: () => new Date(now).toISOString(),
    after: (ms, run) => {
      const timer: Timer = { at: now + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance: async (ms) => {
      const until = now + ms;
      await untilAtRest();
      for (let due = next(until); due; due = next(until)) {
        timers.delete(due);
        now = due.at;
        due.run();
        await untilAtRest();
      }
      now = until;
    },
  };
};
