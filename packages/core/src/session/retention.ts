/**
 * How far the beginning of a session's log may be forgotten.
 *
 * RF1 What is forgotten is a prefix of the log, of settled turns only: it ends before the first event of the oldest turn that
 *     is unfinished, or was settled too recently.
 */

/** A turn by the place of its first event, and when it was settled (Unix ms); null = it is not. */
export type TurnSpan = { readonly first: number; readonly settledAt: number | null };

/** The last seq that may be forgotten, of turns (in the order of their first events) settled before `before`; at most `upto`. */
export const forgettableUpto = (turns: readonly TurnSpan[], before: number, upto: number): number => {
  const kept = turns.filter(({ settledAt }) => settledAt === null || settledAt >= before).map(({ first }) => first - 1);
  return Math.min(upto, ...kept);
};
