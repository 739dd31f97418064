/** One contract, every provider: each adapter against a server that speaks its real wire format. */

import type { PromptMessage } from '@turnkeeper/core/session/context';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../ports/clock.ts';
import { ModelError, type ModelRequest, type Models, type ToolSpec } from '../ports/model.ts';
import { anthropicMessages } from '../testing/providers/anthropic-messages.ts';
import { assistantMessage, collectAnswer } from '../testing/providers/collect-answer.ts';
import type { FakeAnswer, FakePart, FakeReply } from '../testing/providers/fake-answer.ts';
import { type FakeProvider, type FakeProviderOptions, startFakeProvider } from '../testing/providers/fake-provider.ts';
import { googleGenerate } from '../testing/providers/google-generate.ts';
import { openaiChat } from '../testing/providers/openai-chat.ts';
import { openaiResponses } from '../testing/providers/openai-responses.ts';
import { sign, type WireFormat } from '../testing/providers/wire-format.ts';
import { createModels } from './create-models.ts';
import type { ModelsConfig } from './models-config.ts';

const secret = 'sk-very-secret-key-0123456789';
const hard = '你好，世界 🇨🇳 👨‍👩‍👧 é 𝒳 🏳️‍🌈 done';
const tools: readonly ToolSpec[] = [
  { name: 'time', description: 'Tells the time', inputSchema: {} },
  { name: 'note', description: 'Takes a note', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } },
];

type Case = {
  readonly name: string;
  readonly model: string;
  readonly format: WireFormat;
  readonly config: (baseURL: string) => Omit<ModelsConfig, 'demo'>;
  readonly signed: readonly string[];
};

const cases: readonly Case[] = [
  {
    name: 'openai',
    model: 'openai:gpt-5-mini',
    format: openaiResponses,
    config: (baseURL) => ({ openai: { apiKey: secret, baseURL } }),
    signed: ['先想一想 🤔', 'again'],
  },
  {
    name: 'anthropic',
    model: 'anthropic:claude-sonnet-4-5',
    format: anthropicMessages,
    config: (baseURL) => ({ anthropic: { apiKey: secret, baseURL } }),
    signed: ['先想一想 🤔', 'again'],
  },
  {
    name: 'google',
    model: 'google:gemini-3.5-flash',
    format: googleGenerate,
    config: (baseURL) => ({ google: { apiKey: secret, baseURL } }),
    signed: ['time{}', 'It is noon.'],
  },
  {
    name: 'openai-compatible',
    model: 'openai-compatible:qwen',
    format: openaiChat,
    config: (baseURL) => ({ openaiCompatible: { apiKey: secret, baseURL } }),
    signed: [],
  },
  { name: 'named', model: 'local:qwen', format: openaiChat, config: (baseURL) => ({ named: { local: { type: 'openai-compatible', baseURL } } }), signed: [] },
];

const user = (text: string): PromptMessage => ({ role: 'user', content: [{ type: 'text', text }] });

