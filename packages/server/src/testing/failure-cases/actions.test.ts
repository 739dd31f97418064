/** Required actions: denied, expired, answered in every order and at once, and waited for over restarts (cases 24, 25, 26, 31). */
import { afterEach, expect, test } from 'vitest';
import { checkSession } from '../harness/check-session.ts';
import { ann, bob, builtin, createClient, external, userCaller } from '../harness/client.ts';
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
const asks = { permission: 'always_ask' } as const;

test('case 24: one of three is denied, with a reason; each call has its result', async () => {
  const client = await open();
  world.model.when(
    'x',
    [
      { call: 'effect', input: { n: 1 } },
      { call: 'effect', input: { n: 2 } },
      { call: 'effect', input: { n: 3 } },
    ],
    [{ text: 'well' }],
  );
  const session = await client.session(await client.agent({ tools: [builtin('effect', asks)] }));
  const turn = await client.submit(session, 'x');
  await client.until(session, turn, 'requires_action');
  const [one, two, three] = await client.actions(session);
  await client.answer(session, turn, one?.request_id ?? '', { allow: true });
  await client.answer(session, turn, two?.request_id ?? '', { allow: false, reason: 'too dear' });
  await client.answer(session, turn, three?.request_id ?? '', { allow: true, input: { n: 33 } });
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
  expect(world.tools.runs.map((run) => run.input)).toEqual([{ n: 1 }, { n: 33 }]);
  expect(JSON.stringify(world.model.calls[1]?.request.messages)).toContain('too dear');
  await check(session);
});

test('case 25: an action past its expiry is denied once, by the clock, and the queue moves', async () => {
  const client = await open();
  world.model.when('x', [{ call: 'effect' }, { call: 'pay' }], [{ text: 'never mind' }]);
  const tools = [builtin('effect', { ...asks, expiresSeconds: 60 }), external('pay', { expiresSeconds: 90 })];
  const session = await client.session(await client.agent({ tools }));
  const turn = await client.submit(session, 'x');
  const next = await client.submit(session, 'y');
  await client.until(session, turn, 'requires_action');
  const [action] = await client.actions(session);
  await world.clock.advance(59_000);
  expect(await client.actions(session)).toHaveLength(2);
  await world.restart();
  await world.clock.advance(1_500);
  await eventually('it expired', async () => (await client.actions(session)).length === 1);
  await expect(client.answer(session, turn, action?.request_id ?? '', { allow: true })).rejects.toMatchObject({ code: 'action_resolved' });
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
  expect(await client.until(session, next)).toMatchObject({ status: 'completed' });
  expect(world.tools.count('effect')).toBe(0);
  const log = await check(session);
  const resolutions = log.flatMap(({ event }) => (event.type === 'required_action.resolved' ? [event.data.resolution] : []));
  expect(resolutions).toEqual(['expired', 'expired']);
});

const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;
test.each([...orders.map((order) => ({ order, together: false })), { order: [2, 1, 0] as const, together: true }])(
  'case 26: three gated calls answered in the order $order, together: $together',
  async ({ order, together }) => {
    const client = await open();
    world.model.when('x', [{ call: 'effect' }, { call: 'effect' }, { call: 'look' }], [{ text: 'all' }]);
    const session = await client.session(await client.agent({ tools: [builtin('effect', asks), builtin('look', asks)] }));
    const turn = await client.submit(session, 'x');
    await client.until(session, turn, 'requires_action');
    const actions = await client.actions(session);
    const answer = (at: number) => client.answer(session, turn, actions[at]?.request_id ?? '', { allow: true });
    if (together) {
      const twice = await Promise.allSettled([...order, ...order].map(answer));
      expect(twice.filter((result) => result.status === 'fulfilled')).toHaveLength(3);
    } else for (const at of order) await answer(at);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect([world.tools.count('effect'), world.tools.count('look')]).toEqual([2, 1]);
    await check(session);
  },
);

test('case 31: five restarts during a wait of two days: still waiting, held by nobody, still answerable', async () => {
  const client = await open();
  world.model.when('x', [{ call: 'pay' }], [{ text: 'thanks' }]);
  const session = await client.session(await client.agent({ tools: [external('pay')] }));
  const turn = await client.submit(session, 'x');
  await client.until(session, turn, 'requires_action');
  for (let n = 0; n < 5; n += 1) {
    await world.clock.advance(2 * 3_600_000);
    await world.restart();
    expect(world.engine.runner.held).toBe(0);
    expect(await client.turn(session, turn)).toMatchObject({ status: 'requires_action', runs: 1 });
  }
  const [action] = await client.actions(session);
  await client.answer(session, turn, action?.request_id ?? '', { output: 'paid' });
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', runs: 2, outputText: 'thanks' });
  await check(session);
}, 60_000);

test('A4: a refused answer leaves its action open and its key unused', async () => {
  const client = await open();
  for (const approver of ['owner', 'application'] as const) {
    world.model.when(approver, [{ call: 'effect' }], [{ text: 'done' }]);
    const session = await client.session(await client.agent({ tools: [builtin('effect', { ...asks, approver })] }));
    const turn = await client.submit(session, approver);
    await client.until(session, turn, 'requires_action');
    const [action] = await client.actions(session);
    const answer = (by = client) => by.answer(session, turn, action?.request_id ?? '', { allow: true }, `answer-${approver}`);
    await expect(answer(createClient(world, bob))).rejects.toMatchObject({ code: 'not_found' });
    const admin = createClient(world, userCaller('bob', { admin: true }));
    await expect(answer(admin)).rejects.toMatchObject({ code: 'approver_required', details: { action_id: action?.request_id } });
    expect(await client.actions(session)).toHaveLength(1);
    await answer();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    await check(session);
  }
  expect(world.tools.count('effect')).toBe(2);
});

test('a result that arrives after the cancel changes nothing', async () => {
  const client = await open();
  world.model.when('x', [{ call: 'slow' }, { call: 'pay' }]);
  const session = await client.session(await client.agent({ tools: [builtin('slow'), external('pay')] }));
  const turn = await client.submit(session, 'x');
  await eventually('the tool runs', () => world.tools.gate.waiting() === 1);
  const [action] = await client.actions(session);
  await client.cancel(session, turn);
  expect(await client.until(session, turn)).toMatchObject({ status: 'cancelled' });
  await expect(client.answer(session, turn, action?.request_id ?? '', { output: 'late' })).rejects.toMatchObject({ code: 'action_resolved' });
  world.tools.gate.open();
  await world.clock.advance(60_000);
  expect(JSON.stringify(await check(session))).not.toContain('slow and sure');
});
