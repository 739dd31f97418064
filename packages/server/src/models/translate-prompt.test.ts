import type { PromptMessage } from '@turnkeeper/core/session/context';
import { describe, expect, it } from 'vitest';
import { createAnthropicAdapter } from './anthropic.ts';
import { createGoogleAdapter } from './google.ts';
import { createCompatibleAdapter } from './openai-compatible.ts';
import { translatePrompt } from './translate-prompt.ts';

const anthropic = createAnthropicAdapter({ apiKey: 'k' });
const google = createGoogleAdapter({ apiKey: 'k' });
const compatible = createCompatibleAdapter('local', { baseURL: 'http://localhost/v1' });

const png = { type: 'image' as const, source: { type: 'base64' as const, media_type: 'image/png', data: 'AAAA' }, name: 'cat' };
const linked = { type: 'image' as const, source: { type: 'url' as const, url: 'https://example.com/cat.png?x=1' } };
const toolMessage = (output: readonly (typeof png | typeof linked | { type: 'text'; text: string })[], isError = false): PromptMessage => ({
  role: 'tool',
  results: [{ callId: 'c', name: 'draw', output, isError }],
});

describe('the prompt', () => {
  it('Y2: provider data goes back only to the kind of provider that made it', () => {
    const message: PromptMessage = {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'ours', provider: { anthropic: { signature: 's' } } },
        { type: 'reasoning', text: 'theirs', provider: { openai: { itemId: 'rs_1' } } },
        { type: 'text', text: 'hi', provider: { google: { thoughtSignature: 't' } } },
        { type: 'tool_call', id: 'c', name: 'draw', input: {}, provider: { openai: { itemId: 'fc_1' } } },
      ],
    };
    expect(translatePrompt({ system: '', messages: [message] }, anthropic)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'ours', providerOptions: { anthropic: { signature: 's' } } },
          { type: 'text', text: 'hi' },
          { type: 'tool-call', toolCallId: 'c', toolName: 'draw', input: {} },
        ],
      },
    ]);
  });

  it('a medium that a tool gave goes along where the provider takes it, else it is named', () => {
    const outputs = [anthropic, google, compatible].map(
      (adapter) => translatePrompt({ system: '', messages: [toolMessage([png, linked])] }, adapter)[0]?.content,
    );
    expect(outputs[0]).toMatchObject([
      {
        output: {
          type: 'content',
          value: [
            { type: 'file', mediaType: 'image/png' },
            { type: 'file', mediaType: 'image/png' },
          ],
        },
      },
    ]);
    expect(outputs[1]).toMatchObject([
      { output: { type: 'content', value: [{ type: 'file' }, { type: 'text', text: '[image at https://example.com/cat.png?x=1, not shown]' }] } },
    ]);
    expect(outputs[2]).toMatchObject([
      { output: { type: 'text', value: '[image "cat" (image/png), not shown]\n[image at https://example.com/cat.png?x=1, not shown]' } },
    ]);
    expect(translatePrompt({ system: '', messages: [toolMessage([png], true)] }, anthropic)).toMatchObject([{ content: [{ output: { type: 'error-text' } }] }]);
  });

  it('an address that carries its bytes is sent by value', () => {
    const message: PromptMessage = { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'data:image/gif;base64,R0lG' } }] };
    expect(translatePrompt({ system: 's', messages: [message] }, google)).toEqual([
      { role: 'system', content: 's' },
      { role: 'user', content: [{ type: 'file', mediaType: 'image/gif', data: { type: 'data', data: 'R0lG' } }] },
    ]);
  });

  it('Y1: nothing is empty', () => {
    const messages: PromptMessage[] = [
      { role: 'user', content: [{ type: 'text', text: '\n' }] },
      { role: 'assistant', content: [] },
      toolMessage([{ type: 'text', text: '' }]),
    ];
    expect(translatePrompt({ system: ' ', messages }, anthropic)).toEqual([
      { role: 'user', content: [{ type: 'text', text: '(empty message)' }] },
      { role: 'assistant', content: [{ type: 'text', text: '(empty message)' }] },
      { role: 'tool', content: [expect.objectContaining({ output: { type: 'text', value: '(no output)' } })] },
    ]);
  });
});
