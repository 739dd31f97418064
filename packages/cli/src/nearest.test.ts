import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test('what is a slip away is named, the nearest first; what is far away is not', () => {
  expect(nearest('runn', ['ls', 'run', 'revisions'])).toEqual(['run']);
  expect(nearest('ordre', ['Order', 'Orders', 'Invoice'])).toEqual(['Order', 'Orders']);
  expect(nearest('xyz', ['run', 'ls'])).toEqual([]);
});
