/** Numbers about numbers. */

/** The q-quantile (0 to 1) by nearest rank; NaN of nothing. */
export const quantile = (values: readonly number[], q: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);
export const round = (value: number, digits = 1): number => Number(value.toFixed(digits));
