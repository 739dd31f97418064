import { expect, test } from 'vitest';
import { labelEvery, ticksUpTo } from '../ui/scale.ts';
import { budgetOf, textsOf } from './budget-limits.ts';
import { daysOf, periodOf, spanOf } from './period.ts';

test('a period is whole days, today the last of them, also where clocks are changed', () => {
  const now = new Date(2026, 2, 31, 15, 30).getTime();
  const span = spanOf('7', now);
  expect([new Date(span.from).getHours(), new Date(span.to).getHours()]).toEqual([0, 0]);
  expect(daysOf(span)).toEqual(['2026-03-25', '2026-03-26', '2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31']);
  expect(daysOf(spanOf('90', now))).toHaveLength(90);
  expect([periodOf('7'), periodOf('8'), periodOf(undefined)]).toEqual(['7', '30', '30']);
});

test('an axis has round steps and reaches what it shows', () => {
  expect(ticksUpTo(0)).toEqual([0, 1]);
  expect(ticksUpTo(7)).toEqual([0, 2, 4, 6, 8]);
  expect(ticksUpTo(0.0031)).toEqual([0, 0.001, 0.002, 0.003, 0.004]);
  expect(ticksUpTo(100_000).at(-1)).toBe(100_000);
  expect([labelEvery(30, 10), labelEvery(5, 10), labelEvery(5, 0)]).toEqual([3, 1, 5]);
});

test('limits are numbers, and an empty one is none', () => {
  const none = { max_cost: '', max_total_tokens: '', max_model_calls: '', max_tokens_per_turn: '' };
  expect(budgetOf(none, 'USD')).toEqual({});
  expect(budgetOf({ ...none, max_cost: ' 2.5 ', max_model_calls: '10' }, 'EUR')).toEqual({ max_cost: 2.5, currency: 'EUR', max_model_calls: 10 });
  for (const text of ['-1', '1e3', '1.5']) expect(budgetOf({ ...none, max_total_tokens: text }, 'USD')).toBeUndefined();
  const used = { model_calls: 0, total_tokens: 0, cost: 0, unreported_calls: 0, unpriced_calls: 0, turn_tokens: null };
  expect(textsOf({ max_cost: 0.1, used })).toEqual({ ...none, max_cost: '0.1' });
});
