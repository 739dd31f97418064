/** How every provider's failures, aborts and broken answers come out (failure cases 15 and 16). */
import type { PromptMessage } from '@turnkeeper/core/session/context';
import { afterEach, describe, expect, it } from 'vitest';
import { ModelError } from '../ports/model.ts';
import type { FakeAnswer, FakeReply } from '../testing/providers/fake-answer.ts';
import type { FakeProvider, FakeProviderOptions } from '../testing/providers/fake-provider.ts';
import { openaiChat } from '../testing/providers/openai-chat.ts';
import {
  type ProviderCase,
  type ProviderSetUp,
  providerCases,
  providerKey,
  providerTools,
  setUpProvider,
  userSays,
} from '../testing/providers/provider-cases.ts';

const servers: FakeProvider[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const startFor =
  (provider: ProviderCase) =>
  async (options?: FakeProviderOptions): Promise<ProviderSetUp> => {
    const setUp = await setUpProvider(provider, options);
    servers.push(setUp.server);
    return setUp;
  };
const failing = (ask: ProviderSetUp['ask'], messages?: readonly PromptMessage[]): Promise<ModelError> =>
  ask(messages).then(
    () => expect.fail('no error'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ModelError);
      return error as ModelError;
    },
  );

const said = `Not now, ${providerKey}`;
const compatibleFrames = [
  [{ error: { message: said, type: 'server_error', code: null } }, true],
  [{ error: { message: said, type: 'invalid_request_error', code: 400 } }, false],
] as const;

/** Errors that come with status 200, each in its provider's form, and whether another attempt makes sense. */
const errorFrames: Readonly<Record<string, readonly (readonly [unknown, boolean])[]>> = {
  openai: [
    [{ type: 'error', sequence_number: 1, code: 'server_error', message: said, param: null }, true],
    [{ type: 'response.failed', sequence_number: 1, response: { error: { code: 'rate_limit_exceeded', message: said } } }, true],
    [{ type: 'error', sequence_number: 1, code: 'invalid_prompt', message: said, param: null }, false],
    [{ type: 'response.failed', sequence_number: 1, response: { error: { code: 'insufficient_quota', message: said } } }, false],
  ],
  anthropic: [
    [{ type: 'error', error: { type: 'overloaded_error', message: said } }, true],
    [{ type: 'error', error: { type: 'api_error', message: said } }, true],
    [{ type: 'error', error: { type: 'invalid_request_error', message: said } }, false],
  ],
  google: [
    [{ error: { code: 503, message: said, status: 'UNAVAILABLE' } }, true],
    [{ error: { code: 400, message: said, status: 'INVALID_ARGUMENT' } }, false],
  ],
  'openai-compatible': compatibleFrames,
  named: compatibleFrames,
};

