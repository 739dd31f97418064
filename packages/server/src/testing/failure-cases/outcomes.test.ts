/** How turns end when something fails: each way is told apart, each exactly once (cases 10, 15), and what is tried again. */
import { afterEach, describe, expect, test } from 'vitest';
import { readBudget, setBudget } from '../../app/manage-budget.ts';
import { readSnapshot } from '../../app/read-snapshot.ts';
import { submitTurn } from '../../app/submit-turn.ts';
import { ModelError } from '../../ports/model.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, builtin, createClient, external, fresh } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { eventually, settle } from '../harness/settle.ts';
import { createSurvivingClient } from '../harness/surviving-client.ts';
import { openWorld, type World, type WorldOptions } from '../harness/world.ts';

let world: World;
const open = async (options: WorldOptions = {}) => {
  world = await openWorld(options);
  return createClient(world);
};
afterEach(async () => {
  await world.close();
  expect(world.clock.waiting).toBe(0);
});
const check = async (session: string) => {
  const { faults, log } = await checkSession(world.store, session, { app: world.engine.app, caller: ann });
  expect([...faults, ...world.model.faults()]).toEqual([]);
  return log;
};
const busy = () => new ModelError('busy', { retryable: true, status: 503 });

describe('a throw', () => {
  test.each(['broken', 'rude'])('in the tool %s is an error result, and the turn goes on', async (name) => {
    const client = await open();
    world.model.when('x', [{ call: name }], [{ text: 'fine' }]);
    const session = await client.session(await client.agent({ tools: [builtin(name)] }));
    expect(await client.until(session, await client.submit(session, 'x'))).toMatchObject({ status: 'completed', outputText: 'fine' });
    expect(JSON.stringify(world.model.calls[1]?.request.messages)).toContain('"isError":true');
    await check(session);
  });

  test('in the model that is not its own fails the turn as ours, without its text', async () => {
    const client = await open({ expectsReports: true });
    world.model.when('x', [{ text: 'half' }, { fails: () => new TypeError('secret detail') }]);
    const session = await client.session(await client.agent());
    const done = await client.until(session, await client.submit(session, 'x'));
    expect(done).toMatchObject({ status: 'failed', errorCode: 'internal_error' });
    expect(JSON.stringify(await check(session))).not.toContain('secret detail');
    expect(world.reports).toHaveLength(1);
  });

  test('in the set-up of a step fails the turn once, and the next one runs', async () => {
    const client = await open({ expectsReports: true });
    const session = await client.session(await client.agent());
    const { store } = world.engine.app.sessions;
    const real = store.context.bind(store);
    let times = 0;
    store.context = (sid, last) => {
      times += 1;
      return times === 1 ? Promise.reject(new Error('unforeseen')) : real(sid, last);
    };
    expect(await client.until(session, await client.submit(session, 'x'))).toMatchObject({ status: 'failed', errorCode: 'internal_error' });
    expect(await client.until(session, await client.submit(session, 'y'))).toMatchObject({ status: 'completed' });
    await check(session);
  });

  test('before a turn could start is tried again at growing intervals, and nothing spins', async () => {
    const client = await open({ expectsReports: true, slots: 1 });
    world.model.when('first', [{ hang: true }]);
    const agent = await client.agent();
    const other = await client.session(agent);
    const blocker = await client.submit(other, 'first');
    const session = await client.session(agent);
    const turn = await client.submit(session, 'x');
    await world.kill();
    let times = 0;
    const real = world.store.payload.bind(world.store);
    world.store.payload = (sid, n) => {
      times += 1;
      return times <= 3 ? Promise.resolve(undefined) : real(sid, n);
    };
    const at = world.clock.now();
    await world.open();
    await eventually('the first try', () => times > 0);
    await client.cancel(other, blocker);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(times).toBe(4);
    expect(world.clock.now() - at).toBeGreaterThanOrEqual(1_000 + 2_000 + 4_000);
  });
});

