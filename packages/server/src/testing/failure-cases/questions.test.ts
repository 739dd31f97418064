/** Questions to people, answers in one request, and what was allowed for the session: over restarts, expiries and cancels. */
import { afterEach, expect, test } from 'vitest';
import { answerActions } from '../../app/answer-actions.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, builtin, createClient, external, fresh } from '../harness/client.ts';
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
  return log;
};
const asking = { question: 'Which size?', header: 'size', options: ['S', 'L'] };
const answerAll = (session: string, turn: string, answers: readonly object[]) =>
  answerActions(world.engine.app, ann, session, turn, { answers } as never, fresh('answers'));
/** A turn whose model asks the user, and waits. */
const ask = async (input: object = asking, more: object = {}) => {
  const client = await open();
  world.model.when('x', [{ call: 'ask_user', input: input as never }], [{ text: 'thanks' }]);
  const session = await client.session(await client.agent({ tools: [builtin('ask_user', more)], mode: 'ask' }));
  const turn = await client.submit(session, 'x');
  await client.until(session, turn, 'requires_action');
  const [action] = await client.actions(session, turn);
  return { client, session, turn, action, id: action?.request_id ?? '' };
};
const told = () => JSON.stringify(world.model.calls.at(-1)?.request.messages);

test('a question waits without a process through any number of restarts; its answer is what the model reads', async () => {
  const { client, session, turn, action, id } = await ask();
  expect(action).toMatchObject({ kind: 'question', prompt: 'Which size?', questions: [{ header: 'size' }], options: [{ label: 'S' }, { label: 'L' }] });
  for (let n = 0; n < 3; n += 1) {
    await world.clock.advance(5 * 3_600_000);
    await world.restart();
    expect(world.engine.runner.held).toBe(0);
    expect(await client.turn(session, turn)).toMatchObject({ status: 'requires_action', runs: 1 });
  }
  await client.answer(session, turn, id, { answers: { size: 'between S and L' } });
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', runs: 2, outputText: 'thanks' });
  expect(told()).toContain('between S and L');
  expect(world.model.calls).toHaveLength(2);
  await check(session);
});

test('a wrong answer is refused with every fault, resolves nothing and leaves its key unused', async () => {
  const { client, session, turn, id } = await ask({ questions: [asking, { question: 'Which colours?', header: 'colours', multi_select: true }] });
  const wrong = client.answer(session, turn, id, { answers: { size: ['L'], colour: 'red' } }, 'same');
  await expect(wrong).rejects.toMatchObject({
    code: 'validation_failed',
    details: {
      errors: [{ pointer: '/payload/answers/size' }, { pointer: '/payload/answers/colours' }, { pointer: '/payload/answers/colour' }],
    },
  });
  expect(await client.actions(session)).toHaveLength(1);
  await client.answer(session, turn, id, { answers: { size: 'L', colours: ['red', 'blue'] } }, 'same');
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
  await check(session);
});

test('a question that nobody answers expires by the clock, once, also over a restart; the model is told', async () => {
  const { client, session, turn, id } = await ask(asking, { expiresSeconds: 60 });
  await world.kill();
  await world.clock.advance(61_000);
  await world.open();
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
  expect(told()).toContain('Nobody answered in time.');
  await expect(client.answer(session, turn, id, { answers: { size: 'L' } })).rejects.toMatchObject({
    code: 'action_resolved',
    details: { action_id: id, resolution: 'expired' },
  });
  await check(session);
});

test('a question is closed by the cancel of its turn, and the queue moves', async () => {
  const { client, session, turn } = await ask();
  world.model.when('y', [{ text: 'next' }]);
  const next = await client.submit(session, 'y');
  await client.cancel(session, turn);
  expect(await client.until(session, turn)).toMatchObject({ status: 'cancelled' });
  expect(await client.until(session, next)).toMatchObject({ status: 'completed' });
  expect(await client.actions(session)).toEqual([]);
  await check(session);
});

