import { expect, test } from 'vitest';
import { exampleFor, inputIn, withInput } from './workflow-input.ts';

test('a whole text that is a JSON object is the input; any other text, and one with files, stays a message', () => {
  expect(withInput({ text: ' {"order": 8, "amount": 200}\n', files: [] })).toMatchObject({ input: { order: 8, amount: 200 } });
  for (const text of ['hi', '[1]', '"x"', '8', '{"order": 8', '{"a":1} and more', '']) expect(withInput({ text, files: [] })).toEqual({ text, files: [] });
  expect(withInput({ text: '{"a":1}', files: [{ fileId: 'f', name: 'f' }] })).not.toHaveProperty('input');
});

test('the example names what the expressions read of the input, each with something of its kind, and is an input itself', () => {
  const input = { message: "'Refund ' + run.input.who", reason: 'run.input.reason' };
  const nodes = [
    { input },
    { condition: 'run.input.amount > 100 && 3 != run.input.order' },
    { timer: { at: 'run.input.payBy' } },
    { items: 'run.input.parcels' },
    { condition: '!run.input.isGift || run.input.reason == "none"' },
  ];
  const example = exampleFor({ nodes });
  expect(inputIn(example ?? '')).toEqual({
    who: '…',
    reason: '…',
    amount: 1,
    order: 1,
    payBy: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    parcels: ['…'],
  });
  expect(exampleFor({ condition: '!run.input.isGift || run.input.reason == "none"' })).toBe('{"isGift": true, "reason": "…"}');
  expect(exampleFor({ output: 'run.input.message' })).toBeUndefined();
  expect(exampleFor(undefined)).toBeUndefined();
});
