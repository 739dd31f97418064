import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoints } from './content.ts';
import { mediaTypeByName, mediaTypeOf, numberedName, safeFileName } from './file-name.ts';

describe('safeFileName', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['报告 2026.pdf', '报告 2026.pdf'],
    ['تقرير.txt', 'تقرير.txt'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ann\\a.txt', 'a.txt'],
    ['folder/', 'folder'],
    ['/', 'file'],
    ['', 'file'],
    ['.', 'file'],
    ['..', 'file'],
    ['.bashrc', 'bashrc'],
    ['name. . .', 'name'],
    ['a\u0000b\r\nSet-Cookie: x=1\u001b[31m.txt', 'abSet-Cookie_ x=1[31m.txt'],
    // A turned direction would show `exe.gpj`.
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['zero\u200bwidth\ufeff.txt', 'zerowidth.txt'],
    ['a<b>:"c"|?*.txt', 'a_b___c____.txt'],
    ['e\u0301.txt', '\u00e9.txt'],
    ['half \ud800.txt', 'half \ufffd.txt'],
    ['👩‍👩‍👧 family.png', '👩‍👩‍👧 family.png'],
  ])('makes %j into %j', (given, kept) => {
    expect(safeFileName(given)).toBe(kept);
  });

  it('cuts a name of 400 characters before its ending (FN1)', () => {
    const kept = safeFileName(`${'长'.repeat(400)}.tar`);
    expect(codePoints(kept)).toBe(200);
    expect(kept.endsWith('长.tar')).toBe(true);
    expect(safeFileName(`a.${'x'.repeat(400)}`)).toHaveLength(200);
  });

  it('gives every text a name that can do no harm, and that stays as it is (FN2)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (given) => {
        const kept = safeFileName(given);
        expect(kept).not.toBe('');
        expect(codePoints(kept)).toBeLessThanOrEqual(200);
        expect(kept.isWellFormed()).toBe(true);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be left
        expect(kept).not.toMatch(/[/\\\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069<>:"|?*]|^\.|^\s|\s$/);
        expect(safeFileName(kept)).toBe(kept);
      }),
      { numRuns: 2_000 },
    );
  });
});

it('numbers a name before its ending', () => {
  expect([1, 2, 12].map((n) => numberedName('a.b.txt', n))).toEqual(['a.b.txt', 'a.b-2.txt', 'a.b-12.txt']);
  expect(numberedName('plain', 2)).toBe('plain-2');
});

it('takes a media type without its parameters, and anything else for bytes', () => {
  expect(mediaTypeOf('Text/HTML; charset=utf-8')).toBe('text/html');
  for (const odd of [undefined, '', 'text', 'a/b\r\nx: y', '*/*', 'text/html,application/json']) expect(mediaTypeOf(odd)).toBe('application/octet-stream');
  expect(mediaTypeByName('a.CSV')).toBe('text/csv');
  expect(mediaTypeByName('csv')).toBe('application/octet-stream');
});
