import { expect, test } from 'vitest';
import { isPointer, valueAt } from './json-pointer.ts';

/** The examples of RFC 6901, section 5. */
const document = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'e^f': 3, 'g|h': 4, 'i\\j': 5, 'k"l': 6, ' ': 7, 'm~n': 8, none: null };

test.each([
  ['', document],
  ['/foo', ['bar', 'baz']],
  ['/foo/0', 'bar'],
  ['/', 0],
  ['/a~1b', 1],
  ['/c%d', 2],
  ['/e^f', 3],
  ['/g|h', 4],
  ['/i\\j', 5],
  ['/k"l', 6],
  ['/ ', 7],
  ['/m~0n', 8],
  ['/none', null],
] as const)('"%s" leads to its value', (pointer, value) => {
  expect(isPointer(pointer)).toBe(true);
  expect(valueAt(document, pointer)).toEqual(value);
});

test('F6 what is not there is nowhere: no prototype, no odd index, nothing below a plain value', () => {
  for (const pointer of ['/constructor', '/__proto__', '/foo/length', '/foo/-', '/foo/00', '/foo/1e0', '/foo/2', '/foo/0/0', '/none/x', '//x'])
    expect([pointer, valueAt(document, pointer)]).toEqual([pointer, undefined]);
});

test('a text that is no pointer is told', () => {
  for (const text of ['foo', '#/foo', '/a~2', '/a~', ' /a']) expect([text, isPointer(text)]).toEqual([text, false]);
});
