import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelError, type ModelPart } from '../ports/model.ts';
import { createCallIds } from './call-ids.ts';
import { createStreamTranslator } from './translate-stream.ts';

const usage = (input?: number, output?: number): LanguageModelV4Usage => ({
  inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: output, text: undefined, reasoning: undefined },
});
const finish = (unified: 'stop' | 'other' | 'error' | 'interrupted' = 'stop', counted = usage(1, 2)): LanguageModelV4StreamPart => ({
  type: 'finish',
  finishReason: { unified, raw: undefined },
  usage: counted,
});

const translate = (...parts: readonly LanguageModelV4StreamPart[]): ModelPart[] => {
  const translator = createStreamTranslator({
    provider: 'p',
    metadataKey: 'own',
    callIds: createCallIds([]),
    onError: (error) => {
      throw error;
    },
  });
  return parts.flatMap((part) => [...translator.accept(part)]);
};

const chunks = (text: string, size: number): string[] => Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size));

describe('stream translation', () => {
  it('M3, R3: text and arguments of interleaved calls survive every chunking', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 5 }), (text, value, size) => {
        const args = JSON.stringify({ value });
        const deltas = chunks(text, size).map((delta) => ({ type: 'text-delta' as const, id: 't', delta }));
        const argumentDeltas = chunks(args, size).flatMap((delta) => ['a', 'b'].map((id) => ({ type: 'tool-input-delta' as const, id, delta })));
        const starts = ['a', 'b'].map((id) => ({ type: 'tool-input-start' as const, id, toolName: 'x' }));
        const ends = ['a', 'b'].map((id) => ({ type: 'tool-call' as const, toolCallId: id, toolName: 'x', input: args }));
        const parts = translate(...starts, ...deltas, ...argumentDeltas, ...ends, finish());
        const joined = (id: string) => parts.flatMap((part) => (part.type === 'tool_call_delta' && part.id === id ? [part.text] : [])).join('');
        expect(parts.flatMap((part) => (part.type === 'text_delta' ? [part.text] : [])).join('')).toBe(text);
        expect([joined('a'), joined('b')]).toEqual([args, args]);
        for (const part of parts) if ('text' in part) expect(part.text.isWellFormed()).toBe(true);
        expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'tool_calls' });
      }),
    );
  });

  it('a call without deltas gets its start and one delta', () => {
    expect(translate({ type: 'tool-call', toolCallId: 'a', toolName: 'x', input: '{}' })).toEqual([
      { type: 'tool_call_start', id: 'a', name: 'x' },
      { type: 'tool_call_delta', id: 'a', text: '{}' },
      { type: 'tool_call', id: 'a', name: 'x', arguments: '{}' },
    ]);
  });

  it('R2: reasoning is one part with the data of all its events, also when it never ends', () => {
    const own = (members: Record<string, string>) => ({ providerMetadata: { own: members, other: { x: 1 } } });
    const parts = translate(
      { type: 'reasoning-start', id: '0', ...own({ item: 'i' }) },
      { type: 'reasoning-delta', id: '0', delta: 'a' },
      { type: 'reasoning-delta', id: '0', delta: '', ...own({ signature: 's' }) },
      { type: 'reasoning-end', id: '0' },
      { type: 'reasoning-delta', id: '1', delta: 'b' },
      { type: 'text-delta', id: 't', delta: 'hi' },
      { type: 'text-end', id: 't', ...own({ item: 'm' }) },
      finish(),
    );
    expect(parts).toEqual([
      { type: 'reasoning', text: 'a', provider: { own: { item: 'i', signature: 's' } } },
      { type: 'text_delta', text: 'hi' },
      { type: 'reasoning', text: 'b', provider: { own: {} } },
      { type: 'finish', reason: 'stop', usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 }, textProvider: { own: { item: 'm' } } },
    ]);
  });

  it('R1: what is newer than the types, and what the provider does for itself, is ignored', () => {
    const future = { type: 'hologram', data: 1 } as unknown as LanguageModelV4StreamPart;
    expect(
      translate(
        future,
        { type: 'tool-input-start', id: 'w', toolName: 'web', providerExecuted: true },
        { type: 'tool-input-delta', id: 'w', delta: '{}' },
        { type: 'tool-call', toolCallId: 'w', toolName: 'web', input: '{}', providerExecuted: true },
        { type: 'custom', kind: 'own.thing' },
      ),
    ).toEqual([]);
  });

  it('R4: an answer that was broken off throws, one without full counts reports no usage', () => {
    for (const unified of ['error', 'interrupted'] as const) {
      expect(() => translate(finish(unified))).toThrowError(ModelError);
    }
    for (const counted of [usage(), usage(1), usage(undefined, 1)]) expect(translate(finish('stop', counted))).toEqual([{ type: 'finish', reason: 'stop' }]);
  });
});

it('reasoning without end fails for good', () => {
  const delta = 'x'.repeat(100_000);
  const parts = Array.from({ length: 11 }, () => ({ type: 'reasoning-delta' as const, id: '0', delta }));
  expect(() => translate(...parts.slice(1))).not.toThrow();
  expect(() => translate(...parts)).toThrowError(expect.objectContaining({ code: 'model_error', retryable: false }));
});
