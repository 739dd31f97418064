/** Child sessions: delegating in the foreground and background, cancel, actions, deletion, and crashes anywhere (case 17). */
import { childSessionId, type SessionId, type TurnId } from '@turnkeeper/core/session/ids';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeDefinition } from '../../app/manage-agents.ts';
import { deleteSession } from '../../app/manage-session.ts';
import { ModelError } from '../../ports/model.ts';
import { addApplication } from '../harness/application.ts';
import { checkSession } from '../harness/check-session.ts';
import { type AgentSketch, ann, builtin, type Client, createClient, external, userCaller } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { eventually } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
let client: Client;
const helperOf = (agentId: string, name = 'helper') => ({ agentId, name, description: 'helps' });
const delegate = (message: string, more: Record<string, unknown> = {}) => ({ call: 'delegate', input: { name: 'helper', message, ...more } });

/** An agent that may delegate to a helper with these tools. */
const team = async (helper: AgentSketch = {}, more: AgentSketch = {}): Promise<string> =>
  client.session(await client.agent({ ...more, subagents: [helperOf(await client.agent(helper))] }));
const childOf = (turnId: string, n = 1): SessionId => childSessionId(turnId as TurnId, n);
const turnOf = (child: string): string => `turn_${child.slice('ses_'.length)}`;
const kinds = async (sessionId: string): Promise<readonly string[]> => (await checkSession(world.store, sessionId)).log.map(({ event }) => event.type);
const sound = async (...sessions: readonly string[]): Promise<void> => {
  for (const session of sessions) expect((await checkSession(world.store, session, { app: world.engine.app, caller: ann })).faults).toEqual([]);
  expect(world.model.faults()).toEqual([]);
};

beforeEach(async () => {
  world = await openWorld();
  client = createClient(world, ann);
});
afterEach(() => world.close());

describe('a child in the foreground', () => {
  it('works on the message in a session of its own, and its output is the result', async () => {
    world.model.when('plan', [delegate('look it up')], [{ text: 'planned' }]);
    world.model.when('look it up', [{ text: 'found it' }]);
    const session = await team();
    const turn = await client.submit(session, 'plan');
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'planned' });
    const child = childOf(turn);
    expect(await client.turn(child, turnOf(child))).toMatchObject({ status: 'completed', outputText: 'found it' });
    expect(JSON.stringify(world.model.calls.at(-1)?.request.messages)).toContain('found it');
    expect((await kinds(session)).filter((type) => type.startsWith('subagent.'))).toEqual(['subagent.started', 'subagent.completed']);
    await sound(session, child);
  });

  it('holds no slot while it waits: one slot is enough for three levels', async () => {
    await world.close();
    world = await openWorld({ slots: 1 });
    client = createClient(world, ann);
    world.model.when('one', [delegate('two')], [{ text: '1' }]);
    world.model.when('two', [delegate('three')], [{ text: '2' }]);
    world.model.when('three', [{ text: '3' }]);
    const leaf = await client.agent();
    const middle = await client.agent({ subagents: [helperOf(leaf)] });
    const session = await client.session(await client.agent({ subagents: [helperOf(middle)] }));
    const turn = await client.submit(session, 'one');
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: '1' });
  });

  it('ends a cycle at the depth: the last level has nobody to delegate to', async () => {
    const { app } = world.engine;
    const agent = await client.agent();
    const { definition } = (await app.catalog.agentVersion(agent, 1)) ?? { definition: {} };
    await changeDefinition(app, userCaller('admin', { admin: true }), agent, 1, { ...definition, subagents: [helperOf(agent)] } as never);
    world.model.when('go', [delegate('go')], [{ text: 'up' }]);
    const session = await client.session(agent);
    const turn = await client.submit(session, 'go');
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    const rows = await world.store.descendants({ root: session as SessionId, under: '', limit: 9 });
    expect(rows.map(({ path }) => path)).toEqual(['helper:1', 'helper:1/helper:1', 'helper:1/helper:1/helper:1']);
    const deepest = world.model.calls.filter(({ request }) => !request.tools.some(({ name }) => name === 'delegate'));
    expect(deepest).toHaveLength(2);
  });

  it('that fails gives its parent an error to go on with', async () => {
    world.model.when('plan', [delegate('break')], [{ text: 'went on' }]);
    world.model.when('break', [{ fails: () => new ModelError('no', { retryable: false }) }]);
    const session = await team();
    const turn = await client.submit(session, 'plan');
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'went on' });
    expect(JSON.stringify(world.model.calls.at(-1)?.request.messages)).toContain('The delegated task failed');
  });

  it('asks in the parent’s turn too, and is answered there, once', async () => {
    world.model.when('plan', [delegate('buy')], [{ text: 'bought' }]);
    world.model.when('buy', [{ call: 'pay' }], [{ text: 'paid' }]);
    const session = await team({ tools: [external('pay')] });
    const turn = await client.submit(session, 'plan');
    await client.until(session, turn, 'requires_action');
    const child = childOf(turn);
    const [action] = await client.actions(session, turn);
    expect(action).toMatchObject({ child_session_id: child, kind: 'external_execution' });
    expect((await client.actions(child, turnOf(child)))[0]?.request_id).toBe(action?.request_id);
    await client.answer(session, turn, action?.request_id ?? '', { output: 'done' });
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'bought' });
    await expect(client.answer(child, turnOf(child), action?.request_id ?? '', { output: 'again' })).rejects.toMatchObject({ code: 'action_resolved' });
    await sound(session, child);
  });
});

