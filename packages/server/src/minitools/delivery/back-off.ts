/** When what a mini-tool did not take is handed to it again: after 1 s, then twice as long each time, 60 s at most. Without an end. */

const firstMs = 1_000;
const longestMs = 60_000;

/** How long to wait after the n-th failure in a row (from 1). */
export const retryDelayMs = (failures: number): number => Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 16));
