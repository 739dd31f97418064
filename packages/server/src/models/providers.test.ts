/** One contract, every provider: each adapter against a server that speaks its real wire format. */
import type { PromptMessage } from '@turnkeeper/core/session/context';
import { afterEach, describe, expect, it } from 'vitest';
import { ModelError } from '../ports/model.ts';
import { assistantMessage, collectAnswer } from '../testing/providers/collect-answer.ts';
import type { FakePart } from '../testing/providers/fake-answer.ts';
import type { FakeProvider, FakeProviderOptions } from '../testing/providers/fake-provider.ts';
import { prefixFaults } from '../testing/providers/prefix-faults.ts';
import { answering, type ProviderCase, type ProviderSetUp, providerCases, setUpProvider, userSays } from '../testing/providers/provider-cases.ts';
import { sign } from '../testing/providers/wire-format.ts';

const hard = '你好，世界 🇨🇳 👨‍👩‍👧 é 𝒳 🏳️‍🌈 done';
/** What each provider wants back in the fourth request of the round trip. */
const signed: Readonly<Record<string, readonly string[]>> = {
  openai: ['先想一想 🤔', 'again'],
  anthropic: ['先想一想 🤔', 'again'],
  google: ['time{}', 'It is noon.'],
};

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

describe.each(providerCases)('$name', (provider) => {
  const { name } = provider;
  const start = startFor(provider);

  it('text and arguments are whole, whatever bytes and deltas they come in', async () => {
    const { server, ask } = await start({ bytesPerWrite: 1 });
    const args = JSON.stringify({ text: hard });
    for (const deltaUnits of [1, 2, 3, 7]) {
      server.reply(answering({ parts: [{ text: hard }, { call: { id: `c${deltaUnits}`, name: 'note', args } }], usage: { input: 1, output: 1 }, deltaUnits }));
      const answer = await ask();
      expect(answer.text).toBe(hard);
      expect(Object.values(answer.deltas)).toEqual([args]);
      expect(answer.calls.map((call) => call.arguments)).toEqual([args]);
      for (const part of answer.parts) if ('text' in part) expect(part.text.isWellFormed()).toBe(true);
      expect(JSON.stringify(answer.parts)).not.toContain('\ufffd');
    }
    expect(server.faults()).toEqual([]);
  });

  it('reports usage, with cached and reasoning tokens apart, and none when the provider reports none', async () => {
    const { server, ask } = await start();
    server.reply(answering({ parts: [{ text: 'hi' }], usage: { input: 30, output: 12, cached: 20, ...(name === 'anthropic' ? {} : { reasoning: 5 }) } }));
    const { finish } = await ask();
    expect(finish?.reason).toBe('stop');
    expect(finish?.usage).toMatchObject({ input_tokens: 30, output_tokens: 12, total_tokens: 42, cached_input_tokens: 20 });
    if (name !== 'anthropic') {
      expect(finish?.usage?.reasoning_tokens).toBe(5);
      server.reply(answering({ parts: [{ text: 'hi' }] }));
      expect((await ask()).finish).toEqual(expect.not.objectContaining({ usage: expect.anything() }));
    }
  });

  it('what went into the cache is counted once, and told where the provider tells it', async () => {
    const { server, ask } = await start();
    server.reply(answering({ parts: [{ text: 'hi' }], usage: { input: 30, output: 12, cached: 20, written: 7 } }));
    const usage = (await ask()).finish?.usage;
    expect(usage).toMatchObject({ input_tokens: 30, output_tokens: 12, total_tokens: 42, cached_input_tokens: 20 });
    expect(usage?.cache_creation_input_tokens).toBe(name === 'anthropic' ? 7 : undefined);
  });

  it('says when the answer was cut at the limit', async () => {
    const { server, ask } = await start();
    server.reply(answering({ parts: [{ text: 'hi' }], usage: { input: 1, output: 1 }, finish: 'length' }));
    expect((await ask()).finish?.reason).toBe('length');
  });

  it('parallel calls, results and signed reasoning go round', async () => {
    const { server, ask } = await start();
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
    const messages: PromptMessage[] = [userSays('what time is it? note it')];
    const answer = await ask(messages);
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
    const next = await ask(messages);
    messages.push(assistantMessage(next), { role: 'tool', results: [{ callId: 'call_c', name: 'time', output: [], isError: false }] });
    const last = await ask(messages);
    expect(last.text).toBe('It is noon.');
    await ask([...messages, assistantMessage(last), userSays('thanks')]);
    expect(server.faults()).toEqual([]);
    expect(server.requests).toHaveLength(4);
    expect(JSON.stringify(server.requests[1]?.body)).toContain('12:00');
    expect(server.requests.slice(1).flatMap(({ body }, at) => prefixFaults(server.requests[at]?.body, body))).toEqual([]);
    for (const text of signed[name] ?? []) expect(JSON.stringify(server.requests[3]?.body)).toContain(sign(text));
  });

  it('a repeated or missing call id is replaced, since calls are keyed by it', async () => {
    const { server, ask } = await start();
    const parts: readonly FakePart[] = [{ call: { id: '0', name: 'time', args: '{}' } }];
    server.reply(answering({ parts, usage: { input: 1, output: 1 } }));
    const messages: PromptMessage[] = [userSays('hi')];
    for (let step = 0; step < 3; step += 1) {
      const answer = await ask(messages);
      const call = answer.calls[0];
      messages.push(assistantMessage(answer), {
        role: 'tool',
        results: [{ callId: call?.id ?? '', name: 'time', output: [{ type: 'text', text: 'x' }], isError: false }],
      });
    }
    const ids = messages.flatMap((message) => (message.role === 'tool' ? message.results.map((result) => result.callId) : []));
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toBe('0');
    await ask(messages);
    expect(server.faults()).toEqual([]);
  });

  it('images go by value and by address; blank text and lone surrogates never reach the provider', async () => {
    const { server, ask } = await start();
    server.reply(answering({ parts: [{ text: 'a cat' }], usage: { input: 1, output: 1 } }));
    const image = { type: 'image' as const, source: { type: 'base64' as const, media_type: 'image/png', data: 'iVBORw0KGgo=' } };
    const linked = { type: 'image' as const, source: { type: 'url' as const, url: 'https://example.com/cat.png' } };
    await ask([
      { role: 'user', content: [{ type: 'text', text: ' ' }, image, linked, { type: 'data', data: { half: '\ud83d' } }] },
      { role: 'assistant', content: [{ type: 'text', text: '' }] },
      userSays('   '),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'half \ude00' },
          { type: 'tool_call', id: 'c', name: 'note', input: { deep: ['\ud83d'], '\ude00': 1 } },
        ],
      },
      { role: 'tool', results: [{ callId: 'c', name: 'note', output: [{ type: 'text', text: '\ud83d' }], isError: false }] },
      { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
      userSays('\ud83d half'),
    ]);
    expect(server.faults()).toEqual([]);
    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent).toContain('iVBORw0KGgo=');
    expect(sent).toContain('https://example.com/cat.png');
  });

  it('audio goes along where it is taken, else it is a clear error', async () => {
    const { server, ask } = await start();
    server.reply(answering({ parts: [{ text: 'a song' }], usage: { input: 1, output: 1 } }));
    const message: PromptMessage = { role: 'user', content: [{ type: 'audio', source: { type: 'base64', media_type: 'audio/wav', data: 'UklGRg==' } }] };
    if (name === 'openai' || name === 'anthropic') {
      const error = await failing(ask, [message]);
      expect(error).toMatchObject({ retryable: false });
      expect(error.message).toContain('audio');
      expect(server.requests).toHaveLength(0);
    } else {
      await ask([message]);
      expect(JSON.stringify(server.requests[0]?.body)).toContain('UklGRg==');
    }
  });

  it('shows the files that a message refers to: text as text, others where the provider takes them; what is not there is named', async () => {
    const { server, models } = await start();
    server.reply(answering({ parts: [{ text: 'seen' }] }));
    const bytes = (text: string) => new TextEncoder().encode(text);
    const files = new Map([
      ['file_text', { name: 'notes.md', mediaType: 'text/markdown', bytes: bytes('Grüße') }],
      ['file_image', { name: 'dot.png', mediaType: 'image/png', bytes: bytes('dot') }],
      ['file_large', { name: 'large.pdf', mediaType: 'application/pdf' }],
    ]);
    const content = ['file_text', 'file_image', 'file_large', 'file_gone'].map((file_id) => ({ type: 'file' as const, file_id }));
    const request = { model: provider.model, system: '', messages: [{ role: 'user' as const, content }], tools: [], files };
    await collectAnswer(models.stream(request, new AbortController().signal));
    const sent = JSON.stringify(server.requests[0]?.body);
    for (const part of ['Grüße', Buffer.from('dot').toString('base64'), 'large.pdf', 'file_gone']) expect(sent).toContain(part);
  });
});
