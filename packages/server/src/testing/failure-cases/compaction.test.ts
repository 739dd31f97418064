/** A context near its model's limit: compacted before the call, after a refusal, across crashes and cancels (cases 23, 34). */
import { summaryRequest } from '@turnkeeper/core/session/compaction';
import type { PromptMessage } from '@turnkeeper/core/session/context';
import { afterEach, expect, test } from 'vitest';
import { listCheckpoints } from '../../app/checkpoints.ts';
import { ModelError } from '../../ports/model.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, builtin, createClient } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { eventually } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
const open = async () => {
  world = await openWorld();
  return createClient(world);
};
afterEach(() => world.close());
const check = async (session: string) => {
  const { faults, log } = await checkSession(world.store, session, { app: world.engine.app, caller: ann });
  expect([...faults, ...world.model.faults()]).toEqual([]);
  return log.map(({ event }) => event);
};
const reasons = async (session: string) => (await listCheckpoints(world.engine.app, ann, session, { limit: 50 })).data.map(({ reason }) => reason);
const texts = (messages: readonly PromptMessage[] = []): string => JSON.stringify(messages);
const used = (input: number) => ({ usage: { input_tokens: input, output_tokens: 10, total_tokens: input + 10 } });
const tooLong = () => new ModelError('too long', { code: 'context_length_exceeded', retryable: false });

/** Two turns, after which the prompt has 860 tokens of the window's 1,000. */
const nearTheLimit = async (client: ReturnType<typeof createClient>, more: Parameters<typeof client.agent>[0] = {}) => {
  world.model.when('a', [{ text: 'first answer' }, used(400)]);
  world.model.when('b', [{ text: 'second answer' }, used(850)]);
  const session = await client.session(await client.agent({ contextWindow: 1_000, ...more }));
  for (const text of ['a', 'b']) await client.until(session, await client.submit(session, text));
  return session;
};

test('is compacted before the call that would come too near: the model is shown the summary, the history keeps all', async () => {
  const client = await open();
  const session = await nearTheLimit(client);
  world.model.when(summaryRequest, [{ text: 'they said a and b' }, used(870)]);
  const turn = await client.submit(session, 'c');
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'echo: c', usage: { model_calls: 2, total_tokens: 885 } });
  const [summary, call] = world.model.calls.slice(-2);
  // What the provider has cached begins the call for the summary, too.
  expect(texts(summary?.request.messages.slice(0, 3))).toBe(texts(world.model.calls[1]?.request.messages));
  expect(summary?.request.system).toBe(call?.request.system);
  expect(texts(call?.request.messages)).toContain('they said a and b');
  expect(texts(call?.request.messages)).not.toContain('first answer');
  const log = await check(session);
  expect(log.filter(({ type }) => type === 'context.compacted').map(({ data }) => data)).toMatchObject([{ turn_id: turn, replaced_items: 4 }]);
  expect(JSON.stringify(log)).not.toContain('they said a and b');
  expect(log.filter(({ type }) => type === 'item.completed')).toHaveLength(6);
  expect(await reasons(session)).toEqual(['turn.completed', 'context.compacted', 'turn.completed', 'turn.completed']);
  // Once is enough: the next turn is far from the limit again.
  await client.until(session, await client.submit(session, 'd'));
  expect((await check(session)).filter(({ type }) => type === 'context.compacted')).toHaveLength(1);
});

test('a crash in the middle of it leaves nothing: it is made again from the same context, with one checkpoint', async () => {
  const client = await open();
  const session = await nearTheLimit(client);
  const gate = createGate();
  world.model.when(summaryRequest, [{ text: 'they said ' }, { gate }, { text: 'a and b' }]);
  const turn = await client.submit(session, 'c');
  await eventually('the summary is under way', () => gate.waiting() === 1, { clock: world.clock });
  await world.restart();
  gate.open();
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'echo: c', runs: 2 });
  const asked = world.model.calls.filter(({ text }) => text === summaryRequest);
  expect(asked).toHaveLength(2);
  expect(texts(asked[1]?.request.messages)).toBe(texts(asked[0]?.request.messages));
  expect((await check(session)).filter(({ type }) => type === 'context.compacted')).toHaveLength(1);
  expect((await reasons(session)).filter((reason) => reason === 'context.compacted')).toHaveLength(1);
});

