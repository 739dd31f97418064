/**
 * When a notice that was not taken is sent again.
 *
 * RS1 After 1, 5 and 30 s, 2 and 10 min, 1 and 4 h, each by up to a fifth more or less, so that many who failed together do
 *     not come back together. The eighth failure in a row pauses the subscription.
 */
const delaysMs: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000, 14_400_000];
const spread = 0.2;

/** How long to wait after the n-th failure in a row (from 1); undefined = wait for a person. `random`: in [0, 1). */
export const retryDelayMs = (failures: number, random: number): number | undefined => {
  const delay = delaysMs[failures - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 - spread + 2 * spread * random));
};
