import { expect, test } from 'vitest';
import { acceptedInput, titleFrom, turnInputOf } from './turn-input.ts';

const text = { role: 'user', content: [{ type: 'text', text: 'Hello' }] } as const;
const inputOf = (body: Parameters<typeof acceptedInput>[0], target: 'agent' | 'team' | 'workflow') => turnInputOf(acceptedInput(body, target).messages);

test('TI1: of a workflow any JSON is one block of data, and a text is {message}', () => {
  expect(acceptedInput({ message: 'Hello' }, 'workflow')).toEqual({
    messages: [{ role: 'user', content: [{ type: 'data', data: { message: 'Hello' } }] }],
    preview: 'Hello',
  });
  for (const input of [{ a: [1, null] }, 'x', 0, false, null, [], [[1]], [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }]]) {
    expect(inputOf({ input: input as never }, 'workflow')).toEqual(input);
  }
});

test('TI1: of a team messages stay messages, and a text can be read by its leader', () => {
  expect(acceptedInput({ message: 'Hello' }, 'team').messages).toEqual([text]);
  expect(acceptedInput({ input: [text] }, 'team').messages).toEqual([text]);
  expect(inputOf({ message: 'Hello' }, 'team')).toEqual({ message: 'Hello' });
  expect(inputOf({ input: { topic: 'bees' } }, 'team')).toEqual({ topic: 'bees' });
  expect(inputOf({ input: [text, text] }, 'team')).toEqual([text, text]);
});

test('a title is words: of structured input the name of the target, and its texts', () => {
  const titleOf = (body: Parameters<typeof acceptedInput>[0], target: 'agent' | 'workflow' = 'workflow') => titleFrom(acceptedInput(body, target), 'Refund');
  expect(titleOf({ input: { topic: 'bees\nand honey', amount: 200, place: 'Graz' } })).toBe('Refund · bees and honey · Graz');
  expect(titleOf({ input: { order: 8, amount: 200 } })).toBe('Refund');
  expect(titleOf({ input: {} })).toBe('Refund');
  expect(titleOf({ message: 'Hello' })).toBe('Hello');
  expect(titleOf({ message: '{"steps": [[{"tool": "time"}]]}' }, 'agent')).toBe('Refund');
  expect(titleOf({ message: `{ not JSON ${'x'.repeat(80)}` }, 'agent')).toBe(`{ not JSON ${'x'.repeat(49)}…`);
  expect(titleOf({ input: [text, text] }, 'agent')).toBe('Hello Hello');
});
