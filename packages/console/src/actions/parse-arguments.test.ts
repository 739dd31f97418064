import { jsonFault } from '@turnkeeper/react/json-fault';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseArguments } from './parse-arguments.ts';

test('an object is taken, anything else is not', () => {
  expect(parseArguments(' {"a": [1]} ')).toEqual({ kind: 'arguments', value: { a: [1] } });
  for (const text of ['[]', 'null', '"a"', '1']) expect(parseArguments(text)).toEqual({ kind: 'not_an_object' });
});

test('a fault is shown where it is', () => {
  const faults = {
    '': [1, 1],
    '{\n  "a": 1,\n  b: 2\n}': [3, 3],
    '{"a": ': [1, 7],
    '{\n  "a": \n}': [3, 1],
    '{"a": 1} x': [1, 10],
    '{"a": [1, 2,]}': [1, 13],
    '{"a": "open}': [1, 7],
    '{"a": 01}': [1, 8],
  } as const;
  for (const [text, [line, column]] of Object.entries(faults)) expect(parseArguments(text), text).toEqual({ kind: 'not_json', line, column });
});

test('a fault is found exactly where the browser finds one', () => {
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const almost = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', ',', '}', ']', '\\', '-', '1', '\n', 'é')).map(([text, at, piece]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + piece + text.slice(place + (at % 2));
  });
  fc.assert(fc.property(fc.oneof(fc.json(), almost), (text) => (jsonFault(text) === undefined) === isJson(text)));
});
