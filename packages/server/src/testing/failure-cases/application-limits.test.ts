/** An application's limits over all its keys and sessions: running turns, unfinished turns, tokens. */

import type { SessionId } from '@turnkeeper/core/session/ids';
import { afterEach, expect, test } from 'vitest';
import { createSession } from '../../app/create-session.ts';
import { deleteSession } from '../../app/manage-session.ts';
import { submitTurn } from '../../app/submit-turn.ts';
import { ModelError } from '../../ports/model.ts';
import { type AppLimits, addApplication, countersOf, type TestApplication } from '../harness/application.ts';
import { ann, builtin, type Client, createClient, external, fresh } from '../harness/client.ts';
import { createGate, type Gate } from '../harness/gate.ts';
import { settle } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';
import { auditRow } from '../store-contract/samples.ts';

let world: World;
afterEach(() => world.close());

type Opened = { readonly client: Client; readonly app: TestApplication; readonly agent: string };
const open = async (limits: AppLimits, options: Parameters<typeof openWorld>[0] = {}): Promise<Opened> => {
  world = await openWorld(options);
  const app = await addApplication(world, limits);
  const client = createClient(world, app.key);
  return { client, app, agent: await client.agent({ tools: [builtin('slow'), external('ask')] }) };
};
/** A text whose answer waits until its gate is opened. */
const gated = (text: string): Gate => {
  const gate = createGate();
  world.model.when(text, [{ gate }, { text: `${text}!` }]);
  return gate;
};
const sidOf = async (session: string): Promise<number> => (await world.store.load(session as SessionId))?.head.sid ?? 0;
const statusOf = async (client: Client, session: string, turn: string) => (await client.turn(session, turn)).status;
const timeOf = async (): Promise<number> => world.clock.now();

test('of three sessions that are submitted to at once one runs; the others follow in order, at once, without time passing', async () => {
  const { client, app, agent } = await open({ maxConcurrent: 1 });
  const gates = ['a', 'b', 'c'].map(gated);
  const sessions = await Promise.all(gates.map(() => client.session(agent)));
  const turns = await Promise.all(['a', 'b', 'c'].map((text, n) => client.submit(sessions[n] as string, text)));
  await settle(40);
  const statuses = () => Promise.all(turns.map((turn, n) => statusOf(client, sessions[n] as string, turn)));
  const began = await timeOf();
  const seen: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    const now = await statuses();
    expect(now.filter((status) => status === 'running')).toHaveLength(1);
    expect((await world.store.quota(app.owner)).running).toBe(1);
    const at = now.indexOf('running');
    seen.push(at);
    gates[at]?.open();
    await settle(60);
  }
  expect(seen.toSorted()).toEqual([0, 1, 2]);
  expect(await statuses()).toEqual(['completed', 'completed', 'completed']);
  expect(await timeOf()).toBe(began);
  expect(await world.store.quota(app.owner)).toEqual({ unfinished: 0, running: 0, tokens: 15 });
});

test('a creation with a first turn starts it when there is room, and keeps it waiting when there is none', async () => {
  const { client, agent, app } = await open({ maxConcurrent: 1 });
  const gate = gated('a');
  const create = (message: string) => createSession(world.engine.app, app.key, { agent, initialMessage: { message } }, fresh('create'));
  const [one, two] = [(await create('a')).answer, (await create('b')).answer];
  await settle(20);
  expect(await statusOf(client, one.id, one.turnId ?? '')).toBe('running');
  expect(await statusOf(client, two.id, two.turnId ?? '')).toBe('queued');
  gate.open();
  expect(await client.until(two.id, two.turnId ?? '')).toMatchObject({ status: 'completed' });
});

test('between sessions it goes by turns: a session with many does not keep out another', async () => {
  const { client, agent } = await open({ maxConcurrent: 1 });
  const order: string[] = [];
  const gates = new Map(['a1', 'a2', 'a3', 'b1'].map((text) => [text, gated(text)]));
  const [a, b] = [await client.session(agent), await client.session(agent)];
  for (const text of ['a1', 'a2', 'a3']) await client.submit(a, text);
  await client.submit(b, 'b1');
  await settle(40);
  for (let n = 0; n < 4; n += 1) {
    const now = [...gates].find(([text, gate]) => gate.waiting() > 0 && !order.includes(text));
    if (!now) expect.fail(`nothing runs after ${order.join(' ')}`);
    order.push(now[0]);
    now[1].open();
    await settle(80);
  }
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
});