const servers: FakeProvider[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const answering = (answer: FakeAnswer): FakeReply => ({ kind: 'answer', answer });

describe.each(cases)('$name', ({ model, format, config, name, signed }) => {
  const start = async (options?: FakeProviderOptions): Promise<{ server: FakeProvider; models: Models }> => {
    const server = await startFakeProvider(format, options);
    servers.push(server);
    return { server, models: createModels({ demo: false, ...config(server.url) }, { clock: systemClock }) };
  };
  const request = (messages: readonly PromptMessage[], more: Partial<ModelRequest> = {}): ModelRequest => ({
    model,
    system: 'Be brief.',
    messages,
    tools,
    ...more,
  });
  const ask = (models: Models, messages: readonly PromptMessage[] = [user('hi')], signal: AbortSignal = new AbortController().signal) =>
    collectAnswer(models.stream(request(messages), signal));
  const failing = (models: Models, messages?: readonly PromptMessage[]): Promise<ModelError> =>
    ask(models, messages).then(
      () => expect.fail('no error'),
      (error: unknown) => {
        expect(error).toBeInstanceOf(ModelError);
        return error as ModelError;
      },
    );

  it('text and arguments are whole, whatever bytes and deltas they come in', async () => {
    const { server, models } = await start({ bytesPerWrite: 1 });
    const args = JSON.stringify({ text: hard });
    for (const deltaUnits of [1, 2, 3, 7]) {
      server.reply(answering({ parts: [{ text: hard }, { call: { id: `c${deltaUnits}`, name: 'note', args } }], usage: { input: 1, output: 1 }, deltaUnits }));
      const answer = await ask(models);
      expect(answer.text).toBe(hard);
      expect(Object.values(answer.deltas)).toEqual([args]);
      expect(answer.calls.map((call) => call.arguments)).toEqual([args]);
      for (const part of answer.parts) if ('text' in part) expect(part.text.isWellFormed()).toBe(true);
      expect(JSON.stringify(answer.parts)).not.toContain('\ufffd');
    }
    expect(server.faults()).toEqual([]);
  });

  it('reports usage, with cached and reasoning tokens apart, and none when the provider reports none', async () => {
    const { server, models } = await start();
    server.reply(answering({ parts: [{ text: 'hi' }], usage: { input: 30, output: 12, cached: 20, ...(name === 'anthropic' ? {} : { reasoning: 5 }) } }));
    const { finish } = await ask(models);
    expect(finish?.reason).toBe('stop');
    expect(finish?.usage).toMatchObject({ input_tokens: 30, output_tokens: 12, total_tokens: 42, cached_input_tokens: 20 });
    if (name !== 'anthropic') {
      expect(finish?.usage?.reasoning_tokens).toBe(5);
      server.reply(answering({ parts: [{ text: 'hi' }] }));
      expect((await ask(models)).finish).toEqual(expect.not.objectContaining({ usage: expect.anything() }));
    }
  });

  it('says when the answer was cut at the limit', async () => {
    const { server, models } = await start();
    server.reply(answering({ parts: [{ text: 'hi' }], usage: { input: 1, output: 1 }, finish: 'length' }));
    expect((await ask(models)).finish?.reason).toBe('length');
  });

  it('parallel calls, results and signed reasoning go round', async () => {
    const { server, models } = await start();
    const first: readonly FakePart[] = [
      { reasoning: '先想一想 🤔' },
      { text: 'Looking.' },
      { call: { id: 'call_a', name: 'time', args: '{}' } },
      { call: { id: 'call_b', name: 'note', args: '{"text":"🇨🇳"}' } },
    ];
    const second: readonly FakePart[] = [{ reasoning: 'again' }, { call: { id: 'call_c', name: 'time', args: '{"zone":"UTC"}' } }];
    server.reply(
      ...[first, second, [{ text: 'It is noon.' }], [{ text: 'bye' }]].map((parts) => answering({ parts, usage: { input: 1, output: 1 }, deltaUnits: 2 })),
    );
    const messages: PromptMessage[] = [user('what time is it? note it')];
    const answer = await ask(models, messages);
    expect(answer.finish?.reason).toBe('tool_calls');
    expect(answer.calls.map(({ id, name: tool, arguments: args }) => [id, tool, args])).toEqual([
      ['call_a', 'time', '{}'],
      ['call_b', 'note', '{"text":"🇨🇳"}'],
    ]);
    expect(answer.parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []))).toEqual(['先想一想 🤔']);
    messages.push(assistantMessage(answer), {
      role: 'tool',
      results: [
        { callId: 'call_a', name: 'time', output: [{ type: 'text', text: '12:00' }], isError: false },
        { callId: 'call_b', name: 'note', output: [{ type: 'data', data: { saved: false } }], isError: true },
      ],
    });
    const next = await ask(models, messages);
    messages.push(assistantMessage(next), { role: 'tool', results: [{ callId: 'call_c', name: 'time', output: [], isError: false }] });
    const last = await ask(models, messages);
    expect(last.text).toBe('It is noon.');
    await ask(models, [...messages, assistantMessage(last), user('thanks')]);
    expect(server.faults()).toEqual([]);
    expect(server.requests).toHaveLength(4);
    expect(JSON.stringify(server.requests[1]?.body)).toContain('12:00');
    for (const text of signed) expect(JSON.stringify(server.requests[3]?.body)).toContain(sign(text));
  });

  it('a repeated or missing call id is replaced, since calls are keyed by it', async () => {
    const { server, models } = await start();
    const parts: readonly FakePart[] = [{ call: { id: '0', name: 'time', args: '{}' } }];
    server.reply(answering({ parts, usage: { input: 1, output: 1 } }));
    const messages: PromptMessage[] = [user('hi')];
    for (let step = 0; step < 3; step += 1) {
      const answer = await ask(models, messages);
      const call = answer.calls[0];
      messages.push(assistantMessage(answer), {
        role: 'tool',
        results: [{ callId: call?.id ?? '', name: 'time', output: [{ type: 'text', text: 'x' }], isError: false }],
      });
    }
    const ids = messages.flatMap((message) => (message.role === 'tool' ? message.results.map((result) => result.callId) : []));
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toBe('0');
    await ask(models, messages);
    expect(server.faults()).toEqual([]);
  });

  it('images go by value and by address; blank text and lone surrogates never reach the provider', async () => {
    const { server, models } = await start();
    server.reply(answering({ parts: [{ text: 'a cat' }], usage: { input: 1, output: 1 } }));
    const image = { type: 'image' as const, source: { type: 'base64' as const, media_type: 'image/png', data: 'iVBORw0KGgo=' } };
    const linked = { type: 'image' as const, source: { type: 'url' as const, url: 'https://example.com/cat.png' } };
    await ask(models, [
      { role: 'user', content: [{ type: 'text', text: ' ' }, image, linked, { type: 'data', data: { half: '\ud83d' } }] },
      { role: 'assistant', content: [{ type: 'text', text: '' }] },
      user('   '),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'half \ude00' },
          { type: 'tool_call', id: 'c', name: 'note', input: { deep: ['\ud83d'], '\ude00': 1 } },
        ],
      },
      { role: 'tool', results: [{ callId: 'c', name: 'note', output: [{ type: 'text', text: '\ud83d' }], isError: false }] },
      { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
      user('\ud83d half'),
    ]);
    expect(server.faults()).toEqual([]);
    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent).toContain('iVBORw0KGgo=');
    expect(sent).toContain('https://example.com/cat.png');
  });

  it('audio goes along where it is taken, else it is a clear error', async () => {
    const { server, models } = await start();
    server.reply(answering({ parts: [{ text: 'a song' }], usage: { input: 1, output: 1 } }));
    const message: PromptMessage = { role: 'user', content: [{ type: 'audio', source: { type: 'base64', media_type: 'audio/wav', data: 'UklGRg==' } }] };
    if (name === 'openai' || name === 'anthropic') {
      const error = await failing(models, [message]);
      expect(error).toMatchObject({ retryable: false });
      expect(error.message).toContain('audio');
      expect(server.requests).toHaveLength(0);
    } else {
      await ask(models, [message]);
      expect(JSON.stringify(server.requests[0]?.body)).toContain('UklGRg==');
    }
  });

  it('what a provider cannot take is a clear error before anything is sent', async () => {
    const { server, models } = await start();
    const error = await failing(models, [{ role: 'user', content: [{ type: 'file', file_id: 'file_1' }] }]);
    expect(error).toMatchObject({ retryable: false, code: 'model_error', status: undefined });
    expect(error.message).toContain('file_1');
    expect(server.requests).toHaveLength(0);
  });

  it('429 is retryable and says how long to wait', async () => {
    const { server, models } = await start();
    const limited = (headers: Record<string, string>): FakeReply => ({ kind: 'error', status: 429, message: 'slow down', headers });
    server.reply(limited({ 'retry-after': '7' }));
    expect(await failing(models)).toMatchObject({ retryable: true, status: 429, retryAfterMs: 7000 });
    server.reply(limited({ 'retry-after': '7', 'retry-after-ms': '1500' }));
    expect(await failing(models)).toMatchObject({ retryAfterMs: 1500 });
    // The server's clock is ten years off: only the difference counts.
    server.reply(limited({ date: 'Sun, 29 Nov 2036 10:00:00 GMT', 'retry-after': 'Sun, 29 Nov 2036 10:00:20 GMT' }));
    expect(await failing(models)).toMatchObject({ retryAfterMs: 20_000 });
    expect(server.requests).toHaveLength(3);
  });

  it('one attempt only; 5xx is retryable, 400 and refused credentials are not', async () => {
    const { server, models } = await start();
    for (const [status, retryable] of [
      [500, true],
      [503, true],
      [529, true],
      [400, false],
      [404, false],
      [401, false],
      [403, false],
      [307, false],
    ] as const) {
      server.reply({ kind: 'error', status, message: 'out of order', headers: { location: 'http://127.0.0.1:1/' } });
      expect(await failing(models)).toMatchObject({ status, retryable, code: 'model_error' });
    }
    expect(server.requests).toHaveLength(8);
    server.reply({ kind: 'error', status: 429, message: 'no money', code: 'insufficient_quota' });
    if (model.startsWith('openai')) expect(await failing(models)).toMatchObject({ retryable: false });
  });

  it('errors carry no key and no request', async () => {
    const { server, models } = await start();
    const prompt = 'the private words of a user that nobody else may read';
    for (const message of [
      `Bad key ${secret}`,
      `Incorrect: Bearer ${secret}!`,
      `You said: ${prompt}`,
      'Try sk-proj-abcdefgh12345678',
      `x-api-key: ${secret}`,
    ]) {
      server.reply({ kind: 'error', status: 400, message });
      const error = await failing(models, [user(prompt)]);
      for (const text of [error.message, error.stack ?? '', JSON.stringify(error), String(error.cause)]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain('abcdefgh');
        expect(text).not.toContain('private words');
      }
    }
  });

  it('a server that is not there is retryable and its address is not told', async () => {
    const { server, models } = await start();
    await server.close();
    const error = await failing(models);
    expect(error).toMatchObject({ retryable: true, status: undefined });
    expect(error.message).toContain('ECONNREFUSED');
    expect(error.message).not.toContain('127.0.0.1');
    servers.splice(0);
  });

  it('an answer that breaks off anywhere is retryable and never looks complete', async () => {
    const { server, models } = await start();
    const answer: FakeAnswer = { parts: [{ text: 'Hello 世界' }, { call: { id: 'c', name: 'time', args: '{}' } }], usage: { input: 1, output: 1 } };
    const bytes = Buffer.byteLength(format.encode(answer));
    // The last event is what completes it: cut before its end.
    const lastEvent = Buffer.byteLength(
      format
        .encode(answer)
        .trimEnd()
        .split('\n\n')
        .slice(0, format === openaiChat ? -3 : -1)
        .join('\n\n'),
    );
    for (const by of ['reset', 'end'] as const) {
      for (const after of [0, 1, Math.floor(bytes / 3), Math.floor(bytes / 2), lastEvent]) {
        server.reply({ kind: 'answer', answer, then: { after, by } });
        expect(await failing(models), `${by} after ${after}`).toMatchObject({ retryable: true });
      }
    }
  });

  it('a garbled event is retryable', async () => {
    const { server, models } = await start();
    server.reply({ kind: 'raw', body: `${format.encode({ parts: [{ text: 'Hello' }] }).slice(0, -20)}\n\ndata: {"type":"content_block_delta", nonsense\n\n` });
    expect(await failing(models)).toMatchObject({ retryable: true });
    server.reply({ kind: 'raw', body: '<html>gateway</html>', contentType: 'text/html' });
    expect(await failing(models)).toMatchObject({ retryable: true });
  });

  it('an abort closes the socket at once and throws, whatever the provider was doing', async () => {
    const { server, models } = await start();
    const half: FakeReply = {
      kind: 'answer',
      answer: { parts: [{ text: 'Hello '.repeat(50) }], usage: { input: 1, output: 1 }, deltaUnits: 6 },
      then: { after: 2500, by: 'silence' },
    };
    for (const reply of [{ kind: 'hang' } as const, half]) {
      server.reply(reply);
      const abort = new AbortController();
      const reason = new Error('cancelled by the user');
      const seen = server.requests.length;
      const answer = ask(models, [user('hi')], abort.signal);
      answer.catch(() => {});
      while (server.requests.length === seen) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 30));
      const aborted = performance.now();
      abort.abort(reason);
      await expect(answer).rejects.toBe(reason);
      expect(await server.requests.at(-1)?.closed).toBe('cut');
      expect(performance.now() - aborted).toBeLessThan(500);
    }
    await expect(ask(models, [user('hi')], AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
    expect(server.requests).toHaveLength(2);
  });

  it('a reader that stops reading closes the socket', async () => {
    const { server, models } = await start();
    server.reply({
      kind: 'answer',
      answer: { parts: [{ text: 'Hello '.repeat(50) }], usage: { input: 1, output: 1 }, deltaUnits: 6 },
      then: { after: 2500, by: 'silence' },
    });
    for await (const part of models.stream(request([user('hi')]), new AbortController().signal)) {
      expect(part.type).toBe('text_delta');
      break;
    }
    expect(await server.requests[0]?.closed).toBe('cut');
  });
});
