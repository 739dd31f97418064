import { expect, it } from 'vitest';
import { int4Array, int8Array, textArray } from './binary-array.ts';

const elements = (buffer: Buffer): (Buffer | null)[] => {
  const found: (Buffer | null)[] = [];
  for (let at = 20; at < buffer.length; ) {
    const length = buffer.readInt32BE(at);
    at += 4;
    found.push(length < 0 ? null : buffer.subarray(at, at + length));
    if (length > 0) at += length;
  }
  expect(buffer.readInt32BE(12)).toBe(found.length);
  expect(buffer.readInt32BE(4)).toBe(found.includes(null) ? 1 : 0);
  return found;
};

it('writes whole numbers up to the safe ones, and nulls', () => {
  const values = [0, 1, -1, 4_294_967_295, 4_294_967_296, -4_294_967_297, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, null];
  expect(elements(int8Array(values)).map((bytes) => (bytes === null ? null : Number(bytes.readBigInt64BE(0))))).toEqual(values);
  expect(elements(int4Array([7, -7])).map((bytes) => bytes?.readInt32BE(0))).toEqual([7, -7]);
});

it('writes text as UTF-8, empty text and nulls', () => {
  const values = ['', 'a "quoted" \\ text', 'naïve 🙂', null];
  expect(elements(textArray(values)).map((bytes) => bytes?.toString() ?? null)).toEqual(values);
});

it('writes an empty array without dimensions', () => {
  expect(textArray([]).readInt32BE(0)).toBe(0);
  expect(textArray([])).toHaveLength(12);
});
