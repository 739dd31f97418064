import { describe, expect, it } from 'vitest';
import type { Clock } from '../ports/clock.ts';
import { systemClock } from '../ports/clock.ts';
import { ModelError, type ModelRequest } from '../ports/model.ts';
import { collectAnswer } from '../testing/providers/collect-answer.ts';
import { startFakeProvider } from '../testing/providers/fake-provider.ts';
import { openaiChat } from '../testing/providers/openai-chat.ts';
import { createModels } from './create-models.ts';

const none = createModels({ demo: false }, { clock: systemClock });
const signal = new AbortController().signal;
const request = (model: string): ModelRequest => ({ model, system: '', messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], tools: [] });
const errorOf = (model: string, models = none): Promise<unknown> => collectAnswer(models.stream(request(model), signal)).catch((error: unknown) => error);

describe('the registry', () => {
  it.each([
    ['openai:gpt-5', 'OPENAI_API_KEY'],
    ['anthropic:claude', 'ANTHROPIC_API_KEY'],
    ['google:gemini', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    ['openai-compatible:x', 'OPENAI_COMPATIBLE_BASE_URL'],
    ['local:x', '"providers"'],
    ['constructor:x', '"providers"'],
    ['demo:welcome', 'switched off'],
    ['nonsense', 'provider:model'],
    ['openai:', 'provider:model'],
    [':x', 'provider:model'],
  ])('%s is not configured, and the error says what to do', async (model, hint) => {
    const error = await errorOf(model);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code: 'model_not_configured', retryable: false });
    expect((error as Error).message).toContain(hint);
    expect(none.has(model)).toBe(false);
  });

  it('offers only what is configured', () => {
    expect(none.list()).toEqual([]);
    const models = createModels(
      { demo: true, named: { local: { type: 'openai-compatible', baseURL: 'http://x', models: ['qwen:7b'] } } },
      { clock: systemClock },
    );
    expect(models.list()).toEqual(['local:qwen:7b', 'demo:welcome', 'demo:echo', 'demo:script']);
    for (const model of [...models.list(), 'local:any', 'demo:script', 'demo:tokens:20', 'demo:tokens-20']) expect(models.has(model), model).toBe(true);
    for (const model of ['demo:nope', 'demo:tokens:x', 'demo:tokens:9999999', 'demo:toString', 'openai:x']) expect(models.has(model), model).toBe(false);
  });

  it('an unknown demo model is an error, a reserved name a mistake of the operator', async () => {
    expect(await errorOf('demo:nope', createModels({ demo: true }, { clock: systemClock }))).toMatchObject({ code: 'model_not_configured' });
    for (const name of ['openai', 'demo', 'a:b']) {
      expect(() => createModels({ demo: false, named: { [name]: { type: 'openai-compatible', baseURL: 'http://x' } } }, { clock: systemClock })).toThrow(name);
    }
  });
});

it('SH1 calls of one model at a time are each their own: one is stopped, the other goes on', async () => {
  const server = await startFakeProvider(openaiChat);
  try {
    server.reply({ kind: 'hang' }, { kind: 'answer', answer: { parts: [{ text: 'hello' }] } });
    const models = createModels({ demo: false, openaiCompatible: { baseURL: server.url } }, { clock: systemClock });
    const stop = new AbortController();
    const hanging = collectAnswer(models.stream(request('openai-compatible:x'), stop.signal)).catch((error: unknown) => error);
    await expect.poll(() => server.requests.length).toBe(1);
    const answered = collectAnswer(models.stream(request('openai-compatible:x'), signal));
    stop.abort(new Error('enough'));
    expect(await hanging).toMatchObject({ message: 'enough' });
    expect(await answered).toMatchObject({ text: 'hello' });
    expect(await Promise.all(server.requests.map(({ closed }) => closed))).toEqual(['cut', 'answered']);
  } finally {
    await server.close();
  }
});

describe('silence', () => {
  /** Its time runs so many times faster; nothing is due before `begun`. */
  const hasty = (times: number, begun: () => boolean): Clock => ({
    now: () => 0,
    elapsed: () => performance.now() * times,
    after: (ms, fire) => {
      const due = (): void => {
        if (begun()) fire();
        else timer = setTimeout(due, 10);
      };
      let timer = setTimeout(due, Math.ceil(ms / times));
      return () => clearTimeout(timer);
    },
  });
  const limits = { firstByteMs: 70_000, idleMs: 3_000 };

  it.each([
    ['before the answer', 700, { kind: 'hang' } as const],
    ['in the answer', 10, { kind: 'answer', answer: { parts: [{ text: 'hello' }] }, then: { after: 400, by: 'silence' } } as const],
  ])('%s for too long is retryable and closes the socket', async (_, times, reply) => {
    const server = await startFakeProvider(openaiChat);
    try {
      server.reply(reply);
      const models = createModels(
        { demo: false, openaiCompatible: { baseURL: server.url } },
        { clock: hasty(times, () => server.requests.length > 0), limits },
      );
      expect(await errorOf('openai-compatible:x', models)).toMatchObject({ retryable: true, message: expect.stringContaining('silent') });
      expect(await server.requests[0]?.closed).toBe('cut');
    } finally {
      await server.close();
    }
  });

  it('a slow reader is not silence', async () => {
    const server = await startFakeProvider(openaiChat);
    try {
      server.reply({ kind: 'answer', answer: { parts: [{ text: 'one two three' }], deltaUnits: 4 } });
      const models = createModels({ demo: false, openaiCompatible: { baseURL: server.url } }, { clock: systemClock, limits });
      let text = '';
      for await (const part of models.stream(request('openai-compatible:x'), signal)) {
        if (part.type === 'text_delta') text += part.text;
        // Once, for longer than the idle limit.
        if (text.length < 5) await new Promise((resolve) => setTimeout(resolve, limits.idleMs + 500));
      }
      expect(text).toBe('one two three');
    } finally {
      await server.close();
    }
  });
});
