import { transcriptFault } from '@turnkeeper/core/session/context';
import { expect, it } from 'vitest';
import { forkedContext } from './forked-context.ts';

const text = (value: string) => ({ type: 'text', text: value }) as const;

it('FK3 names a file instead of referring to it, and keeps all else', () => {
  const said = { role: 'assistant', content: [text('hello')] } as const;
  const prompt = [{ role: 'user', content: [text('look'), { type: 'file', file_id: 'file_1' }] } as const, said];
  const [user, ...rest] = forkedContext(prompt);
  expect(JSON.stringify(user)).not.toContain('file_1');
  expect(user?.role === 'user' && user.content.map(({ type }) => type)).toEqual(['text', 'text']);
  expect(rest).toEqual([said]);
});

it('closes what was not answered, so that the next turn may follow (C1)', () => {
  const asked = { role: 'assistant', content: [{ type: 'tool_call', id: 'c1', name: 'x', input: {} }] } as const;
  const prompt = forkedContext([
    { role: 'user', content: [text('look')] },
    asked,
    { role: 'tool', results: [{ callId: 'c1', name: 'x', output: [], isError: false }] },
  ]);
  expect(prompt.at(-1)?.role).toBe('assistant');
  expect(transcriptFault([...prompt, { role: 'user', content: [text('next')] }])).toBeUndefined();
});
