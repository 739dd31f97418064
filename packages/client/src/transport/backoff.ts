/**
 * How long to wait before trying again: doubling, capped, half of it random so that many clients do not return together.
 */
const baseMs = 300;
const capMs = 15_000;

/** Milliseconds before attempt `attempt` + 1; attempts count from 0. */
export const backoffMs = (attempt: number, random: () => number = Math.random): number => {
  const ceiling = Math.min(capMs, baseMs * 2 ** Math.min(attempt, 16));
  return Math.round(ceiling / 2 + (random() * ceiling) / 2);
};
