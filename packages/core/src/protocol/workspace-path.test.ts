import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pathFault, plainPath } from './workspace-path.ts';

it.each(['a', 'a/b/c.txt', 'uploads/报告.pdf', '.hidden', 'a b/c', '...', 'a..b', '%2e%2e/%2f', '~', '$HOME', 'CON', 'dev/null'])('%j is a path', (path) => {
  expect(pathFault(path)).toBeUndefined();
});

it.each([
  '',
  '/',
  '/etc/passwd',
  '//host/share',
  'C:/x',
  'c:x',
  '..',
  '../a',
  'a/../../b',
  'a/..',
  'a/./b',
  'a//b',
  'a/',
  ' ',
  'a/ /b',
  'a\\..\\b',
  '\\\\?\\C:\\x',
  'a\u0000',
  'a\nb',
  'a\u202eb',
  'a\u200b',
  'e\u0301',
  'half \ud800',
  'x'.repeat(401),
  Array(17).fill('a').join('/'),
])('%j is none (WP1)', (path) => {
  expect(pathFault(path)).toEqual(expect.any(String));
});

it('a path has no part that leads anywhere, whatever it was made of (WP1)', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom('..', '.', '/', '\\', '', 'a', 'C:'), fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 8 }),
      (parts) => {
        const path = parts.join('');
        if (pathFault(path) !== undefined) return;
        for (const part of path.split('/')) {
          expect(['', '.', '..']).not.toContain(part);
          expect(part).not.toContain('\\');
        }
      },
    ),
    { numRuns: 3_000 },
  );
});

it('reads ./a as a, and changes nothing else (WP2)', () => {
  expect(plainPath('./a/b')).toBe('a/b');
  expect(plainPath('././a')).toBe('./a');
  expect(plainPath('/a')).toBe('/a');
  expect(plainPath('../a')).toBe('../a');
});
