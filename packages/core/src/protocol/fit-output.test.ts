/** Outputs that are too large say so; those that fit stay as they are (F2). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutputBlock } from './content.ts';
import { fitOutput, utf8Bytes } from './fit-output.ts';
import { limits } from './wire/limits.ts';

const textOf = ([block]: readonly OutputBlock[]): string => (block?.type === 'text' ? block.text : '');
const image = (characters: number): OutputBlock => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(characters) } });

describe('fitOutput', () => {
  it('leaves 60,000 emoji as they are, though they are 120,000 UTF-16 units', () => {
    const output: readonly OutputBlock[] = [{ type: 'text', text: '😀'.repeat(60_000) }];
    expect(fitOutput(output)).toEqual(output);
  });
  it('cuts a text at the limit of characters and says how long it was', () => {
    const cut = textOf(fitOutput([{ type: 'text', text: '😀'.repeat(100_001) }]));
    expect(cut).toBe(`${'😀'.repeat(100_000)}\n[cut: 100001 characters in all]`);
  });
  it('F2 replaces a block that is too large by a text that says what it was', () => {
    const small: readonly OutputBlock[] = [image(limits.toolOutputBlockBytes - 100), { type: 'data', data: { rows: [1, 2] } }];
    expect(fitOutput(small)).toEqual(small);
    const [picture, data] = fitOutput([image(limits.toolOutputBlockBytes), { type: 'data', data: 'é'.repeat(limits.toolOutputBlockBytes / 2) }]);
    expect(textOf([picture!])).toMatch(/^\[left out: a block of type image with 2622\d\d bytes; the limit is 262144\]$/);
    expect(textOf([data!])).toMatch(/^\[left out: a block of type data with 2621\d\d bytes/);
  });
});

describe('utf8Bytes', () => {
  it('counts as an encoder does', () => {
    const encoded = (text: string): number => encodeURIComponent(text).replace(/%../g, 'x').length;
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(utf8Bytes(text)).toBe(encoded(text));
      }),
    );
  });
});