test('who waits for room holds no slot: with one slot another owner goes on meanwhile', async () => {
  const { client, agent } = await open({ maxConcurrent: 1 }, { slots: 1 });
  // Runs, and waits for the model's next try: no slot is in use.
  world.model.when('busy', [{ fails: () => new ModelError('busy', { retryable: true }), times: 1 }, { text: 'done' }]);
  const [one, two, three] = [await client.session(agent), await client.session(agent), await client.session(agent)];
  const turn = await client.submit(one, 'busy');
  await settle(40);
  await client.submit(two, 'x');
  const last = await client.submit(three, 'y');
  await settle(40);
  expect(await statusOf(client, one, turn)).toBe('running');
  const other = createClient(world, ann);
  const session = await other.session(await other.agent());
  const quick = await other.submit(session, 'hello');
  await settle(60);
  expect(await statusOf(other, session, quick)).toBe('completed');
  expect(await statusOf(client, three, last)).toBe('queued');
  await client.until(three, last);
});

test('a turn that waits for an answer makes room, and needs room to go on', async () => {
  const { client, agent, app } = await open({ maxConcurrent: 1 });
  world.model.when('ask', [{ call: 'ask' }], [{ text: 'done' }]);
  const gate = gated('b');
  const [one, two] = [await client.session(agent), await client.session(agent)];
  const asks = await client.submit(one, 'ask');
  await client.until(one, asks, 'requires_action');
  expect(await world.store.quota(app.owner)).toMatchObject({ unfinished: 1, running: 0 });
  const other = await client.submit(two, 'b');
  await settle(40);
  const [action] = await client.actions(one, asks);
  await client.answer(one, asks, action?.request_id ?? '', { output: 'yes' });
  await settle(40);
  expect([await statusOf(client, one, asks), await statusOf(client, two, other)]).toEqual(['queued', 'running']);
  gate.open();
  expect(await client.until(one, asks)).toMatchObject({ status: 'completed' });
});

test('a deleted session that ran makes room at once; a waiting turn that is cancelled lets the next one through', async () => {
  const { client, agent, app } = await open({ maxConcurrent: 1 });
  gated('a');
  const [one, two, three] = [await client.session(agent), await client.session(agent), await client.session(agent)];
  await client.submit(one, 'a');
  await settle(20);
  const [waits, last] = [await client.submit(two, 'b'), await client.submit(three, 'c')];
  await settle(20);
  await client.cancel(two, waits);
  await settle(20);
  await deleteSession(world.engine.app, app.key, one);
  await settle(60);
  expect(await statusOf(client, two, waits)).toBe('cancelled');
  expect(await statusOf(client, three, last)).toBe('completed');
});

test('a process that dies gives back what ran; the turns go on one after the other', async () => {
  const { client, agent, app } = await open({ maxConcurrent: 1 });
  const gates = ['a', 'b'].map(gated);
  const [one, two] = [await client.session(agent), await client.session(agent)];
  const turns = [await client.submit(one, 'a'), await client.submit(two, 'b')];
  await settle(40);
  expect(await world.store.quota(app.owner)).toMatchObject({ unfinished: 2, running: 1 });
  await world.restart();
  for (const gate of gates) gate.open();
  expect(await client.until(one, turns[0] as string)).toMatchObject({ status: 'completed' });
  expect(await client.until(two, turns[1] as string)).toMatchObject({ status: 'completed' });
  const { counted, is } = await countersOf(world.store, app.owner, [await sidOf(one), await sidOf(two)]);
  expect(counted).toEqual(is);
  expect(counted).toMatchObject({ unfinished: 0, running: 0 });
});

test('a limit that is raised or lifted counts within seconds, though nothing of the application moves', async () => {
  const { client, agent, app } = await open({ maxConcurrent: 1 });
  for (const text of ['a', 'b']) gated(text);
  const [one, two] = [await client.session(agent), await client.session(agent)];
  const turns = [await client.submit(one, 'a'), await client.submit(two, 'b')];
  await settle(40);
  expect(await statusOf(client, two, turns[1] as string)).toBe('queued');
  await world.engine.app.catalog.updateApplication(app.id, 1, { maxConcurrent: null }, 5, auditRow());
  await world.clock.advance(7_000);
  await settle(20);
  expect(await statusOf(client, two, turns[1] as string)).toBe('running');
});

