/** Prompt caching: what is marked for the provider that wants marks, and the prefix that all of them live on. */
import type { PromptMessage } from '@turnkeeper/core/session/context';
import { afterEach, describe, expect, it } from 'vitest';
import { builtin, createClient, external } from '../testing/harness/client.ts';
import { eventually } from '../testing/harness/settle.ts';
import { openWorld } from '../testing/harness/world.ts';
import { collectAnswer } from '../testing/providers/collect-answer.ts';
import type { FakeProvider } from '../testing/providers/fake-provider.ts';
import { prefixFaults } from '../testing/providers/prefix-faults.ts';
import { answering, type ProviderCase, providerCases, providerTools, setUpProvider, userSays } from '../testing/providers/provider-cases.ts';
import { asList, asObject } from '../testing/providers/wire-format.ts';

const servers: FakeProvider[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const setUp = async (provider: ProviderCase) => {
  const made = await setUpProvider(provider);
  servers.push(made.server);
  made.server.reply(answering({ parts: [{ text: 'ok' }], usage: { input: 1, output: 1 } }));
  return made;
};
const image = { type: 'image' as const, source: { type: 'base64' as const, media_type: 'image/png', data: 'iVBORw0KGgo=' } };
const calls = (...ids: readonly string[]): PromptMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_call' as const, id, name: 'time', input: {} })),
});
const results = (ids: readonly string[], output: Extract<PromptMessage, { role: 'tool' }>['results'][number]['output']): PromptMessage => ({
  role: 'tool',
  results: ids.map((callId) => ({ callId, name: 'time', output, isError: false })),
});
const noon = [{ type: 'text' as const, text: '12:00' }];

/** Where the marks of a request stand, e.g. `messages 2.0`: the first block of the third message. */
const marksIn = (body: unknown): readonly string[] => {
  const { tools, system, messages } = asObject(body);
  const of = (name: string, list: unknown) => asList(list).flatMap((part, at) => (part.cache_control === undefined ? [] : [`${name}${at}`]));
  return [...of('tools ', tools), ...of('system ', system), ...asList(messages).flatMap(({ content }, at) => of(`messages ${at}.`, content))];
};

describe('PC1: Anthropic is told where to cache', () => {
  const anthropic = providerCases.find(({ name }) => name === 'anthropic') as ProviderCase;
  const marksOf = async (messages: readonly PromptMessage[], { system = 'Be brief.', tools = providerTools } = {}) => {
    const { server, models } = await setUp(anthropic);
    await collectAnswer(models.stream({ model: anthropic.model, system, messages, tools }, new AbortController().signal));
    expect(server.faults()).toEqual([]);
    expect(JSON.stringify(server.requests[0]?.body).split('"cache_control":{"type":"ephemeral"}').length - 1).toBe(marksIn(server.requests[0]?.body).length);
    return marksIn(server.requests[0]?.body);
  };

  it('the system prompt, which stands behind the tools, and the end of the prompt', async () => {
    expect(await marksOf([userSays('hi')])).toEqual(['system 0', 'messages 0.0']);
    expect(await marksOf([userSays('hi')], { system: '' })).toEqual(['tools 1', 'messages 0.0']);
    expect(await marksOf([userSays('hi')], { system: ' ', tools: [] })).toEqual(['messages 0.0']);
  });

  it('and the end of the prompt before, however much was added since', async () => {
    const many = Array.from({ length: 30 }, (_, n) => `call_${n}`);
    const first: readonly PromptMessage[] = [userSays('hi'), calls(...many), results(many, noon)];
    expect(await marksOf(first)).toEqual(['system 0', 'messages 0.0', 'messages 2.29']);
    const next: readonly PromptMessage[] = [...first, calls('a', 'b'), results(['a', 'b'], noon)];
    expect(await marksOf(next)).toEqual(['system 0', 'messages 2.29', 'messages 4.1']);
    expect(await marksOf([...next, { role: 'assistant', content: [{ type: 'text', text: 'Noon.' }] }, userSays('thanks')])).toEqual([
      'system 0',
      'messages 4.1',
      'messages 6.0',
    ]);
  });

  it('a result with a picture, a picture, and what was said into a step may be last', async () => {
    const step: readonly PromptMessage[] = [userSays('hi'), calls('a'), results(['a'], [...noon, image])];
    expect(await marksOf(step)).toEqual(['system 0', 'messages 0.0', 'messages 2.0']);
    expect(await marksOf([...step, { role: 'user', content: [{ type: 'text', text: 'look' }, image] }])).toEqual(['system 0', 'messages 0.0', 'messages 2.2']);
    expect(await marksOf([{ role: 'user', content: [{ type: 'text', text: 'look' }, image] }])).toEqual(['system 0', 'messages 0.1']);
    expect(await marksOf([userSays('')])).toEqual(['system 0', 'messages 0.0']);
  });
});

/** The requests of two turns with tools, a steer and a restart between them, as the runner makes them. */
const ordinaryRequests = async () => {
  const world = await openWorld();
  try {
    const client = createClient(world);
    const tools = [builtin('look', { description: 'Looks' }), external('order'), builtin('effect'), builtin('slow')];
    const session = await client.session(await client.agent({ tools }));
    world.model.when(
      'one',
      [{ text: 'Looking.' }, { call: 'look', input: { z: 1, a: { y: '你好 🇨🇳', b: [1, 2] } } }, { call: 'effect' }],
      [{ call: 'look' }],
      [{ text: 'one' }],
    );
    await client.until(session, await client.submit(session, 'one'));
    await world.restart();
    world.model.when('two', [{ call: 'slow' }]);
    const turn = await client.submit(session, 'two');
    await eventually('the tool runs', () => world.tools.gate.waiting() === 1, { clock: world.clock });
    await client.steer(session, turn, 'be brief');
    world.tools.gate.open();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    await client.until(session, await client.submit(session, 'three'));
    return world.model.calls.map(({ request }) => request);
  } finally {
    await world.close();
  }
};

describe.each(providerCases)('$name', (provider) => {
  it('what was sent before begins each request, to the byte, from step to step and from turn to turn', async () => {
    const requests = await ordinaryRequests();
    expect(requests).toHaveLength(6);
    const { server, models } = await setUp(provider);
    for (const request of requests) await collectAnswer(models.stream({ ...request, model: provider.model }, new AbortController().signal));
    expect(server.faults()).toEqual([]);
    expect(server.requests.slice(1).flatMap(({ body }, at) => prefixFaults(server.requests[at]?.body, body))).toEqual([]);
    // Only where it has to be asked for.
    expect(server.requests.every(({ body }) => JSON.stringify(body).includes('cache_control'))).toBe(provider.name === 'anthropic');
  });
});
