/** How a prompt is put together, and what is wrong with a faulty one (C1). */
import { describe, expect, it } from 'vitest';
import { action, answer, call, dispatch, external, modelDone, result, start, submit, text, to, toolDone, turnWithCalls } from '../testing/commands.ts';
import { emptyStory, tell } from '../testing/given.ts';
import { assemblePrompt, type PromptMessage, transcriptFault } from './context.ts';

const user: PromptMessage = { role: 'user', content: [text('hi')] };
const said: PromptMessage = { role: 'assistant', content: [text('hello')] };
const asked = (...ids: readonly string[]): PromptMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_call', id, name: 'x', input: {} })),
});
const results = (...ids: readonly string[]): PromptMessage => ({
  role: 'tool',
  results: ids.map((callId) => ({ callId, name: 'x', output: [], isError: false })),
});

describe('a prompt', () => {
  it('gathers results behind their request, in the order of the requests, whatever came first', () => {
    const { rows } = tell(emptyStory, [
      ...turnWithCalls('a', call('c1'), call('c2', external), call('c3')),
      dispatch('c3'),
      toolDone('c3'),
      answer('a', to(action('a', 1), result())),
      dispatch('c1'),
      toolDone('c1'),
    ]);
    const last = assemblePrompt(rows).at(-1);
    expect(last?.role === 'tool' && last.results.map(({ callId }) => callId)).toEqual(['c1', 'c2', 'c3']);
  });
  it('joins neighbouring user messages', () => {
    const { rows } = tell(emptyStory, [submit('a'), { type: 'start', message: [1, 2].map((n) => ({ role: 'user' as const, content: [text(`part ${n}`)] })) }]);
    expect(assemblePrompt(rows)).toEqual([{ role: 'user', content: [text('part 1'), text('part 2')] }]);
  });
  it('goes on with the next turn', () => {
    const { rows } = tell(emptyStory, [submit('a'), start('one'), modelDone('1'), submit('b'), start('two')]);
    expect(assemblePrompt(rows).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });
});

describe('the checker of transcripts', () => {
  it('accepts valid ones', () => {
    for (const prompt of [[], [user], [user, said], [user, asked('1', '2'), results('2', '1'), said, user]]) expect(transcriptFault(prompt)).toBeUndefined();
  });
  it('names each fault', () => {
    const faults: readonly (readonly [readonly PromptMessage[], RegExp])[] = [
      [[said], /does not begin/],
      [[user, user], /two user messages/],
      [[user, said, said], /two assistant messages/],
      [[user, asked('1'), results('1'), results('1')], /two tool messages/],
      [[user, results('1')], /without a request/],
      [[user, said, results('1')], /answered by/],
      [[user, asked('1')], /answered by/],
      [[user, asked('1'), user], /answered by/],
      [[user, asked('1', '2'), results('1')], /answered by/],
      [[user, asked('1'), results('1', '1')], /answered by/],
      [[user, asked('1', '1'), results('1', '1')], /twice/],
    ];
    for (const [prompt, fault] of faults) expect(transcriptFault(prompt)).toMatch(fault);
  });
});
