import { expect, test } from 'vitest';
import { foldLabel, labelledTicks } from './tick-labels.ts';

const fold = { from: 2_000, to: 92_000, x0: 0.5, x1: 0.57 };
const labels = (ticks: readonly (readonly [time: number, x: number])[], folds = [fold], width = 700): readonly (string | undefined)[] =>
  labelledTicks(
    ticks.map(([time, x]) => ({ time, x })),
    folds,
    width,
    (time) => `${(time / 1_000).toFixed(1)}s`,
  ).map(({ label }) => label);

test('what says the same as the label before it is not said again', () => {
  expect(
    labels([
      [0, 0],
      [92_210, 0.6],
      [92_220, 0.7],
      [92_230, 0.8],
      [92_300, 0.9],
    ]),
  ).toEqual(['0.0s', '92.2s', undefined, undefined, '92.3s']);
});

test('no label reaches over the next one, a fold, or the end of the axis', () => {
  expect(
    labels([
      [0, 0],
      [1_000, 0.04],
      [2_000, 0.49],
      [92_000, 0.57],
      [93_000, 0.98],
    ]),
  ).toEqual(['0.0s', undefined, undefined, '92.0s', undefined]);
  expect(
    labels(
      [
        [0, 0],
        [1_000, 0.12],
        [2_000, 0.24],
      ],
      [],
      250,
    ),
  ).toEqual(['0.0s', undefined, '2.0s']);
});

test('a narrow fold says nothing rather than half of it', () => {
  expect(foldLabel(fold, 700, '90秒')).toBe('90秒');
  expect(foldLabel(fold, 250, '90秒')).toBe('');
});
