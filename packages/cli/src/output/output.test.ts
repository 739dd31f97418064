import { expect, test } from 'vitest';
import { cellWidth } from './cell-width.ts';
import { oneLine, printable } from './printable.ts';
import { createStyle } from './style.ts';
import { tableLines } from './table.ts';

const terminal = { isTTY: true, write: () => {} };

test('colour only on a terminal, and not with NO_COLOR', () => {
  expect(createStyle(terminal, {}).red('x')).toBe('\u001b[31mx\u001b[39m');
  expect(createStyle(terminal, { NO_COLOR: '1' }).red('x')).toBe('x');
  expect(createStyle({ ...terminal, isTTY: false }, {}).red('x')).toBe('x');
});

test('what a model says cannot steer the terminal', () => {
  expect(printable('a\u001b[2Jb\u0007\r\nc\u202ed\te')).toBe('a[2Jb\ncd\te');
  expect(oneLine(' a\n\nb ', 10)).toBe('a b');
  expect(oneLine('👩‍👩‍👧‍👦'.repeat(3), 5)).not.toContain('\uFFFD');
});

test('columns are padded by how wide they look', () => {
  expect(cellWidth('标题x')).toBe(5);
  expect(
    tableLines([
      ['标题', 'a'],
      ['abc', 'b'],
    ]),
  ).toEqual(['标题  a', 'abc   b']);
});
