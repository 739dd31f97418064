/** Cancelling: at every moment of a turn, of work that does not listen, and of turns that wait (cases 11, 12, 13, 16). */

import { isSessionId } from '@turnkeeper/core/session/ids';
import { afterEach, expect, test } from 'vitest';
import { ModelError } from '../../ports/model.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, builtin, createClient, external } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { wholeLog } from '../harness/log-checker.ts';
import { eventually, settle } from '../harness/settle.ts';
import { watchSession } from '../harness/watch-session.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World | undefined;
afterEach(async () => {
  if (!world) return;
  await world.close();
  expect(world.clock.waiting).toBe(0);
  world = undefined;
});

const check = async (of: World, session: string) => {
  const { faults, log } = await checkSession(of.store, session, { app: of.engine.app, caller: ann });
  expect([...faults, ...of.model.faults()]).toEqual([]);
  return log;
};

const cancelAt = async (index: number): Promise<{ readonly events: number; readonly status: string }> => {
  const w = await openWorld();
  try {
    const client = createClient(w);
    w.model.when('go', [{ text: 'a' }, { text: 'b' }, { call: 'effect' }, { call: 'look' }], [{ text: 'c' }, { text: 'd' }]);
    const session = await client.session(await client.agent({ tools: [builtin('effect'), builtin('look')] }));
    const sid = (isSessionId(session) ? await w.store.load(session) : undefined)?.head.sid ?? 0;
    const before = (await wholeLog(w.store, sid)).length;
    const turn = await client.submit(session, 'go');
    let asked = false;
    const ask = (): void => {
      asked = true;
      client.cancel(session, turn).catch((error: { code?: string }) => expect(error.code).toBe('turn_closed'));
    };
    // As soon as the log has so many events of the turn, whatever else is under way.
    const watch = await watchSession(w, session, ann, (rows) => {
      if (!asked && rows.length >= before + index) ask();
    });
    const done = await client.until(session, turn);
    await settle();
    watch.stop();
    const { faults, log } = await checkSession(w.store, session, { app: w.engine.app, caller: ann });
    expect([...faults, ...w.model.faults()].map((fault) => `at ${index}: ${fault}`)).toEqual([]);
    expect(w.tools.count('effect')).toBeLessThanOrEqual(1);
    const next = await client.submit(session, 'next');
    expect(await client.until(session, next)).toMatchObject({ status: 'completed' });
    expect(w.model.faults()).toEqual([]);
    return { events: log.length - before, status: done.status };
  } finally {
    await w.close();
  }
};

test('case 11: cancel at every event index of a turn with text and two tools', async () => {
  const { events } = await cancelAt(100_000);
  const seen: string[] = [];
  for (let index = 1; index <= events; index += 1) seen.push((await cancelAt(index)).status);
  expect(new Set(seen)).toEqual(new Set(['cancelled', 'completed']));
  expect(seen.filter((status) => status === 'cancelled').length).toBeGreaterThan(events / 2);
});

test('case 12: a turn that waits for an approval is cancelled at once, the stream hears it, the next turn runs', async () => {
  world = await openWorld();
  const client = createClient(world);
  world.model.when('ask', [{ call: 'effect' }, { call: 'pay' }]);
  const session = await client.session(await client.agent({ tools: [builtin('effect', { permission: 'always_ask' }), external('pay')] }));
  const turn = await client.submit(session, 'ask');
  await client.until(session, turn, 'requires_action');
  const watch = await watchSession(world, session);
  const next = await client.submit(session, 'next');
  await client.cancel(session, turn);
  expect(await client.until(session, turn)).toMatchObject({ status: 'cancelled' });
  expect(await client.until(session, next)).toMatchObject({ status: 'completed' });
  expect(await client.actions(session)).toEqual([]);
  const types = watch.rows.map((row) => row.type);
  expect(types.filter((type) => type === 'required_action.resolved')).toHaveLength(2);
  expect(types.indexOf('required_action.resolved')).toBeLessThan(types.indexOf('turn.cancelled'));
  expect(world.tools.count('effect')).toBe(0);
  await expect(client.cancel(session, turn)).rejects.toMatchObject({ code: 'turn_closed' });
  watch.stop();
  await check(world, session);
});