describe('a child in the background', () => {
  it('lets its parent go on, and makes the turn take one more step for its result', async () => {
    const gate = createGate();
    world.model.when('plan', [delegate('slowly', { background: true })], [{ gate }, { text: 'so far' }]);
    world.model.when('slowly', [{ text: 'the news' }]);
    const session = await team();
    const turn = await client.submit(session, 'plan');
    const child = childOf(turn);
    await eventually('the child is over', async () => (await kinds(session)).includes('subagent.completed'));
    gate.open();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(world.model.calls.at(-1)?.request.messages)).toContain('the news');
    await sound(session, child);
  });

  it('reaches the next turn when its parent’s has ended, also after a restart', async () => {
    const gate = createGate();
    world.model.when('plan', [delegate('slowly', { background: true })], [{ text: 'started' }]);
    world.model.when('slowly', [{ gate }, { text: 'the news' }]);
    const session = await team();
    const turn = await client.submit(session, 'plan');
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'started' });
    await world.restart();
    client = createClient(world, ann);
    gate.open();
    await eventually('the child is over', async () => (await kinds(session)).includes('subagent.completed'), { clock: world.clock });
    const next = await client.submit(session, 'and?');
    await client.until(session, next);
    expect(JSON.stringify(world.model.calls.at(-1)?.request.messages)).toContain('the news');
    await sound(session, childOf(turn));
  });
});

describe('cancel and deletion', () => {
  it('a foreground, a background and a nested child all end, and no model is called later', async () => {
    world.model.when('plan', [delegate('deep'), delegate('hang', { background: true })], [{ hang: true }]);
    world.model.when('deep', [{ call: 'delegate', input: { name: 'leaf', message: 'hang' } }]);
    world.model.when('hang', [{ text: 'beginning' }, { hang: true }]);
    const leaf = await client.agent();
    const helper = await client.agent({ subagents: [helperOf(leaf, 'leaf')] });
    const session = await client.session(await client.agent({ subagents: [helperOf(helper)] }));
    const turn = await client.submit(session, 'plan');
    await eventually('all are under way', () => world.model.calls.filter(({ text }) => text === 'hang').length === 2, { clock: world.clock, mostMs: 100 });
    await client.cancel(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'cancelled' });
    const rows = await world.store.descendants({ root: session as SessionId, under: '', limit: 9 });
    expect(rows.map(({ path }) => path)).toHaveLength(3);
    for (const { id } of rows) expect(await client.until(id, turnOf(id))).toMatchObject({ status: 'cancelled' });
    const calls = world.model.calls.length;
    await world.clock.advance(60_000);
    expect(world.model.calls).toHaveLength(calls);
    await sound(session, ...rows.map(({ id }) => id));
  });

  it('a deleted root takes its children along at once, and what runs of them stops', async () => {
    world.model.when('plan', [delegate('hang')]);
    world.model.when('hang', [{ hang: true }]);
    const session = await team();
    const turn = await client.submit(session, 'plan');
    await eventually('the child is under way', () => world.model.calls.some(({ text }) => text === 'hang'));
    const child = childOf(turn);
    await deleteSession(world.engine.app, ann, session);
    await expect(client.turn(child, turnOf(child))).rejects.toMatchObject({ code: 'not_found' });
    await eventually('its call is aborted', () => world.model.calls.find(({ text }) => text === 'hang')?.ended() === 'aborted');
  });

  it('a child that a deletion did not reach deletes itself before it begins anything', async () => {
    world.model.when('plan', [delegate('hang')]);
    world.model.when('hang', [{ hang: true }]);
    const session = await team();
    const turn = await client.submit(session, 'plan');
    await eventually('the child is under way', () => world.model.calls.some(({ text }) => text === 'hang'));
    const { lane } = (await world.engine.app.sessions.find(session as SessionId)) ?? {};
    await lane?.command(() => ({ asks: [{ type: 'delete' }] }));
    // Not there any more, though nobody has touched it yet.
    await expect(client.turn(childOf(turn), turnOf(childOf(turn)))).rejects.toMatchObject({ code: 'not_found' });
    expect((await world.store.load(childOf(turn)))?.row.deletedAt).toBeNull();
    const calls = world.model.calls.length;
    await world.restart();
    await eventually('it is deleted', async () => (await world.store.load(childOf(turn)))?.row.deletedAt !== null, { clock: world.clock });
    expect(world.model.calls).toHaveLength(calls);
  });
});

