import { contextWindowOf } from '@turnkeeper/core/session/context-windows';
import { describe, expect, it } from 'vitest';
import { saysTooLong } from './too-long.ts';

describe('a request that is too long for the model', () => {
  it.each([
    ['OpenAI', { status: 400, said: 'Your input exceeds it.', data: { error: { code: 'context_length_exceeded', type: 'invalid_request_error' } } }],
    ['OpenAI, of old', { status: 400, said: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens." }],
    ['Anthropic', { status: 400, said: 'prompt is too long: 210000 tokens > 200000 maximum', data: { error: { type: 'invalid_request_error' } } }],
    ['Anthropic, by its size', { status: 413, said: 'Request exceeds the maximum size', data: { error: { type: 'request_too_large' } } }],
    ['Google', { status: 400, said: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' }],
    ['llama.cpp', { status: 400, data: { error: { type: 'exceed_context_size_error' } } }],
  ])('is told by %s', (_provider, failure) => {
    expect(saysTooLong(failure)).toBe(true);
  });
  it.each([
    ['a limit of tokens a minute', { status: 429, said: 'Rate limit reached: too many tokens per minute.' }],
    ['another fault of the request', { status: 400, said: 'max_tokens must be positive', data: { error: { code: 'invalid_value' } } }],
    ['a fault of the server', { status: 500, said: 'context window manager crashed' }],
    ['nothing', {}],
  ])('is not %s', (_what, failure) => {
    expect(saysTooLong(failure)).toBe(false);
  });
});

describe('the window of a model', () => {
  it.each([
    ['openai:gpt-5-mini', 400_000],
    ['openai:gpt-4o-mini', 128_000],
    ['openai:gpt-4', 8_192],
    ['anthropic:claude-sonnet-4-5', 200_000],
    ['google:gemini-2.5-pro', 1_000_000],
    ['local:meta-llama/Llama-3.3-70B-Instruct', 128_000],
    ['openai-compatible:something', 32_000],
    ['demo:script', 1_000_000],
  ])('%s', (model, tokens) => {
    expect(contextWindowOf(model)).toBe(tokens);
  });
});