test('case 13: a tool that ignores its signal is given up within the grace time, its outcome unknown', async () => {
  world = await openWorld({ graceMs: 30_000, slots: 2 });
  const client = createClient(world);
  world.model.when('stick', [{ call: 'stuck' }, { call: 'look' }]);
  const session = await client.session(await client.agent({ tools: [builtin('stuck'), builtin('look')] }));
  const turn = await client.submit(session, 'stick');
  await eventually('the tool runs', () => world?.tools.count('stuck') === 1);
  const at = world.clock.now();
  await client.cancel(session, turn);
  await client.cancel(session, turn);
  const done = await client.until(session, turn);
  expect(done).toMatchObject({ status: 'cancelled', unverifiedCalls: [expect.stringContaining('call1')] });
  expect(world.clock.now() - at).toBeLessThanOrEqual(32_000);
  for (const text of ['one', 'two', 'three']) expect(await client.until(session, await client.submit(session, text))).toMatchObject({ status: 'completed' });
  await check(world, session);
});

test('case 16: a model that ignores its abort holds neither the next turn nor a slot', async () => {
  world = await openWorld({ graceMs: 1_000, slots: 1 });
  const client = createClient(world);
  world.model.when('deaf', [{ text: 'I say ' }, { hang: 'deaf' }]);
  const session = await client.session(await client.agent());
  const turn = await client.submit(session, 'deaf');
  await eventually('the model speaks', () => (world?.model.calls.length ?? 0) === 1);
  await settle();
  await client.cancel(session, turn);
  expect(await client.until(session, turn)).toMatchObject({ status: 'cancelled' });
  expect(await client.until(session, await client.submit(session, 'next'))).toMatchObject({ status: 'completed', outputText: 'echo: next' });
  const told = JSON.stringify(world.model.calls.at(-1)?.request.messages);
  expect(told).toContain('I say ');
  await check(world, session);
});

test('what a completed step said is not said again in the note of a cancelled turn, nor in that of a later one', async () => {
  world = await openWorld();
  const client = createClient(world);
  world.model.when('first', [{ text: 'SECRET-1' }]);
  world.model.when('second', [{ text: 'SECRET-2' }, { call: 'polite' }]);
  const session = await client.session(await client.agent({ tools: [builtin('polite')] }));
  await client.until(session, await client.submit(session, 'first'));
  const turn = await client.submit(session, 'second');
  await eventually('the tool runs', () => world?.tools.count('polite') === 1);
  await client.cancel(session, turn);
  await client.until(session, turn);
  await client.until(session, await client.submit(session, 'third'));
  const told = JSON.stringify(world.model.calls.at(-1)?.request.messages);
  expect(told.split('SECRET-1').length - 1).toBe(1);
  expect(told.split('SECRET-2').length - 1).toBe(1);
});

test('N23 an attempt that fails in the commit in which its turn is cancelled counts once', async () => {
  world = await openWorld();
  const client = createClient(world);
  const gate = createGate();
  world.model.when('flaky', [{ gate }, { fails: () => new ModelError('busy', { retryable: true, status: 503 }) }]);
  const session = await client.session(await client.agent());
  const turn = await client.submit(session, 'flaky');
  await eventually('the call is made', () => world?.model.calls.length === 1);
  // What waits for the store, and what comes meanwhile, are committed together.
  world.faulty.inject({ method: 'write', call: 1, effect: { kind: 'refused' } });
  gate.open();
  await settle();
  await client.cancel(session, turn);
  expect(await client.until(session, turn)).toMatchObject({ status: 'cancelled', usage: { model_calls: 1 } });
  await check(world, session);
});

test('cancelling a turn whose store is in trouble does not wait for the pause', async () => {
  world = await openWorld({ expectsReports: true, graceMs: 1_000 });
  const client = createClient(world);
  const session = await client.session(await client.agent());
  world.faulty.inject({ method: 'context', call: 1, times: 1_000, effect: { kind: 'refused' } });
  const turn = await client.submit(session, 'x');
  for (let n = 0; n < 6; n += 1) await world.clock.advance(10_000);
  const at = world.clock.now();
  await client.cancel(session, turn);
  await eventually('cancelled', async () => (await client.turn(session, turn)).status === 'cancelled');
  expect(world.clock.now()).toBe(at);
});