describe('a model that fails', () => {
  test('is called again after the time that it asked for, then the turn completes', async () => {
    const client = await open();
    world.model.when('x', [{ text: 'ha' }, { fails: () => new ModelError('slow down', { retryable: true, retryAfterMs: 7_000 }), times: 2 }, { text: 'lf' }]);
    const session = await client.session(await client.agent());
    const at = world.clock.now();
    expect(await client.until(session, await client.submit(session, 'x'))).toMatchObject({ status: 'completed', outputText: 'half' });
    expect(world.clock.now() - at).toBeGreaterThanOrEqual(14_000);
    expect(world.model.calls).toHaveLength(3);
    await check(session);
  });

  test('keeps its waiting time over a crash and over a stop in good order', async () => {
    const client = await open();
    world.model.when('x', [{ fails: () => new ModelError('slow down', { retryable: true, retryAfterMs: 50_000 }), times: 1 }, { text: 'ok' }]);
    const session = await client.session(await client.agent());
    const at = world.clock.now();
    const turn = await client.submit(session, 'x');
    await eventually('the first attempt failed', () => world.model.calls[0]?.ended() === 'failed');
    await settle();
    await world.stop(1_000);
    await world.open();
    await world.clock.advance(20_000);
    await world.restart();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(world.model.calls).toHaveLength(2);
    expect(world.clock.now() - at).toBeGreaterThanOrEqual(50_000);
    await check(session);
  });

  test('for good ends the turn with its error; resumed, the turn completes', async () => {
    const client = await open();
    world.model.when('x', [{ fails: busy, times: 4 }, { text: 'late' }]);
    const session = await client.session(await client.agent());
    const turn = await client.submit(session, 'x');
    expect(await client.until(session, turn)).toMatchObject({ status: 'failed', errorCode: 'model_error', retryable: true });
    expect(world.model.calls).toHaveLength(4);
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', runs: 2 });
    await check(session);
  });

  test('ends without a finish: an attempt that failed', async () => {
    const client = await open();
    world.model.when('x', [{ text: 'a' }, { ends: true }]);
    const session = await client.session(await client.agent());
    expect(await client.until(session, await client.submit(session, 'x'))).toMatchObject({ status: 'failed', errorCode: 'model_error' });
    await check(session);
  });
});

describe('a model that counts its calls from 0 in every answer', () => {
  const look = { call: 'look', id: '0' } as const;

  test('names each of them once in a turn, in a further try of it, too', async () => {
    const client = await open();
    const expression = "result == 'long'";
    world.model.when('x', [look], [{ text: 'short' }]);
    const again = `[Your answer was checked, and it is not what is asked for yet:\n- \`${expression}\` is not true\nPlease answer again.]`;
    world.model.when(again, [look], [{ text: 'long' }]);
    const session = await client.session(await client.agent({ tools: [builtin('look')] }));
    const body = { message: 'x', outcome: { expression, maxTries: 2 } };
    const turn = (await submitTurn(world.engine.app, ann, session, body, fresh('submit'))).answer.id;
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'long' });
    expect(world.tools.runs.map(({ callId }) => callId)).toEqual(['0_1', '0_3']);
    await check(session);
  });

  test('and where the turn failed, and was resumed', async () => {
    const client = await open();
    world.model.when('x', [look], [{ fails: busy, times: 4 }]);
    world.model.when('[The turn is resumed. Please continue where you stopped.]', [look], [{ text: 'late' }]);
    const session = await client.session(await client.agent({ tools: [builtin('look')] }));
    const turn = await client.submit(session, 'x');
    expect(await client.until(session, turn)).toMatchObject({ status: 'failed' });
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'late' });
    const ids = world.tools.runs.map(({ callId }) => callId);
    expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
    await check(session);
  });
});

