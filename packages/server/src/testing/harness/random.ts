/** Random numbers that a printed seed brings back. */
export type Random = {
  /** From 0 up to, and without, 1. */
  readonly next: () => number;
  readonly below: (n: number) => number;
  readonly chance: (p: number) => boolean;
  readonly pick: <Value>(from: readonly [Value, ...Value[]]) => Value;
};

/** Mulberry32. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return { next, below, chance: (p) => next() < p, pick: (from) => from[below(from.length)] ?? from[0] };
};

/** The seed that an environment variable names, or a fresh one. */
export const seedOf = (variable: string): number => Number(process.env[variable] ?? Math.floor(Math.random() * 1_000_000));
