import { expect, test } from 'vitest';
import { nameFor } from './program-name.ts';

test('what messages tell to type is what works where they are read', () => {
  expect(nameFor("'turnkeeper'")).toBe('npx turnkeeper');
  expect(nameFor('exec turnkeeper serve')).toBe('npx turnkeeper');
  // Another project's script, or none: then it is on the PATH.
  expect(nameFor('node bot.js')).toBe('turnkeeper');
  expect(nameFor(undefined)).toBe('turnkeeper');
});
