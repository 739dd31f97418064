import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holdsMoreValues } from './count-values.ts';

const count = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.values(value).reduce((sum: number, member) => sum + count(member), 1) : 1;

test('a text is never said to hold more values than it does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(holdsMoreValues(Buffer.from(JSON.stringify(value)), count(value))).toBe(false);
    }),
  );
});

test('what is in strings does not count', () => {
  const text = JSON.stringify({ a: '[{,"\\\\"'.repeat(1_000), '[,{\\"': ['\\', ',,,,'] });
  expect(holdsMoreValues(Buffer.from(text), 5)).toBe(false);
  expect(holdsMoreValues(Buffer.from('"\\\\\\'), 1)).toBe(false);
});

test('millions of values are found soon', () => {
  expect(holdsMoreValues(Buffer.from(`[${'{},'.repeat(100)}{}]`), 90)).toBe(true);
  expect(holdsMoreValues(Buffer.from('['.repeat(300)), 100)).toBe(true);
});
