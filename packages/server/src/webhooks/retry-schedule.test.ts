import { expect, test } from 'vitest';
import { retryDelayMs } from './retry-schedule.ts';

test('RS1: by the table, a fifth more or less, and none after the eighth failure', () => {
  const wanted = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000, 14_400_000];
  expect(wanted.map((_, n) => retryDelayMs(n + 1, 0.5))).toEqual(wanted);
  expect(wanted.map((_, n) => retryDelayMs(n + 1, 0))).toEqual(wanted.map((ms) => ms * 0.8));
  for (const [n, ms] of wanted.entries()) expect(retryDelayMs(n + 1, 0.999_999)).toBeLessThanOrEqual(ms * 1.2);
  expect(retryDelayMs(8, 0.5)).toBeUndefined();
});
