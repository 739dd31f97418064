import { expect, test } from 'vitest';
import { exampleOf, inputIn, inputNames, withInput } from './workflow-input.ts';

test('a whole text that is a JSON object is the input; any other text, and one with files, stays a message', () => {
  expect(withInput({ text: ' {"order": 8, "amount": 200}\n', files: [] })).toMatchObject({ input: { order: 8, amount: 200 } });
  for (const text of ['hi', '[1]', '"x"', '8', '{"order": 8', '{"a":1} and more', '']) expect(withInput({ text, files: [] })).toEqual({ text, files: [] });
  expect(withInput({ text: '{"a":1}', files: [{ fileId: 'f', name: 'f' }] })).not.toHaveProperty('input');
});

test('the example names what the expressions read of the input, and is an input itself', () => {
  const spec = { nodes: [{ input: { message: "'Refund ' + run.input.amount" } }, { condition: 'run.input.amount > 100 && run.input.order != 0' }] };
  expect(inputNames(spec)).toEqual(['amount', 'order']);
  const example = exampleOf(inputNames(spec));
  expect(example).toBe('{"amount": "…", "order": "…"}');
  expect(inputIn(example ?? '')).toEqual({ amount: '…', order: '…' });
  expect(exampleOf(inputNames({ output: 'run.input.message' }))).toBeUndefined();
  expect(exampleOf(inputNames(undefined))).toBeUndefined();
});