describe('what a child is', () => {
  it('was frozen with its root: a later change of its agent does not reach it', async () => {
    world.model.when('plan', [delegate('look')], [{ text: 'done' }]);
    const { app } = world.engine;
    const helper = await client.agent();
    const session = await client.session(await client.agent({ subagents: [helperOf(helper)] }));
    const { definition } = (await app.catalog.agentVersion(helper, 1)) ?? { definition: {} };
    await changeDefinition(app, userCaller('admin', { admin: true }), helper, 1, { ...definition, system: 'changed' } as never);
    await client.until(session, await client.submit(session, 'plan'));
    expect(world.model.calls.filter(({ text }) => text === 'look').map(({ request }) => request.system)).toEqual(['test']);
  });

  it('is reached by whoever reaches its root: a key without a grant for its agent too, and nobody else', async () => {
    world.model.when('plan', [delegate('look')], [{ text: 'done' }]);
    const leader = await client.agent({ subagents: [helperOf(await client.agent())] });
    const { key } = await addApplication(world);
    const granted = createClient(world, { ...key, targets: [{ type: 'agent', id: leader }] });
    const session = await granted.session(leader);
    const turn = await granted.submit(session, 'plan');
    await granted.until(session, turn);
    const child = childOf(turn);
    expect(await granted.turn(child, turnOf(child))).toMatchObject({ status: 'completed' });
    await expect(createClient(world, userCaller('bob')).turn(child, turnOf(child))).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an owner with limits', () => {
  it('is not kept from its children by its own parents', async () => {
    await world.close();
    world = await openWorld({ limitsOf: () => ({ running: 1, unfinished: 1 }) });
    client = createClient(world, ann);
    world.model.when('plan', [delegate('a'), delegate('b')], [{ text: 'both' }]);
    const session = await team();
    const turn = await client.submit(session, 'plan');
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(await world.store.quota('user:ann')).toMatchObject({ unfinished: 0, running: 0 });
  });

  it('nor when a child begins again while its parent is the one turn that may run', async () => {
    await world.close();
    world = await openWorld({ limitsOf: () => ({ running: 1 }) });
    client = createClient(world, ann);
    world.model.when('plan', [delegate('a')], [{ text: 'done' }]);
    world.model.when('a', [{ fails: () => new ModelError('busy', { retryable: true }), times: 1 }, { text: 'late' }]);
    const session = await team();
    const turn = await client.submit(session, 'plan');
    await eventually('the child waits to try again', () => world.model.calls.some(({ text }) => text === 'a'));
    const child = await world.engine.app.sessions.find(childOf(turn));
    // Its run is handed over and begins anew; its parent's goes on meanwhile.
    await child?.lane.fact(child.session.head.fence, () => ({ asks: [{ type: 'end_run', cause: 'handed_over' }] }));
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'done' });
  });
});

describe('tools of a child', () => {
  it('never run unasked because somebody delegated (case 27)', async () => {
    world.model.when('plan', [delegate('act')], [{ text: 'ok' }]);
    world.model.when('act', [{ call: 'effect' }], [{ text: 'acted' }]);
    const session = await team({ tools: [builtin('effect', { permission: 'always_ask' })] });
    const turn = await client.submit(session, 'plan');
    await client.until(session, turn, 'requires_action');
    expect(world.tools.count('effect')).toBe(0);
    const [action] = await client.actions(session, turn);
    await client.answer(session, turn, action?.request_id ?? '', { allow: true });
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(world.tools.count('effect')).toBe(1);
  });
});
