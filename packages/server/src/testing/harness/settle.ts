/** Waiting without time: until nothing more happens by itself, or until something is so. */

/** Lets everything that is under way in this process go on, `rounds` turns of the event loop long. */
export const settle = async (rounds = 4): Promise<void> => {
  for (let n = 0; n < rounds; n += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};

type Patience = {
  /** Moves time on when nothing happens: to the next timer, by at most `mostMs` at once. */
  readonly clock?: { readonly advanceToNext: (mostMs: number) => Promise<boolean> };
  readonly mostMs?: number;
  readonly rounds?: number;
};

/** Rounds are soon over where what is waited for is done by a disk, a thread or another process. */
const patienceMs = 30_000;

/** Resolves with the first value of `look` that is neither undefined nor false; throws what it waited for otherwise. */
export const eventually = async <Value>(
  what: string,
  look: () => Promise<Value | undefined | false> | Value | undefined | false,
  patience: Patience = {},
): Promise<Value> => {
  const { clock, mostMs = 60_000, rounds = 3_000 } = patience;
  const began = performance.now();
  for (let round = 0; round < rounds || performance.now() - began < patienceMs; round += 1) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    await settle(2);
    // A store with a thread of its own needs real time to answer.
    if (round % 8 === 7) await new Promise((resolve) => setTimeout(resolve, 1));
    if (clock && round % 4 === 3) await clock.advanceToNext(mostMs);
  }
  throw new Error(`waited in vain: ${what}`);
};