test('answers of all kinds come in one request, or none is taken', async () => {
  const client = await open();
  world.model.when('x', [{ call: 'effect' }, { call: 'ask_user', input: asking }, { call: 'pay' }, { call: 'look' }], [{ text: 'all' }]);
  const asks = { permission: 'always_ask' } as const;
  const tools = [builtin('effect', asks), builtin('ask_user'), external('pay'), builtin('look', asks)];
  const session = await client.session(await client.agent({ tools }));
  const turn = await client.submit(session, 'x');
  await client.until(session, turn, 'requires_action');
  const [effect, question, pay, look] = (await client.actions(session)).map(({ request_id }) => request_id);
  const good = [
    { request_id: pay, payload: { output: 'paid' } },
    { request_id: look, decision: 'rejected', payload: { reason: 'not there' } },
    { request_id: effect, decision: 'approved' },
  ];
  await expect(answerAll(session, turn, [...good, { request_id: question, payload: { answers: {} } }])).rejects.toMatchObject({
    code: 'validation_failed',
    details: { errors: [{ pointer: '/answers/3/payload/answers/size' }] },
  });
  const twice = [...good, good[0] ?? {}];
  await expect(answerAll(session, turn, twice)).rejects.toMatchObject({ code: 'validation_failed' });
  expect(await client.actions(session)).toHaveLength(4);
  await answerAll(session, turn, [...good, { request_id: question, answers: { size: 'L' } }]);
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'all' });
  expect([world.tools.count('effect'), world.tools.count('look')]).toEqual([1, 0]);
  expect(told()).toMatch(/not there.*paid|paid.*not there/s);
  await check(session);
});

test('what was allowed for the session is not asked for again, in this turn, a later one or after a restart', async () => {
  const client = await open();
  world.model.when('x', [{ call: 'effect', input: { n: 1 } }], [{ call: 'effect', input: { n: 2 } }], [{ text: 'done' }]);
  world.model.when('y', [{ call: 'effect', input: { n: 3 } }], [{ text: 'done' }]);
  const tools = [builtin('effect', { permission: undefined } as never)];
  const agent = await client.agent({ tools, mode: 'ask' });
  const session = await client.session(agent);
  const turn = await client.submit(session, 'x');
  await client.until(session, turn, 'requires_action');
  const [action] = await client.actions(session);
  expect(action).toMatchObject({ kind: 'confirmation', can_remember: true });
  await client.answer(session, turn, action?.request_id ?? '', { allow: true, remember: 'session', input: { n: 10 } });
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
  await world.restart();
  expect(await client.until(session, await client.submit(session, 'y'))).toMatchObject({ status: 'completed' });
  expect(world.tools.runs.map(({ input }) => input)).toEqual([{ n: 10 }, { n: 2 }, { n: 3 }]);
  const log = await check(session);
  expect(log.filter(({ event }) => event.type === 'required_action.created')).toHaveLength(1);
  // It is this session's affair alone.
  const other = await client.session(agent);
  const asked = await client.submit(other, 'y');
  await client.until(other, asked, 'requires_action');
  await client.cancel(other, asked);
});

test('a tool that asks every time cannot be remembered: the answer says why, and the action stays open', async () => {
  const client = await open();
  world.model.when('x', [{ call: 'effect' }], [{ text: 'done' }]);
  const session = await client.session(await client.agent({ tools: [builtin('effect', { permission: 'always_ask' })] }));
  const turn = await client.submit(session, 'x');
  await client.until(session, turn, 'requires_action');
  const [action] = await client.actions(session);
  const answer = (payload: Record<string, unknown>) => client.answer(session, turn, action?.request_id ?? '', payload);
  for (const [payload, pointer] of [
    [{ allow: true, remember: 'session' }, '/payload/remember'],
    [{ allow: true, input: { text: 'a\0b' } }, '/payload/input/text'],
    [{ allow: true, input: 'all of it' }, '/payload/input'],
  ] as const) {
    await expect(answer(payload)).rejects.toMatchObject({ code: 'validation_failed', details: { errors: [{ pointer }] } });
  }
  await eventually('it is open', async () => (await client.actions(session)).length === 1);
  await answer({ allow: true });
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
  await check(session);
});
