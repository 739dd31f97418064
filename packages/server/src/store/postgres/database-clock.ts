/**
 * The time of the database that nodes share, told without asking it each time.
 *
 * Owns: how far the database's time is from this process's own count of milliseconds (`elapsed`), by what was measured. Does
 * not own timers: they are relative, and go by the local clock.
 *
 * DC1 The local time of day is never looked at: a machine whose clock is wrong, or is set by hand, tells the same time as
 *     all others.
 * DC2 Time never goes back here. When the database is found to be behind (its clock was set, or another server took over),
 *     time goes on at half its pace until the database has caught up; when it is ahead, it is followed at once.
 * DC3 A sample says that the difference lies within half its round trip of what was seen. The best of the last few counts;
 *     one that contradicts it ends it: the database's time has moved.
 */
import type { Clock } from '../../ports/clock.ts';

export type DatabaseClock = Clock & {
  /** Asks the database for its time (Unix ms, fractions welcome). Rejects as `ask` does, and then knows what it knew before. */
  measure(ask: () => Promise<number>): Promise<void>;
};

type Sample = { readonly offset: number; readonly error: number };

const keptSamples = 8;
/** How far two clocks that nobody sets drift apart between two samples of a contradiction, at most. */
const toleranceMs = 2;

const contradict = (a: Sample, b: Sample): boolean => Math.abs(a.offset - b.offset) > a.error + b.error + toleranceMs;

/** Measured at least once before it is asked. */
export const createDatabaseClock = (local: Clock): DatabaseClock => {
  let samples: readonly Sample[] = [];
  let offset: number | undefined;
  let told = { time: Number.NEGATIVE_INFINITY, at: 0 };

  const learn = (sample: Sample): void => {
    const known = samples.filter((earlier) => !contradict(earlier, sample));
    samples = [...known, sample].slice(-keptSamples);
    // Of equally good ones the newest: clocks drift.
    offset = samples.reduce((best, other) => (other.error <= best.error ? other : best)).offset;
  };

  return {
    after: (ms, fire) => local.after(ms, fire),
    elapsed: () => local.elapsed(),
    now: () => {
      if (offset === undefined) throw new Error("the database's time was never measured");
      const at = local.elapsed();
      told = { time: Math.max(at + offset, told.time + (at - told.at) / 2), at };
      return Math.floor(told.time);
    },
    measure: async (ask) => {
      const sent = local.elapsed();
      const time = await ask();
      const answered = local.elapsed();
      learn({ offset: time - (sent + answered) / 2, error: (answered - sent) / 2 });
    },
  };
};
