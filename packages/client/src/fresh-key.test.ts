import { expect, test } from 'vitest';
import { createWishKeys } from './fresh-key.ts';

test('a wish that is sent again has its key; another one, and the same one after it was granted, has a new one', () => {
  const keys = createWishKeys('ask');
  const first = keys.of('a');
  expect([keys.of('a'), first.startsWith('ask-')]).toEqual([first, true]);
  const other = keys.of('b');
  keys.forget();
  expect(new Set([first, other, keys.of('b'), keys.of('a')]).size).toBe(4);
});
