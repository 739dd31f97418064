import { expect, test } from 'vitest';
import { inOrder, neighbour, successor } from './queue-order.ts';

const open = ['a', 'b', 'c'].map((request_id) => ({ request_id }));
const ids = (later: string[]) => inOrder(open, later).map(({ request_id }) => request_id);

test('what was put off comes last, in that order, and what is gone is left out', () => {
  expect(ids([])).toEqual(['a', 'b', 'c']);
  expect(ids(['b', 'a'])).toEqual(['c', 'b', 'a']);
  expect(ids(['gone', 'a'])).toEqual(['b', 'c', 'a']);
});

test('moving stops at the ends', () => {
  expect(neighbour(open, 'a', 1)).toBe('b');
  expect(neighbour(open, 'c', 1)).toBe('c');
  expect(neighbour(open, 'a', -1)).toBe('a');
  expect(neighbour(open, undefined, 1)).toBe('a');
  expect(neighbour([], 'a', 1)).toBeUndefined();
});

test('the next one is looked at when one goes', () => {
  expect(successor(open, 'a')).toBe('b');
  expect(successor(open, 'c')).toBe('b');
  expect(successor([{ request_id: 'a' }], 'a')).toBeUndefined();
});