describe.each(providerCases)('$name', (provider) => {
  const { name, model, format } = provider;
  const start = startFor(provider);

  it('429 is retryable and says how long to wait', async () => {
    const { server, ask } = await start();
    const limited = (headers: Record<string, string>): FakeReply => ({ kind: 'error', status: 429, message: 'slow down', headers });
    server.reply(limited({ 'retry-after': '7' }));
    expect(await failing(ask)).toMatchObject({ retryable: true, status: 429, retryAfterMs: 7000 });
    server.reply(limited({ 'retry-after': '7', 'retry-after-ms': '1500' }));
    expect(await failing(ask)).toMatchObject({ retryAfterMs: 1500 });
    // The server's clock is ten years off: only the difference counts.
    server.reply(limited({ date: 'Sun, 29 Nov 2036 10:00:00 GMT', 'retry-after': 'Sun, 29 Nov 2036 10:00:20 GMT' }));
    expect(await failing(ask)).toMatchObject({ retryAfterMs: 20_000 });
    expect(server.requests).toHaveLength(3);
  });

  it('one attempt only; 5xx is retryable, 400 and refused credentials are not', async () => {
    const { server, ask } = await start();
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
      expect(await failing(ask)).toMatchObject({ status, retryable, code: 'model_error' });
    }
    expect(server.requests).toHaveLength(8);
    server.reply({ kind: 'error', status: 429, message: 'no money', code: 'insufficient_quota' });
    if (model.startsWith('openai')) expect(await failing(ask)).toMatchObject({ retryable: false });
  });

  it('errors carry no key and no request', async () => {
    const { server, ask } = await start();
    const prompt = 'the private words of a user that nobody else may read';
    for (const message of [
      `Bad key ${providerKey}`,
      `Incorrect: Bearer ${providerKey}!`,
      `You said: ${prompt}`,
      'Try sk-proj-abcdefgh12345678',
      `x-api-key: ${providerKey}`,
    ]) {
      server.reply({ kind: 'error', status: 400, message });
      const error = await failing(ask, [userSays(prompt)]);
      for (const text of [error.message, error.stack ?? '', JSON.stringify(error), String(error.cause)]) {
        expect(text).not.toContain(providerKey);
        expect(text).not.toContain('abcdefgh');
        expect(text).not.toContain('private words');
      }
    }
  });

  it('a server that is not there is retryable and its address is not told', async () => {
    const { server, ask } = await start();
    await server.close();
    const error = await failing(ask);
    expect(error).toMatchObject({ retryable: true, status: undefined });
    expect(error.message).toContain('ECONNREFUSED');
    expect(error.message).not.toContain('127.0.0.1');
    servers.splice(0);
  });

  it('an answer that breaks off anywhere is retryable and never looks complete', async () => {
    const { server, ask } = await start();
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
        expect(await failing(ask), `${by} after ${after}`).toMatchObject({ retryable: true });
      }
    }
  });

  it('a garbled event is retryable', async () => {
    const { server, ask } = await start();
    server.reply({ kind: 'raw', body: `${format.encode({ parts: [{ text: 'Hello' }] }).slice(0, -20)}\n\ndata: {"type":"content_block_delta", nonsense\n\n` });
    expect(await failing(ask)).toMatchObject({ retryable: true });
    server.reply({ kind: 'raw', body: '<html>gateway</html>', contentType: 'text/html' });
    expect(await failing(ask)).toMatchObject({ retryable: true });
  });

  it('an abort closes the socket at once and throws, whatever the provider was doing', async () => {
    const { server, ask } = await start();
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
      const answer = ask([userSays('hi')], abort.signal);
      answer.catch(() => {});
      while (server.requests.length === seen) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 30));
      abort.abort(reason);
      await expect(answer).rejects.toBe(reason);
      expect(await server.requests.at(-1)?.closed).toBe('cut');
    }
    await expect(ask([userSays('hi')], AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
    expect(server.requests).toHaveLength(2);
  });

  it('a reader that stops reading closes the socket', async () => {
    const { server, models } = await start();
    server.reply({
      kind: 'answer',
      answer: { parts: [{ text: 'Hello '.repeat(50) }], usage: { input: 1, output: 1 }, deltaUnits: 6 },
      then: { after: 2500, by: 'silence' },
    });
    for await (const part of models.stream({ model, system: '', messages: [userSays('hi')], tools: providerTools }, new AbortController().signal)) {
      expect(part.type).toBe('text_delta');
      break;
    }
    expect(await server.requests[0]?.closed).toBe('cut');
  });

  it('an error inside the stream is told apart: overloaded is retryable, a refused request is not', async () => {
    const { server, ask } = await start();
    const frames = errorFrames[name] ?? [];
    for (const begun of [false, true]) {
      for (const [frame, retryable] of frames) {
        const beginning = begun
          ? format
              .encode({ parts: [{ text: 'Hello' }], usage: { input: 1, output: 1 } })
              .split('\n\n')
              .slice(0, 6)
              .join('\n\n')
          : '';
        server.reply({ kind: 'raw', body: `${beginning}\n\ndata: ${JSON.stringify(frame)}\n\n` });
        const error = await failing(ask);
        expect(error, JSON.stringify({ begun, frame })).toMatchObject({ retryable });
        expect(error.message).not.toContain(providerKey);
      }
    }
  });
});
