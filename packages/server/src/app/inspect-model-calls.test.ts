/** What is shown of a model call is what the model was given then, whatever became of the context since (MJ1, IQ1, IQ2). */
import type { ModelCallDetail } from '@turnkeeper/core/protocol/wire/model-calls';
import { summaryRequest } from '@turnkeeper/core/session/compaction';
import { childTurnId, type SessionId } from '@turnkeeper/core/session/ids';
import { afterEach, expect, test } from 'vitest';
import { ModelError } from '../ports/model.ts';
import { ann, bob, builtin, createClient, userCaller } from '../testing/harness/client.ts';
import { createGate } from '../testing/harness/gate.ts';
import { eventually } from '../testing/harness/settle.ts';
import { openWorld, type World } from '../testing/harness/world.ts';
import { listCheckpoints, restoreContext } from './checkpoints.ts';
import { exportSession } from './export-session.ts';
import { inspectModelCall, listModelCalls } from './inspect-model-calls.ts';

let world: World;
const open = async () => {
  world = await openWorld();
  return createClient(world);
};
afterEach(() => world.close());

const list = async (sessionId: string, turnId: string, caller = ann) =>
  (await listModelCalls(world.engine.app, caller, { sessionId, turnId }, { offset: 0, limit: 200 })).items;
const inspect = async (sessionId: string, turnId: string, caller = ann): Promise<readonly ModelCallDetail[]> => {
  const details: ModelCallDetail[] = [];
  for (const { id } of await list(sessionId, turnId)) details.push(await inspectModelCall(world.engine.app, caller, { sessionId, turnId, modelCallId: id }));
  return details;
};
/** As the wire has it. */
const shown = (message: unknown): unknown =>
  JSON.parse(
    JSON.stringify(message)
      .replaceAll('"type":"tool_call"', '"type":"tool_use"')
      .replaceAll('"callId":', '"tool_call_id":')
      .replaceAll('"isError":', '"is_error":'),
  );
/** What the model was really given, from the first call recorded. */
const given = (from: number) =>
  world.model.calls
    .slice(from)
    .map(({ request: { model, system, messages, tools } }) => ({ model, system, messages: messages.map(shown), tools, temperature: null }));
const requests = (details: readonly ModelCallDetail[]) => details.map(({ request }) => ({ ...request, messages: request.messages.map(shown) }));
const used = (input: number) => ({ usage: { input_tokens: input, output_tokens: 10, total_tokens: input + 10 } });
const tooLong = () => new ModelError('too long', { code: 'context_length_exceeded', retryable: false });

test('each step, try and steer is shown as it was made, also after all that came later', async () => {
  const client = await open();
  const gate = createGate();
  world.model.when('first', [{ text: 'said first' }]);
  world.model.when(
    'work',
    [{ fails: () => new ModelError('busy', { retryable: true, status: 503 }), times: 1 }, { text: 'looking' }, { gate }, { call: 'look', input: { at: 1 } }],
    [{ text: 'found' }],
  );
  const session = await client.session(await client.agent({ tools: [builtin('look')] }));
  await client.until(session, await client.submit(session, 'first'));
  const from = world.model.calls.length;
  const turn = await client.submit(session, 'work');
  await eventually('it is asked', () => gate.waiting() === 1, { clock: world.clock });
  // Said while the model speaks: not shown before the next step.
  await client.steer(session, turn, 'and quickly');
  gate.open();
  await client.until(session, turn);
  const later = world.model.calls.length;
  const after = await client.submit(session, 'later');
  await client.until(session, after);
  const [first] = (await listCheckpoints(world.engine.app, ann, session, { limit: 50 })).data.slice(-1);
  await restoreContext(world.engine.app, ann, session, { checkpoint_id: first?.checkpoint_id ?? '', reason: '' }, 'restore');
  const restored = await client.submit(session, 'restored');
  await client.until(session, restored);

  const details = await inspect(session, turn);
  expect(requests(details)).toEqual(given(from).slice(0, later - from));
  expect(details.map(({ kind, step, attempt, status, exact }) => [kind, step, attempt, status, exact])).toEqual([
    ['answer', 1, 1, 'failed', true],
    ['answer', 1, 2, 'completed', true],
    ['answer', 2, 1, 'completed', true],
  ]);
  expect(details[0]).toMatchObject({ errorCode: 'model_error', retryAt: expect.any(Number), usage: null, response: null });
  expect(details[1]).toMatchObject({
    usage: { total_tokens: 5 },
    cost: { currency: 'USD' },
    response: {
      complete: true,
      content: [
        { type: 'text', text: 'looking' },
        { type: 'tool_use', name: 'look', input: { at: 1 } },
      ],
    },
  });
  const [last] = await inspect(session, restored);
  expect(JSON.stringify(last?.request.messages)).not.toContain('later');
  expect(requests([last as ModelCallDetail])).toEqual(given(world.model.calls.length - 1));
});

