import { describe, expect, it } from 'vitest';
import { decodeBase64, decodedSize } from './base64.ts';

describe('base64', () => {
  it.each(['', 'f', 'fo', 'foo', 'foob', '\u{1F600}'])('gives back "%s"', (text) => {
    const encoded = Buffer.from(text).toString('base64');
    expect(decodeBase64(encoded)?.toString()).toBe(text);
    expect(decodedSize(encoded)).toBe(Buffer.byteLength(text));
  });

  it.each([
    ['a data URL', 'data:image/png;base64,Zm9v'],
    ['no padding', 'Zg'],
    ['padding in the middle', 'Zg==Zg=='],
    ['too much padding', 'Z==='],
    ['a line break', 'Zm9v\nZm9v'],
    ['a line break that makes the length fit', 'Zm9\n'],
    ['the alphabet of URLs', '_-_-'],
    ['bits that stand for nothing', 'Zh=='],
    ['text', 'hello wörld!'],
  ])('MB1: refuses %s', (_, text) => {
    expect(decodeBase64(text)).toBeUndefined();
  });

  it('reads much of it', () => {
    const bytes = Buffer.alloc(20 * 1024 * 1024, 7);
    expect(decodeBase64(bytes.toString('base64'))?.equals(bytes)).toBe(true);
  });
});
