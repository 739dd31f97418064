import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCharacterJoiner } from './whole-characters.ts';

const cutAnywhere = (text: string, cuts: readonly number[]): string[] => {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [...places, text.length].map((end, n) => text.slice(n === 0 ? 0 : places[n - 1], end));
};

it('M3: any chunks joined are the text, and no chunk splits a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat(), { maxLength: 20 }), (text, cuts) => {
      const joiner = createCharacterJoiner();
      const out = [...cutAnywhere(text, cuts).map(joiner.push), joiner.end()];
      expect(out.join('')).toBe(text);
      for (const piece of out) expect(piece.isWellFormed()).toBe(true);
    }),
  );
});

it('half a character that stays alone becomes U+FFFD, at the end too', () => {
  const joiner = createCharacterJoiner();
  expect([joiner.push('a\ud83d'), joiner.push('b'), joiner.push('\ude00\ud83d'), joiner.end(), joiner.end()]).toEqual(['a', '\ufffdb', '\ufffd', '\ufffd', '']);
});
