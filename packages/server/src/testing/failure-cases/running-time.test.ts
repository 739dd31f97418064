/** What counts as running time and as a model call, and what a stopping server begins: S22, N15, N16. */
import { afterEach, describe, expect, test } from 'vitest';
import { ModelError } from '../../ports/model.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, createClient, external } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { settle } from '../harness/settle.ts';
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
const minutes = (n: number): number => n * 60_000;

describe('timeoutSeconds', () => {
  test('S22 does not count the time in which no process was there', async () => {
    const client = await open();
    const gate = createGate();
    world.model.when('x', [{ text: 'a' }, { gate }, { text: 'b' }]);
    const session = await client.session(await client.agent(), { timeoutSeconds: 600 });
    const turn = await client.submit(session, 'x');
    await gate.reached;
    await world.kill();
    await world.clock.advance(minutes(120));
    gate.open();
    await world.open();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'ab', runs: 2 });
    await check(session);
  });

  test('N16 does not run while the first model call stands in line', async () => {
    const client = await open({ slots: 1 });
    const gates = [createGate(), createGate()] as const;
    world.model.when('first', [{ gate: gates[0] }, { text: 'done' }]);
    world.model.when('second', [{ gate: gates[1] }, { text: 'done' }]);
    const agent = await client.agent();
    const sessions = [await client.session(agent), await client.session(agent), await client.session(agent, { timeoutSeconds: 60 })] as const;
    const first = await client.submit(sessions[0], 'first');
    await gates[0].reached;
    const second = await client.submit(sessions[1], 'second');
    const third = await client.submit(sessions[2], 'third');
    await settle(20);
    gates[0].open();
    await gates[1].reached;
    await settle(20);
    // The second has begun in the only slot and keeps it for its call: the third has not begun.
    expect((await client.turn(sessions[2], third)).status).toBe('queued');
    await world.clock.advance(minutes(10));
    await settle(20);
    gates[1].open();
    expect((await client.until(sessions[0], first)).status).toBe('completed');
    expect((await client.until(sessions[1], second)).status).toBe('completed');
    expect((await client.until(sessions[2], third)).status).toBe('completed');
    await check(sessions[2]);
  });
});

describe('S25 a failed turn that is resumed', () => {
  test('has only the running time left that it had not used', async () => {
    const client = await open();
    const gate = createGate();
    const broken = () => new ModelError('broken', { retryable: false });
    world.model.when('x', [{ gate }, { fails: broken }]);
    world.model.when('[The turn is resumed. Please continue where you stopped.]', [{ hang: true }]);
    const session = await client.session(await client.agent(), { timeoutSeconds: 600 });
    const turn = await client.submit(session, 'x');
    await gate.reached;
    await world.clock.advance(minutes(9));
    gate.open();
    expect((await client.until(session, turn)).status).toBe('failed');
    await world.clock.advance(minutes(60));
    await client.resume(session, turn);
    await settle(20);
    await world.clock.advance(30_000);
    expect((await client.turn(session, turn)).status).toBe('running');
    await world.clock.advance(31_000);
    expect(await client.turn(session, turn)).toMatchObject({ status: 'timed_out', runs: 2 });
    await check(session);
  });
});

describe('a stopping server', () => {
  test('N15 begins nothing that waited for a slot, and does not wait for it', async () => {
    const client = await open({ slots: 1 });
    const gate = createGate();
    world.model.when('busy', [{ gate }, { text: 'done' }]);
    const agent = await client.agent();
    const first = await client.session(agent);
    const busy = await client.submit(first, 'busy');
    await gate.reached;
    const second = await client.session(agent);
    const waiting = await client.submit(second, 'x');
    await settle(20);
    const stopped = world.stop(10_000);
    await settle(20);
    gate.open();
    await stopped;
    expect(world.model.calls).toHaveLength(1);
    await world.open();
    expect((await client.until(first, busy)).status).toBe('completed');
    // One run: it was not begun only to be handed over.
    expect(await client.until(second, waiting)).toMatchObject({ status: 'completed', runs: 1 });
    await check(second);
  });
});

describe('usage', () => {
  test('a model call that was stopped before it said anything counts, as one whose use is not known', async () => {
    const client = await open();
    world.model.when('x', [{ hang: true }]);
    const session = await client.session(await client.agent());
    const turn = await client.submit(session, 'x');
    await settle(20);
    await client.cancel(session, turn);
    const done = await client.until(session, turn);
    expect(done.status).toBe('cancelled');
    expect(done.usage).toMatchObject({ model_calls: 1, cost_complete: false, by_model: { 'scripted:model': { model_calls: 1 } } });
    await check(session);
  });

  test('one that was stopped in mid-answer counts under its model', async () => {
    const client = await open();
    world.model.when('x', [{ text: 'half' }, { hang: true }]);
    const session = await client.session(await client.agent());
    const turn = await client.submit(session, 'x');
    await settle(40);
    await client.cancel(session, turn);
    expect((await client.until(session, turn)).usage.by_model).toMatchObject({ 'scripted:model': { model_calls: 1 } });
    await check(session);
  });
});

test('a confirmed call of the application keeps its expiry', async () => {
  const client = await open();
  world.model.when('x', [{ call: 'pay' }], [{ text: 'over' }]);
  const session = await client.session(await client.agent({ tools: [external('pay', { permission: 'always_ask', expiresSeconds: 60 })] }));
  const turn = await client.submit(session, 'x');
  await client.until(session, turn, 'requires_action');
  const [confirmation] = await client.actions(session, turn);
  await client.answer(session, turn, confirmation?.request_id ?? '', { allow: true });
  await client.until(session, turn, 'requires_action');
  expect(await client.actions(session, turn)).toMatchObject([{ kind: 'external_execution', approver: 'owner', expires_at: expect.any(Number) }]);
  await world.clock.advance(minutes(2));
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'over' });
  await check(session);
});
