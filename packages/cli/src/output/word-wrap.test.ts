import { expect, test } from 'vitest';
import { WordWrap } from './word-wrap.ts';

/** What stands on the screen: knows the two sequences that take a word back. */
const screen = (pieces: readonly string[], columns: number): string[] => {
  const wrap = new WordWrap();
  const rows = [''];
  for (const piece of pieces) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what is looked for
    for (const [token, back] of wrap.feed(piece, columns).matchAll(/\u001b\[(\d+)D\u001b\[K|\n|[^\n\u001b]+/g)) {
      const row = rows.length - 1;
      if (back) rows[row] = (rows[row] ?? '').slice(0, -Number(back));
      else if (token === '\n') rows.push('');
      else rows[row] += token;
    }
  }
  return rows.map((row) => row.trimEnd());
};

test('words stay whole, however they arrive', () => {
  const text = 'the quick brown fox jumps';
  const wrapped = ['the quick', 'brown fox', 'jumps'];
  expect(screen([text], 12)).toEqual(wrapped);
  expect(screen([...text], 12)).toEqual(wrapped);
  expect(screen(['the qui', 'ck bro', 'wn fox ju', 'mps'], 12)).toEqual(wrapped);
});

test('line breaks stay, East Asian text breaks anywhere, what fits on no row is broken', () => {
  expect(screen(['a\n\nb'], 12)).toEqual(['a', '', 'b']);
  expect(screen(['你好你好你好'], 10)).toEqual(['你好你好', '你好']);
  expect(screen(['ab abcdefghij'], 6)).toEqual(['ab', 'abcde', 'fghij']);
});

test('colours have no width', () => {
  expect(new WordWrap().feed('\u001b[2mabc\u001b[22m def', 9)).toBe('\u001b[2mabc\u001b[22m def');
});
