/**
 * Registrations that were begun by a call which gives no promise: `activate` counts as done when they have been answered.
 */
import type { Logger } from '../context/logger.ts';

export type Settling = {
  /** A failure is logged: whoever began it holds nothing that could reject. */
  add(what: string, work: Promise<unknown>): void;
  /** When all that was begun so far has been answered. */
  settled(): Promise<void>;
};

export const createSettling = (logger: Logger): Settling => {
  const open = new Set<Promise<void>>();
  return {
    add: (what, work) => {
      const watched = work.then(
        () => {},
        (error: unknown) => logger.error(`${what} was refused:`, error),
      );
      open.add(watched);
      void watched.then(() => open.delete(watched));
    },
    settled: async () => {
      while (open.size > 0) await Promise.all(open);
    },
  };
};
