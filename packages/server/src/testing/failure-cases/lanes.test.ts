/** What a process keeps of sessions: one lane each, and nothing older than others can bear. */
import type { SessionId } from '@turnkeeper/core/session/ids';
import { afterEach, expect, test } from 'vitest';
import { cancelTurn } from '../../app/control-turn.ts';
import { createSession } from '../../app/create-session.ts';
import { changeSession, deleteSession } from '../../app/manage-session.ts';
import { readSession } from '../../app/read-sessions.ts';
import { waitForTurn } from '../../app/read-turn.ts';
import { Sessions } from '../../app/sessions.ts';
import { submitTurn } from '../../app/submit-turn.ts';
import { type Bus, silentBus } from '../../ports/bus.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, createClient, external, fresh } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { settle } from '../harness/settle.ts';
import { watchSession } from '../harness/watch-session.ts';
import { openWorld, type World } from '../harness/world.ts';

let worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.toReversed()) await world.close();
  worlds = [];
});
const open = async (...options: Parameters<typeof openWorld>): Promise<World> => {
  const world = await openWorld(...options);
  worlds.push(world);
  return world;
};

/** Two nodes on one store. What one publishes the other hears only while `hearing.on`. */
const twoNodes = async (hearing: { on: boolean }) => {
  const listeners: { readonly from: number; readonly hear: (sid: number, seq: number) => void }[] = [];
  const bus = (node: number): Bus => ({
    shared: true,
    publish: (sid, seq) => {
      if (hearing.on) for (const { from, hear } of listeners) if (from !== node) hear(sid, seq);
    },
    subscribe: (hear) => {
      listeners.push({ from: node, hear });
      return () => {};
    },
  });
  const here = await open({ bus: bus(0) });
  const there = await open({ bus: bus(1), store: { ...here.stores, close: async () => {} } });
  const client = createClient(here);
  const session = await client.session(await client.agent());
  await readSession(there.engine.app, ann, session);
  return { here: here.engine.app, there: there.engine.app, clock: there.clock, session, model: here.model, worlds: [here, there] as const };
};

test('a lane that somebody holds stays the one, though others have pushed it out', async () => {
  const world = await open();
  const client = createClient(world);
  const agent = await client.agent();
  const made: SessionId[] = [];
  for (let n = 0; n < 40; n += 1) made.push((await client.session(agent)) as SessionId);
  const sessions = new Sessions({ store: world.store, bus: silentBus, clock: world.clock, node: { current: 'node', renew: () => {} }, warmLanes: 10 });
  const first = made[0] as SessionId;
  const lane = (await sessions.find(first))?.lane;
  for (const id of made) await sessions.find(id);
  expect((await sessions.find(first))?.lane).toBe(lane);
  for (const id of made.slice(1)) await sessions.find(id);
  expect(sessions.lane(lane?.sid ?? 0)).toBe(lane);
});

test('a title set by another node is seen at once, or after two seconds when nobody was told', async () => {
  const hearing = { on: true };
  const { here, there, clock, session } = await twoNodes(hearing);
  await changeSession(here, ann, session, { title: 'told' });
  expect((await readSession(there, ann, session)).title).toBe('told');
  hearing.on = false;
  await changeSession(here, ann, session, { title: 'untold' });
  await clock.advance(2_001);
  expect((await readSession(there, ann, session)).title).toBe('untold');
});

test('a session that another node deleted is gone after two seconds though nobody was told', async () => {
  const { here, there, clock, session } = await twoNodes({ on: false });
  await deleteSession(here, ann, session);
  await clock.advance(2_001);
  await expect(readSession(there, ann, session)).rejects.toMatchObject({ code: 'not_found' });
});

test('the first message titles a session only if it has no title in the store', async () => {
  const { here, there, session } = await twoNodes({ on: false });
  await changeSession(here, ann, session, { title: 'mine' });
  await submitTurn(there, ann, session, { message: 'hello' }, fresh('submit'));
  const changed = await changeSession(here, ann, session, { metadata: { n: 1 } });
  expect(changed.title).toBe('mine');
});

test('the answer to a change shows what another node changed before', async () => {
  const { here, there, session } = await twoNodes({ on: false });
  await changeSession(here, ann, session, { title: 'mine' });
  expect(await changeSession(there, ann, session, { metadata: { n: 1 } })).toMatchObject({ title: 'mine', metadata: { n: 1 } });
});

test('what another node has just committed refuses nobody here, though nobody was told', async () => {
  const { here, there, session, model } = await twoNodes({ on: false });
  const gate = createGate();
  model.when('hello', [{ gate }, { text: 'never said' }]);
  const { answer: turn } = await submitTurn(here, ann, session, { message: 'hello' }, fresh('submit'));
  // By what this node knows of the session there is no such turn.
  const { answer: cancelled } = await cancelTurn(there, ann, session, turn.id, fresh('cancel'));
  expect(cancelled.command).toMatchObject({ kind: 'cancel', turn_id: turn.id });
});

