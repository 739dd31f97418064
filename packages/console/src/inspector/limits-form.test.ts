import { expect, test } from 'vitest';
import { draftOf, requestOf } from './limits-form.ts';

const used = { model_calls: 1, total_tokens: 2, cost: 0, unreported_calls: 0, unpriced_calls: 0, turn_tokens: null };

test('limits are read as they are written; what is empty is no limit, and the one of a turn stays', () => {
  const before = { max_total_tokens: 1_000, max_cost: 2.5, currency: 'EUR', max_tokens_per_turn: 7, used };
  expect(draftOf(before)).toEqual({ tokens: '1000', cost: '2.5', calls: '' });
  const after = { max_total_tokens: 20_000, max_cost: 2.5, max_model_calls: null, currency: 'EUR', max_tokens_per_turn: 7 };
  expect(requestOf({ tokens: ' 20,000 ', cost: '2.5', calls: '' }, before)).toEqual(after);
  expect(requestOf({ tokens: '', cost: '', calls: '3' }, { used })).toEqual({ max_total_tokens: null, max_cost: null, max_model_calls: 3 });
});

test('what is no number is not sent', () => {
  for (const tokens of ['many', '-1', '1.5', 'Infinity']) expect(requestOf({ tokens, cost: '', calls: '' }, { used })).toBeUndefined();
});