test('a cancel in the middle of it ends the turn; the call counts, and the context is what it was', async () => {
  const client = await open();
  const session = await nearTheLimit(client);
  world.model.when(summaryRequest, [{ text: 'they' }, { hang: true }]);
  const turn = await client.submit(session, 'c');
  await eventually('the summary is under way', () => world.model.calls.at(-1)?.text === summaryRequest, { clock: world.clock });
  await client.cancel(session, turn);
  expect(await client.until(session, turn)).toMatchObject({ status: 'cancelled', usage: { model_calls: 1 } });
  expect((await check(session)).some(({ type }) => type === 'context.compacted')).toBe(false);
});

test('a call for the summary that fails is tried again as others are, and a summary without words is none', async () => {
  const client = await open();
  const session = await nearTheLimit(client);
  world.model.when(summaryRequest, [{ fails: () => new ModelError('busy', { retryable: true, status: 503 }), times: 1 }, { text: '   ' }]);
  const turn = await client.submit(session, 'c');
  await eventually('two attempts', () => world.model.calls.filter(({ text }) => text === summaryRequest).length === 2, { clock: world.clock });
  world.model.when(summaryRequest, [{ text: 'in short' }]);
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', usage: { model_calls: 4 } });
  await check(session);
});

test('refused for its length, it is compacted and tried once more', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  await client.until(session, await client.submit(session, 'first '.repeat(50)));
  world.model.when('x', [{ fails: tooLong, times: 1 }, { text: 'fits now' }]);
  world.model.when(summaryRequest, [{ text: 'in short' }]);
  expect(await client.until(session, await client.submit(session, 'x'))).toMatchObject({
    status: 'completed',
    outputText: 'fits now',
    usage: { model_calls: 3 },
  });
  expect(texts(world.model.calls.at(-1)?.request.messages)).toContain('in short');
  await check(session);
});

test('refused for its length again after that, or with nothing to replace, the turn fails and says why', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  world.model.when('x', [{ fails: tooLong }]);
  expect(await client.until(session, await client.submit(session, 'x'))).toMatchObject({ status: 'failed', errorCode: 'context_length_exceeded' });
  expect(world.model.calls).toHaveLength(1);
  await client.until(session, await client.submit(session, 'y'));
  expect(await client.until(session, await client.submit(session, 'x'))).toMatchObject({ status: 'failed', errorCode: 'context_length_exceeded' });
  expect((await check(session)).filter(({ type }) => type === 'context.compacted')).toHaveLength(1);
});

test('in the middle of a turn with tools: each request keeps its result', async () => {
  const client = await open();
  world.model.when('work', [{ text: 'looking' }, { call: 'look' }, used(500)], [{ call: 'look', id: 'again' }, used(900)], [{ text: 'found' }, used(200)]);
  world.model.when(summaryRequest, [{ text: 'looked once' }]);
  const session = await client.session(await client.agent({ tools: [builtin('look')], contextWindow: 1_000 }));
  expect(await client.until(session, await client.submit(session, 'work'))).toMatchObject({ status: 'completed' });
  const last = world.model.calls.at(-1)?.request.messages;
  expect(last?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  await check(session);
});

test('an agent that is shown its newest messages only is never compacted', async () => {
  const client = await open();
  const session = await nearTheLimit(client, { maxContextMessages: 4 });
  await client.until(session, await client.submit(session, 'c'));
  expect(world.model.calls.some(({ text }) => text === summaryRequest)).toBe(false);
});