describe('limits of a turn', () => {
  test('timeoutSeconds counts running time only, ends the turn once, and never its successor', async () => {
    const client = await open();
    world.model.when('x', [{ call: 'pay' }], [{ text: 'thinking' }, { hang: true }]);
    const session = await client.session(await client.agent({ tools: [external('pay')] }), { timeoutSeconds: 10 });
    const turn = await client.submit(session, 'x');
    const next = await client.submit(session, 'next');
    await client.until(session, turn, 'requires_action');
    await world.clock.advance(6 * 3_600_000);
    const [action] = await client.actions(session, turn);
    await client.answer(session, turn, action?.request_id ?? '', { output: 'paid' });
    const at = world.clock.now();
    expect(await client.until(session, turn)).toMatchObject({ status: 'timed_out' });
    expect(world.clock.now() - at).toBeLessThanOrEqual(12_000);
    expect(await client.until(session, next)).toMatchObject({ status: 'completed' });
    await check(session);
  });

  test('a turn that completes in the very moment of its deadline does not take its successor with it', async () => {
    await open();
    const client = createSurvivingClient(world);
    const gate = createGate();
    world.model.when('x', [{ text: 'on time' }, { gate }]);
    world.model.when('next', [{ text: 'long' }, { hang: true }]);
    const session = await client.session(await client.agent(), { timeoutSeconds: 10 });
    const turn = await client.submit(session, 'x');
    const next = await client.submit(session, 'next');
    await gate.reached;
    // The last write of the first turn takes its time: the deadline passes while it is under way.
    await world.clock.advance(5_000);
    world.faulty.inject({ method: 'write', call: 1, effect: { kind: 'delayed', ms: 6_000, clock: world.clock } });
    gate.open();
    await world.clock.advance(6_000);
    await settle();
    const ended = await client.turn(session, turn);
    const follows = await client.turn(session, next);
    expect(['completed', 'timed_out']).toContain(ended.status);
    expect(['queued', 'running']).toContain(follows.status);
    await client.cancel(session, next);
    await client.until(session, next);
    await check(session);
  });

  test('maxIters', async () => {
    const client = await open();
    world.model.when('x', [{ call: 'look' }], [{ call: 'look' }], [{ call: 'look' }], [{ text: 'never' }]);
    const session = await client.session(await client.agent({ tools: [builtin('look')], maxIters: 3 }));
    expect(await client.until(session, await client.submit(session, 'x'))).toMatchObject({ status: 'failed', errorCode: 'max_steps' });
    expect(await client.until(session, await client.submit(session, 'y'))).toMatchObject({ status: 'completed' });
    await check(session);
  });

  test('a short context window always begins with a user message, however long the turn', async () => {
    const client = await open();
    const wide = Array.from({ length: 40 }, () => ({ call: 'look' }));
    world.model.when('x', wide, wide, [{ text: 'done' }]);
    const session = await client.session(await client.agent({ tools: [builtin('look')], maxContextMessages: 2 }));
    expect(await client.until(session, await client.submit(session, 'x'))).toMatchObject({ status: 'completed' });
    await check(session);
  });
});

test('case 15: cancel, provider failure, denial, timeout and a budget’s stop can be told apart, in the turn, the snapshot and the log', async () => {
  const client = await open();
  const { app } = world.engine;
  world.model.when('hang', [{ hang: true }]);
  world.model.when('fail', [{ fails: () => new ModelError('no', { retryable: false, status: 500 }) }]);
  world.model.when('deny', [{ call: 'effect' }], [{ text: 'as you like' }]);
  const session = await client.session(await client.agent({ tools: [builtin('effect', { permission: 'always_ask' })] }), { timeoutSeconds: 60 });
  const cancelled = await client.submit(session, 'hang');
  await client.until(session, cancelled, 'running');
  await client.cancel(session, cancelled);
  const failed = await client.submit(session, 'fail');
  const denied = await client.submit(session, 'deny');
  await client.until(session, denied, 'requires_action');
  const [action] = await client.actions(session);
  await client.answer(session, denied, action?.request_id ?? '', { allow: false, reason: 'not today' });
  const late = await client.submit(session, 'hang');
  for (const turn of [cancelled, failed, denied, late]) await client.until(session, turn);
  await setBudget(app, ann, session, { max_model_calls: (await readBudget(app, ann, session)).used.model_calls });
  const stopped = await client.submit(session, 'more');
  await client.until(session, stopped, 'interrupted');
  const all = [cancelled, failed, denied, late, stopped];
  const ends = [
    ['cancelled', null],
    ['failed', 'model_error'],
    ['completed', null],
    ['timed_out', 'timed_out'],
    ['interrupted', 'budget_exceeded'],
  ];
  const read = await Promise.all(all.map((turn) => client.turn(session, turn)));
  expect(read.map(({ status, errorCode }) => [status, errorCode])).toEqual(ends);
  const { turns, tools } = await readSnapshot(app, ann, session, 200);
  const shown = all.map((turn) => turns.find(({ data }) => data.turn_id === turn)?.data);
  expect(shown.map((turn) => [turn?.status, turn?.error_code ?? null])).toEqual(ends);
  expect(tools.map(({ data }) => [data.turn_id, data.status])).toEqual([[denied, 'denied']]);
  expect(JSON.stringify(world.model.calls.map((call) => call.request.messages))).toContain('not today');
  expect(world.tools.count('effect')).toBe(0);
  const log = await check(session);
  const told = (turn: string) => log.flatMap(({ event: { type, data } }) => ('turn_id' in data && data.turn_id === turn ? [type] : []));
  expect(all.map((turn) => told(turn).at(-1))).toEqual(ends.map(([status]) => `turn.${status}`));
  expect(told(stopped)).toContain('budget.exceeded');
  expect(told(denied)).toContain('required_action.resolved');
  // The stop is none of the ends: the turn goes on with more.
  await setBudget(app, ann, session, {});
  await client.resume(session, stopped);
  expect(await client.until(session, stopped)).toMatchObject({ status: 'completed' });
  await check(session);
});