test('a limit that is lowered is kept as soon as what runs has ended, though turns follow each other in each session', async () => {
  const { client, agent, app } = await open({ maxConcurrent: 2 });
  const first = ['a', 'b'].map(gated);
  const sessions = [await client.session(agent), await client.session(agent)];
  for (const [n, text] of ['a', 'b'].entries()) await client.submit(sessions[n] as string, text);
  for (const text of ['c', 'd']) gated(text);
  const next = [await client.submit(sessions[0] as string, 'c'), await client.submit(sessions[1] as string, 'd')];
  await settle(40);
  expect(await world.store.quota(app.owner)).toMatchObject({ unfinished: 4, running: 2 });
  await world.engine.app.catalog.updateApplication(app.id, 1, { maxConcurrent: 1 }, 5, auditRow());
  world.engine.app.sessions.limits.forget(app.owner);
  for (const gate of first) gate.open();
  await settle(80);
  expect(await world.store.quota(app.owner)).toMatchObject({ unfinished: 2, running: 1 });
  const statuses = await Promise.all(next.map((turn, n) => statusOf(client, sessions[n] as string, turn)));
  expect(statuses.toSorted()).toEqual(['queued', 'running']);
});

test('RG1 waiting for room writes nothing', async () => {
  const { client, agent } = await open({ maxConcurrent: 1 });
  gated('a');
  const sessions = await Promise.all(Array.from({ length: 4 }, () => client.session(agent)));
  for (const session of sessions) await client.submit(session, session === sessions[0] ? 'a' : 'b');
  await settle(80);
  const before = world.faulty.calls('write');
  await world.clock.advance(20_000);
  expect(world.faulty.calls('write')).toBe(before);
});

test('unfinished turns: the one too many is refused, named as the application’s, and its key is not used up', async () => {
  const { client, agent } = await open({ maxUnfinished: 2 });
  const gates = ['a', 'b'].map(gated);
  const [one, two] = [await client.session(agent), await client.session(agent)];
  const turn = await client.submit(one, 'a', 'A');
  await client.submit(two, 'b');
  await expect(client.submit(two, 'c', 'C')).rejects.toMatchObject({
    code: 'queue_full',
    message: 'The application has 2 unfinished turns; the limit is 2.',
    details: { scope: 'application', limit: 2, pending_count: 2, retry_after_ms: 1_000 },
  });
  expect(await client.submit(one, 'a', 'A')).toBe(turn);
  for (const gate of gates) gate.open();
  await client.until(one, turn);
  await client.until(two, await client.submit(two, 'c', 'C'));
});

test('a spent budget refuses new turns, answers repeats, and lets go on what was accepted', async () => {
  const { client, agent, app } = await open({ tokenBudget: 10 });
  const gate = gated('slow');
  const [one, two] = [await client.session(agent), await client.session(agent)];
  const first = await client.submit(one, 'a', 'A');
  await client.until(one, first);
  const slow = await client.submit(two, 'slow');
  const waits = await client.submit(two, 'after');
  await client.until(one, await client.submit(one, 'b'));
  const spent = { code: 'token_budget_exhausted', details: { limit: 10, used: 10 } };
  await expect(client.submit(one, 'c', 'C')).rejects.toMatchObject(spent);
  const create = (message: string, key: string) => createSession(world.engine.app, app.key, { agent, initialMessage: { message } }, key);
  await expect(create('d', 'D')).rejects.toMatchObject(spent);
  await expect(client.submit(one, 'other', 'A')).rejects.toMatchObject({ code: 'idempotency_conflict' });
  expect(await submitTurn(world.engine.app, app.key, one, { message: 'a' }, 'A')).toMatchObject({ replayed: true, answer: { id: first } });
  await client.session(agent);
  gate.open();
  expect(await client.until(two, slow)).toMatchObject({ status: 'completed' });
  expect(await client.until(two, waits)).toMatchObject({ status: 'completed' });
  expect((await world.store.quota(app.owner)).tokens).toBe(20);
});

test('an application without limits is counted, a user is not', async () => {
  const { client, agent, app } = await open({});
  const session = await client.session(agent);
  await client.until(session, await client.submit(session, 'a'));
  expect(await world.store.quota(app.owner)).toEqual({ unfinished: 0, running: 0, tokens: 5 });
  const other = createClient(world, ann);
  const own = await other.session(agent);
  await other.until(own, await other.submit(own, 'a'));
  expect(await world.store.quota('user:ann')).toEqual({ unfinished: 0, running: 0, tokens: 0 });
});
