import { expect, test } from 'vitest';
import { writtenIn } from './json-input.ts';

test('a whole text that is a JSON object is the input, one that only begins as such says where it stops; all else is a message', () => {
  expect(writtenIn(' {"order": 8, "amount": 200}\n')).toEqual({ kind: 'input', value: { order: 8, amount: 200 } });
  for (const text of ['hi', '[1]', '"x"', '8', '']) expect(writtenIn(text)).toEqual({ kind: 'message' });
  expect(writtenIn('{"order": 8')).toEqual({ kind: 'fault', line: 1, column: 12 });
  expect(writtenIn('{\n  "a": 1,\n}')).toEqual({ kind: 'fault', line: 3, column: 1 });
  expect(writtenIn('{"a":1} and more')).toEqual({ kind: 'fault', line: 1, column: 9 });
  for (const text of ['{"a":1}', '{"a"']) expect(writtenIn(text, [{ fileId: 'f', name: 'f' }])).toEqual({ kind: 'message' });
});