test('a compaction shows what the summary was made of, and the call behind it the summary; one that was refused, too', async () => {
  const client = await open();
  world.model.when('a', [{ text: 'first answer' }, used(400)]);
  world.model.when('b', [{ text: 'second answer' }, used(850)]);
  world.model.when(summaryRequest, [{ fails: () => new ModelError('busy', { retryable: true, status: 503 }), times: 1 }, { text: 'they said a and b' }]);
  const session = await client.session(await client.agent({ contextWindow: 1_000 }));
  for (const text of ['a', 'b']) await client.until(session, await client.submit(session, text));
  const from = world.model.calls.length;
  const turn = await client.submit(session, 'c');
  await client.until(session, turn);
  const details = await inspect(session, turn);
  expect(requests(details)).toEqual(given(from));
  expect(details.map(({ kind, status, exact }) => [kind, status, exact])).toEqual([
    ['answer', 'failed', true],
    ['compaction', 'completed', true],
    ['answer', 'completed', true],
  ]);
  expect(details[1]?.response).toEqual({ complete: true, content: [{ type: 'text', text: 'they said a and b' }] });
});

test('a prompt that was refused for its length, and what became of it', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  await client.until(session, await client.submit(session, 'first '.repeat(50)));
  world.model.when('x', [{ fails: tooLong, times: 1 }, { text: 'fits now' }]);
  world.model.when(summaryRequest, [{ text: 'in short' }]);
  const from = world.model.calls.length;
  const turn = await client.submit(session, 'x');
  await client.until(session, turn);
  const details = await inspect(session, turn);
  expect(requests(details)).toEqual(given(from));
  expect(details.map(({ kind, status, errorCode, exact }) => [kind, status, errorCode, exact])).toEqual([
    ['answer', 'failed', 'context_length_exceeded', true],
    ['compaction', 'completed', null, true],
    ['answer', 'completed', null, true],
  ]);
});

test('an answer that was stopped shows what was said of it; the newest messages alone where the agent is shown no more', async () => {
  const client = await open();
  const session = await client.session(await client.agent({ maxContextMessages: 2 }));
  for (const text of ['a', 'b']) await client.until(session, await client.submit(session, text));
  world.model.when('c', [{ text: 'half of' }, { hang: true }]);
  const from = world.model.calls.length;
  const turn = await client.submit(session, 'c');
  await eventually('it speaks', async () => (await list(session, turn))[0]?.status === 'running', { clock: world.clock });
  await client.cancel(session, turn);
  await client.until(session, turn);
  const [detail] = await inspect(session, turn);
  expect(requests([detail as ModelCallDetail])).toEqual(given(from));
  expect(detail).toMatchObject({ status: 'cancelled', exact: true, response: { complete: false, content: [{ type: 'text', text: 'half of' }] } });
});

test('of a child session, too, with the tools that it has there', async () => {
  const client = await open();
  world.model.when('plan', [{ call: 'delegate', input: { name: 'helper', message: 'part' } }], [{ text: 'all' }]);
  world.model.when('part', [{ text: 'done' }]);
  const helper = { agentId: await client.agent(), name: 'helper', description: 'helps' };
  const session = await client.session(await client.agent({ subagents: [helper] }));
  const from = world.model.calls.length;
  const turn = await client.submit(session, 'plan');
  await client.until(session, turn);
  const [child = ''] = (await world.store.descendants({ root: session as SessionId, under: '', limit: 2 })).map(({ id }) => id);
  const [first, ofChild, last] = given(from);
  expect(requests(await inspect(session, turn))).toEqual([first, last]);
  expect(requests(await inspect(child, childTurnId(child as SessionId)))).toEqual([ofChild]);
});

test('is for the owner and admins; nothing of it is in an export', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const turn = await client.submit(session, 'hello');
  await client.until(session, turn);
  const admin = userCaller('root', { admin: true });
  expect((await inspect(session, turn, admin))[0]?.request.system).toBe('test');
  await expect(list(session, turn, bob)).rejects.toMatchObject({ code: 'not_found' });
  const [call] = await list(session, turn);
  const wanted = { sessionId: session, turnId: turn, modelCallId: `${call?.id}0` };
  await expect(inspectModelCall(world.engine.app, ann, wanted)).rejects.toMatchObject({ code: 'not_found' });
  const lines: string[] = [];
  for await (const line of await exportSession(world.engine.app, ann, session, { archive: true })) lines.push(line);
  expect(lines.join('')).not.toContain('"system"');
});