test('a wish for which there is nothing to do, by what is known here, is decided on what is stored', async () => {
  const { here, there, session, model } = await twoNodes({ on: false });
  const gate = createGate();
  model.when('hello', [{ gate }, { text: 'never said' }]);
  const { answer: turn } = await submitTurn(here, ann, session, { message: 'hello' }, fresh('submit'));
  const found = await there.sessions.find(session as SessionId);
  const seen: (string | undefined)[] = [];
  await found?.lane.command(({ live }) => {
    seen.push(live?.id);
    return { asks: [] };
  });
  expect(seen.at(-1)).toBe(turn.id);
});

test('the word of a child reaches a parent that is known here from before the child was made', async () => {
  const { there, worlds } = await twoNodes({ on: false });
  for (const { model } of worlds) {
    model.when('plan', [{ call: 'delegate', input: { name: 'helper', message: 'buy' } }], [{ text: 'bought' }]);
    model.when('buy', [{ call: 'pay' }], [{ text: 'paid' }]);
  }
  const [client, other] = [createClient(worlds[0]), createClient(worlds[1])];
  const helper = { agentId: await client.agent({ tools: [external('pay')] }), name: 'helper', description: 'helps' };
  const parent = await client.session(await client.agent({ subagents: [helper] }));
  await readSession(there, ann, parent);
  const turn = await client.submit(parent, 'plan');
  await client.until(parent, turn, 'requires_action');
  const [action] = await client.actions(parent, turn);
  const child = action?.child_session_id ?? '';
  await other.answer(child, `turn_${child.slice('ses_'.length)}`, action?.request_id ?? '', { output: 'done' });
  expect(await other.until(parent, turn)).toMatchObject({ status: 'completed', outputText: 'bought' });
});

test('a process alone never reads a warm session again', async () => {
  const world = await open();
  const client = createClient(world);
  const session = (await createSession(world.engine.app, ann, { agent: await client.agent() }, undefined)).answer.id;
  await world.clock.advance(60_000);
  const reads = world.faulty.calls('load') + world.faulty.calls('loadBySid');
  await readSession(world.engine.app, ann, session);
  await changeSession(world.engine.app, ann, session, { title: 'x' });
  await settle();
  expect(world.faulty.calls('load') + world.faulty.calls('loadBySid')).toBe(reads);
});

test('a process alone opens streams and waits without reading what it knows', async () => {
  const world = await open();
  const client = createClient(world);
  const gate = createGate();
  world.model.when('x', [{ gate }, { text: 'done' }]);
  const session = await client.session(await client.agent());
  const turn = await client.submit(session, 'x');
  await gate.reached;
  await settle();
  const reads = () => (['load', 'loadBySid', 'heads', 'resource'] as const).map((method) => world.faulty.calls(method));
  const before = reads();
  (await watchSession(world, session, ann, () => {}, 1)).stop();
  expect(reads()).toEqual(before);
  const waiting = waitForTurn(world.engine.app, ann, session, turn, 60_000, new AbortController().signal);
  await settle();
  gate.open();
  expect(await waiting).toMatchObject({ status: 'completed', outputText: 'done' });
  expect(reads().map((count, at) => count - (before[at] ?? 0))).toEqual([0, 0, 0, 2]);
});

test('a wait hears of an outcome that is committed while it looks', async () => {
  const world = await open();
  const client = createClient(world);
  const gate = createGate();
  world.model.when('x', [{ gate }, { text: 'done' }]);
  const session = await client.session(await client.agent());
  const turn = await client.submit(session, 'x');
  await gate.reached;
  await settle();
  // Its first look at the turn gets its answer late: the turn was still running then, and is not any more.
  world.faulty.inject({ method: 'resource', call: 1, effect: { kind: 'held_after' } });
  const waiting = waitForTurn(world.engine.app, ann, session, turn, 3_600_000, new AbortController().signal);
  await settle();
  gate.open();
  await settle(20);
  world.faulty.release();
  expect(await waiting).toMatchObject({ status: 'completed' });
  expect(world.clock.now()).toBeLessThan(1_800_000_000_000 + 3_600_000);
});

test('news of the session while a batch loads what it touches lose nothing of it', async () => {
  const world = await open();
  const client = createClient(world);
  world.model.when('x', [{ call: 'order' }], [{ text: 'done' }]);
  const session = await client.session(await client.agent({ tools: [external('order')] }));
  const turn = await client.submit(session, 'x');
  await client.until(session, turn, 'requires_action');
  await world.restart();
  const [action] = await client.actions(session, turn);
  const lane = (await world.engine.app.sessions.find(session as SessionId))?.lane;
  // Something of it is loaded, and something is not yet.
  world.faulty.inject({ method: 'resources', call: 2, effect: { kind: 'held_after' } });
  const answered = client.answer(session, turn, action?.request_id ?? '', { output: 'paid' });
  await settle();
  lane?.forget();
  world.faulty.release();
  await answered;
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
  expect(await client.actions(session, turn)).toEqual([]);
  expect((await checkSession(world.store, session)).faults).toEqual([]);
});
