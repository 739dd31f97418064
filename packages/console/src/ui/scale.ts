/** Round numbers for the axis of a plot: from 0 up to at least `most`, about `count` steps of 1, 2 or 5 times a power of ten. */
export const ticksUpTo = (most: number, count = 4): readonly number[] => {
  if (!(most > 0)) return [0, 1];
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  // Multiplied and not added up: sums of small steps gather dust.
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, at) => Number((at * step).toPrecision(12)));
};

/** Every n-th place gets a label, so that no more than fit are written. */
export const labelEvery = (places: number, fitting: number): number => Math.max(1, Math.ceil(places / Math.max(fitting, 1)));
