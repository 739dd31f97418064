/** N19 to N21: a node that cannot renew its lease stops by itself, and comes back under another name. */
import { afterEach, expect, test } from 'vitest';
import type { Bus } from '../ports/bus.ts';
import { builtin, createClient } from '../testing/harness/client.ts';
import { createGate } from '../testing/harness/gate.ts';
import { eventually, settle } from '../testing/harness/settle.ts';
import { openWorld, type World, type WorldOptions } from '../testing/harness/world.ts';

/** Other nodes write to the same store. */
const sharedBus: Bus = { shared: true, publish: () => {}, subscribe: () => () => {} };
const leaseMs = 15_000;

let world: World;
afterEach(async () => {
  await world.close();
  expect(world.clock.waiting).toBe(0);
});
const open = async (options: WorldOptions = {}) => {
  world = await openWorld({ bus: sharedBus, expectsReports: true, ...options });
  return createClient(world);
};
const heartbeatsFail = (kind: 'refused' | 'held_before' | 'held_after' | 'lost_before' | 'lost_after', times = 1_000) =>
  world.faulty.inject({ method: 'heartbeat', call: 1, times, effect: { kind } });
const runEnds = async (session: string): Promise<readonly unknown[]> => {
  const sid = (await world.store.load(session as never))?.head.sid ?? 0;
  const ends = (await world.store.events({ sid, after: 0, limit: 1_000 })).filter((row) => row.type === 'run.ended');
  return ends.map((row) => (JSON.parse(row.data) as { readonly status: unknown }).status);
};
const dispatched = async (sid: number) => (await world.store.events({ sid, after: 0, limit: 100 })).filter((row) => row.type === 'tool.dispatched').length;

test.each(['refused', 'held_before', 'held_after', 'lost_before'] as const)(
  'N19 N20 when no heartbeat succeeds (%s) for the lease, what runs is aborted; the turn goes on when the store is back',
  async (kind) => {
    const client = await open();
    world.model.when('x', [{ text: 'a' }, { hang: true }]);
    const session = await client.session(await client.agent());
    const turn = await client.submit(session, 'x');
    await eventually('the model is asked', () => world.model.calls.length === 1);
    const before = (await world.store.load(session as never))?.head;
    heartbeatsFail(kind);
    await world.clock.advance(leaseMs);
    expect(world.model.calls[0]?.ended()).toBe('aborted');
    expect(world.engine.runner.held).toBe(0);
    expect((await world.store.load(session as never))?.head.seq).toBe(before?.seq);
    // Nothing begins anywhere here meanwhile.
    const other = await client.submit(await client.session(await client.agent()), 'y');
    await world.clock.advance(2 * leaseMs);
    expect(world.model.calls).toHaveLength(1);
    world.model.when('x', [{ text: 'a' }]);
    world.faulty.release();
    const done = await client.until(session, turn);
    expect(done).toMatchObject({ status: 'completed', runs: 2 });
    // LV1: the process lived, so that this was no crash.
    expect(await runEnds(session)).toEqual(['handed_over', 'completed']);
    expect(other).toBeTruthy();
    const after = (await world.store.load(session as never))?.head;
    expect(after?.fence).toBeGreaterThan(before?.fence ?? 0);
  },
);

test('an embedded store has no lease: a medium that fails for long costs no run', async () => {
  const client = await open({ bus: { ...sharedBus, shared: false } });
  const gate = createGate();
  world.model.when('x', [{ gate }, { text: 'a' }]);
  const session = await client.session(await client.agent());
  const turn = await client.submit(session, 'x');
  await gate.reached;
  heartbeatsFail('refused', 20);
  await world.clock.advance(4 * leaseMs);
  gate.open();
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', runs: 1 });
});

test('N19 a process that was stopped past its lease starts no tool on what it dispatched before', async () => {
  const client = await open();
  world.model.when('x', [{ call: 'effect' }], [{ text: 'done' }]);
  const session = await client.session(await client.agent({ tools: [builtin('effect')] }));
  const sid = (await world.store.load(session as never))?.head.sid ?? 0;
  // The dispatch is committed; its answer is read after the long stop.
  world.faulty.inject({ method: 'write', call: 5, effect: { kind: 'held_after' } });
  await client.submit(session, 'x');
  await eventually('the call is dispatched', async () => (await dispatched(sid)) === 1);
  world.clock.sleepThrough(leaseMs);
  world.faulty.release();
  await settle(20);
  expect(world.tools.count('effect')).toBe(0);
  expect(world.engine.runner.held).toBe(0);
  await world.clock.advance(leaseMs);
  expect(world.tools.count('effect')).toBe(0);
});

test('N19 a process that was stopped past its lease makes no model call on what it claimed before', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  world.faulty.inject({ method: 'context', call: 1, effect: { kind: 'held_after' } });
  const turn = await client.submit(session, 'x');
  await eventually('the prompt is read', () => world.faulty.calls('context') === 1);
  world.clock.sleepThrough(leaseMs);
  world.faulty.release();
  await settle(20);
  expect(world.model.calls).toHaveLength(0);
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', runs: 2 });
  // LV1: perhaps it stood still for what it ran.
  expect(await runEnds(session)).toEqual(['lost', 'completed']);
});

test('N19 the time of day may be set by hand: the lease goes on', async () => {
  const client = await open();
  const gate = createGate();
  world.model.when('x', [{ gate }, { text: 'a' }]);
  const session = await client.session(await client.agent());
  const turn = await client.submit(session, 'x');
  await gate.reached;
  for (let n = 0; n < 4; n += 1) await world.clock.advance(leaseMs / 3);
  expect(world.engine.runner.held).toBe(1);
  gate.open();
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', runs: 1 });
});

test('N21 a heartbeat of the name before that arrives late keeps nothing from the others', async () => {
  const client = await open();
  world.model.when('x', [{ hang: true }]);
  const session = await client.session(await client.agent());
  const turn = await client.submit(session, 'x');
  await eventually('the model is asked', () => world.model.calls.length === 1);
  heartbeatsFail('held_before', 3);
  world.model.when('x', [{ text: 'a' }]);
  await world.clock.advance(leaseMs + 5_000);
  // Back, and announced anew, before what hung is carried out.
  expect(world.engine.runner.mayStart()).toBe(true);
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', runs: 2 });
  world.faulty.release();
  await settle(20);
  const next = await client.submit(session, 'x');
  expect(await client.until(session, next)).toMatchObject({ status: 'completed', runs: 1 });
});
