/** Characters are code points, and a cut never splits what people see as one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { text } from '../testing/commands.ts';
import { codePoints, cutText, firstCodePoints } from './content.ts';
import { textOf } from './text-of.ts';

const flag = '🇩🇪';
const family = '👨‍👩‍👧';
const accented = 'e\u0301';

describe('codePoints', () => {
  it('counts as iterating does, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(codePoints(text)).toBe([...text].length);
      }),
    );
    for (const text of ['', 'abc', '漢字', '😀', flag, '\ud83d', '\ude00\ud83d', 'a\ud83db'])
      expect(codePoints(text), JSON.stringify(text)).toBe([...text].length);
  });
});

describe('firstCodePoints', () => {
  it('is a beginning of the text, within the limit, and the whole where it fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '漢', '😀', flag, family, accented, '\n') }), fc.nat(40), (text, limit) => {
        const cut = firstCodePoints(text, limit);
        expect(text.startsWith(cut)).toBe(true);
        expect(codePoints(cut)).toBeLessThanOrEqual(limit);
        if (codePoints(text) <= limit) expect(cut).toBe(text);
      }),
    );
  });
  it('ends between characters as people see them: no half surrogate pair, flag, family or accent', () => {
    const segmenter = new Intl.Segmenter();
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '漢', '😀', flag, family, accented) }), fc.integer({ min: 8, max: 60 }), (text, limit) => {
        const cut = firstCodePoints(text, limit);
        const ends = [0, ...[...segmenter.segment(text)].map(({ index, segment }) => index + segment.length)];
        expect(ends).toContain(cut.length);
      }),
      { numRuns: 1_000 },
    );
    expect(firstCodePoints(`ab${flag}`, 3)).toBe('ab');
    expect(firstCodePoints(flag.repeat(300), 101)).toBe(flag.repeat(50));
    expect(firstCodePoints(`x${family}`, 4)).toBe('x');
    expect(firstCodePoints('😀😀', 1)).toBe('😀');
  });
  it('still gives something when the first character alone is over the limit', () => {
    expect(codePoints(firstCodePoints(family, 2))).toBe(2);
    expect(firstCodePoints(`a${'\u0301'.repeat(500)}`, 100).length).toBeGreaterThan(0);
    expect(firstCodePoints('abc', 0)).toBe('');
  });
  it('is quick on long texts', () => {
    expect(firstCodePoints('漢字かな'.repeat(500_000), 100_000)).toHaveLength(100_000);
  });
});

describe('cutText', () => {
  it('marks only what was cut: 60,000 emoji are no more than 60,000 characters', () => {
    const emoji = '😀'.repeat(60_000);
    expect(cutText(emoji, 60_000)).toBe(emoji);
    expect(cutText(emoji, 59_999)).toBe(`${'😀'.repeat(59_999)}\n[cut: 60000 characters in all]`);
  });
});

describe('textOf', () => {
  it('joins the text blocks and leaves out the others', () => {
    expect(textOf([text('a'), { type: 'data' }, text('b')])).toBe('ab');
  });
});
