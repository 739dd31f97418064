/**
 * Where features meet: what is said to a turn, its children, its budget, its context and its end, at the same time
 * (cases 12, 17, 20, 22, 25, 34, 35).
 */
import { summaryRequest } from '@turnkeeper/core/session/compaction';
import { childSessionId, type SessionId, type TurnId } from '@turnkeeper/core/session/ids';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listCheckpoints, restoreContext } from '../../app/checkpoints.ts';
import { createSession } from '../../app/create-session.ts';
import { exportSession } from '../../app/export-session.ts';
import { Family } from '../../app/family.ts';
import { forkSession } from '../../app/fork-session.ts';
import { importSession } from '../../app/import-session.ts';
import { setBudget } from '../../app/manage-budget.ts';
import { archiveSession, deleteSession } from '../../app/manage-session.ts';
import { readQueue, reorderQueue } from '../../app/queue.ts';
import { readSnapshot } from '../../app/read-snapshot.ts';
import type { Sessions } from '../../app/sessions.ts';
import { submitTurn } from '../../app/submit-turn.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import { checkSession } from '../harness/check-session.ts';
import { type AgentSketch, ann, type Client, createClient, external, fresh, userCaller } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { eventually, settle } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
let client: Client;
beforeEach(async () => {
  world = await openWorld();
  client = createClient(world, ann);
});
afterEach(() => world.close());

const delegate = (message: string, more: Record<string, unknown> = {}) => ({ call: 'delegate', input: { name: 'helper', message, ...more } });
const slowly = delegate('slowly', { background: true });
const used = (input: number) => ({ usage: { input_tokens: input, output_tokens: 10, total_tokens: input + 10 } });
const team = async (helper: AgentSketch = {}, more: AgentSketch = {}): Promise<string> =>
  client.session(await client.agent({ ...more, subagents: [{ agentId: await client.agent(helper), name: 'helper', description: 'helps' }] }));
const childOf = (turnId: string, n = 1): SessionId => childSessionId(turnId as TurnId, n);
const turnOf = (child: string): string => `turn_${child.slice('ses_'.length)}`;
const logOf = async (session: string) => (await checkSession(world.store, session)).log.map(({ event }) => event);
const sound = async (...sessions: readonly string[]): Promise<void> => {
  for (const session of sessions) expect((await checkSession(world.store, session, { app: world.engine.app, caller: ann })).faults).toEqual([]);
  expect(world.model.faults()).toEqual([]);
};
const asked = (text: string) =>
  eventually(`"${text}" is asked`, () => world.model.calls.some((call) => call.text === text), { clock: world.clock, mostMs: 100 });
/** What users, children and tools said to the model that was called last. */
const heard = (): string => JSON.stringify(world.model.calls.at(-1)?.request.messages.filter(({ role }) => role !== 'assistant'));
const ended = (session: string) =>
  eventually('its children are over', async () => (await logOf(session)).some(({ type }) => type === 'subagent.completed'), { clock: world.clock });
const limit = (session: string, max_model_calls: number) => setBudget(world.engine.app, ann, session, { max_model_calls });

describe('a parent that waits for its child', () => {
  it('hears a steer with the result, once each', async () => {
    const gate = createGate();
    world.model.when('plan', [delegate('look')]);
    world.model.when('look', [{ gate }, { text: 'the find' }]);
    const session = await team();
    const turn = await client.submit(session, 'plan');
    await asked('look');
    await client.steer(session, turn, 'be brief');
    await client.inject(session, 'by the way');
    gate.open();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'echo: by the way' });
    for (const said of ['the find', 'be brief', 'by the way']) expect(heard().split(said)).toHaveLength(2);
    await sound(session, childOf(turn));
  });

  it('is interrupted by a new turn: what the child asks is closed in both, the new turn is next, then those that were queued', async () => {
    world.model.when('plan', [delegate('buy'), delegate('hang')]);
    world.model.when('buy', [{ call: 'pay' }]);
    world.model.when('hang', [{ hang: true }]);
    const session = await team({ tools: [external('pay')] });
    const turn = await client.submit(session, 'plan');
    const queued = await client.submit(session, 'later');
    await client.steer(session, turn, 'unheard');
    await eventually('the child asks', async () => (await client.actions(session, turn)).length > 0, { clock: world.clock, mostMs: 100 });
    const next = (await submitTurn(world.engine.app, ann, session, { message: 'now', onBusy: 'interrupt' }, fresh('k'))).answer.id;
    for (const [id, status] of [
      [turn, 'cancelled'],
      [next, 'completed'],
      [queued, 'completed'],
    ] as const)
      expect(await client.until(session, id)).toMatchObject({ status });
    const started = (await logOf(session)).flatMap(({ type, data }) => (type === 'run.started' ? [(data as { turn_id: string }).turn_id] : []));
    expect(started).toEqual([turn, next, queued]);
    for (const n of [1, 2]) expect(await client.turn(childOf(turn, n), turnOf(childOf(turn, n)))).toMatchObject({ status: 'cancelled' });
    expect(heard()).not.toContain('unheard');
    await sound(session, childOf(turn, 1), childOf(turn, 2));
  });

  it('is cancelled while its child is stopped at a limit: both end, and the next turn runs when the limit is raised', async () => {
    world.model.when('plan', [delegate('look')]);
    const session = await team();
    await limit(session, 1);
    const turn = await client.submit(session, 'plan');
    await client.until(session, turn, 'interrupted');
    const next = await client.submit(session, 'next');
    await client.cancel(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'cancelled' });
    expect(await client.until(childOf(turn), turnOf(childOf(turn)))).toMatchObject({ status: 'cancelled' });
    await client.until(session, next, 'interrupted');
    await limit(session, 9);
    await client.resume(session, next);
    expect(await client.until(session, next)).toMatchObject({ status: 'completed', outputText: 'echo: next' });
    expect(world.model.calls).toHaveLength(2);
    await sound(session, childOf(turn));
  });

  it('is being cancelled while an action of its child expires: it is closed once, and both end', async () => {
    world.model.when('plan', [delegate('buy'), delegate('deaf')]);
    world.model.when('buy', [{ call: 'pay' }]);
    world.model.when('deaf', [{ hang: 'deaf' }]);
    const session = await team({ tools: [external('pay', { expiresSeconds: 5 })] });
    const turn = await client.submit(session, 'plan');
    await asked('deaf');
    await eventually('the child asks', async () => (await client.actions(session, turn)).length > 0, { clock: world.clock, mostMs: 100 });
    await client.cancel(session, turn);
    await world.clock.advance(10_000);
    expect(await client.until(session, turn)).toMatchObject({ status: 'cancelled' });
    for (const n of [1, 2]) expect(await client.until(childOf(turn, n), turnOf(childOf(turn, n)))).toMatchObject({ status: 'cancelled' });
    const closed = (await logOf(session)).filter(({ type }) => type === 'required_action.resolved');
    expect(closed).toHaveLength(1);
    await sound(session, childOf(turn, 1), childOf(turn, 2));
  });

  it('tells how an action of its child ended, whoever closed it', async () => {
    world.model.when('plan', [delegate('buy')]);
    world.model.when('buy', [{ call: 'pay' }], [{ call: 'pay', id: 'again' }]);
    const session = await team({ tools: [external('pay', { expiresSeconds: 5 })] });
    const turn = await client.submit(session, 'plan');
    await client.until(session, turn, 'requires_action');
    const [first] = await client.actions(session, turn);
    await client.answer(childOf(turn), turnOf(childOf(turn)), first?.request_id ?? '', { output: 'paid' });
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    const closed = (await logOf(session)).flatMap(({ type, data }) =>
      type === 'required_action.resolved' ? [(data as { resolution: string }).resolution] : [],
    );
    expect(closed).toEqual(['answered', 'expired']);
    await sound(session, childOf(turn));
  });

  it('knows how its child is when a look at it was overtaken by the child’s own word (CF4)', async () => {
    const gate = createGate();
    world.model.when('plan', [delegate('buy')], [{ text: 'bought' }]);
    world.model.when('buy', [{ call: 'pay' }], [{ gate }, { text: 'paid' }]);
    const session = await team({ tools: [external('pay')] });
    const turn = await client.submit(session, 'plan');
    await client.until(session, turn, 'requires_action');
    const child = childOf(turn);
    const [action] = await client.actions(session, turn);
    const { sessions } = world.engine.app;
    let first = true;
    // Between what the look read and what it tells, the child is answered and says so itself.
    const overtaken = new Proxy(sessions.store, {
      get: (store, name: keyof SessionStore) => {
        if (name !== 'resources') return (store[name] as (...args: unknown[]) => unknown).bind(store);
        return async (...args: Parameters<SessionStore['resources']>) => {
          const read = await store.resources(...args);
          if (!first) return read;
          first = false;
          await client.answer(child, turnOf(child), action?.request_id ?? '', { output: 'done' });
          await client.until(session, turn, 'running');
          return read;
        };
      },
    });
    const seen = { find: (id: SessionId) => sessions.find(id), store: overtaken, formats: sessions.formats };
    const family = new Family(seen as unknown as Sessions, world.clock);
    const parent = await sessions.find(session as SessionId);
    if (parent) await family.look(parent.session, parent.lane, child);
    await settle(20);
    expect(await client.actions(session, turn)).toEqual([]);
    expect((await logOf(session)).filter(({ type }) => type === 'required_action.created')).toHaveLength(1);
    expect(await client.turn(session, turn)).toMatchObject({ status: 'running' });
    gate.open();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'bought' });
  });
});

describe('compaction', () => {
  /** A child whose second call comes near the limit of what its model takes. */
  const near = () => {
    world.model.when('plan', [delegate('work'), used(5)], [{ text: 'planned' }, used(5)]);
    world.model.when('work', [{ text: 'looking' }, { call: 'look' }, used(500)], [{ call: 'look', id: 'again' }, used(900)], [{ text: 'found' }, used(200)]);
  };
  const look = { tools: [{ type: 'builtin', name: 'look', permission: 'always_allow' } as never], contextWindow: 1_000 };

  it('of a child that a limit stops is made when the limit is raised, and counts', async () => {
    near();
    world.model.when(summaryRequest, [{ text: 'looked once' }, used(900)]);
    const session = await team(look);
    await limit(session, 3);
    const turn = await client.submit(session, 'plan');
    await client.until(session, turn, 'interrupted');
    expect(world.model.calls).toHaveLength(3);
    await limit(session, 99);
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'planned' });
    expect((await logOf(childOf(turn))).filter(({ type }) => type === 'context.compacted')).toHaveLength(1);
    await sound(session, childOf(turn));
  });

  it('does not swallow what is said while it is made, and is given up with a turn that is cancelled', async () => {
    const gate = createGate();
    world.model.when('work', [{ call: 'look' }, used(500)], [{ call: 'look', id: 'again' }, used(900)], [{ text: 'found' }, used(200)]);
    world.model.when(summaryRequest, [{ gate }, { text: 'looked once' }, used(900)]);
    const session = await client.session(await client.agent(look));
    const turn = await client.submit(session, 'work');
    await asked(summaryRequest);
    await client.steer(session, turn, 'be brief');
    await client.inject(session, 'by the way');
    gate.open();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'echo: by the way' });
    for (const said of ['looked once', 'be brief', 'by the way']) expect(heard().split(said)).toHaveLength(2);
    const log = await logOf(session);
    const at = (type: string): number => log.findIndex((event) => event.type === type);
    expect(at('context.compacted')).toBeLessThan(at('input.applied'));
    await sound(session);
  });
});

describe('an output that is repaired', () => {
  it('takes a steer in that came meanwhile', async () => {
    const gate = createGate();
    const agent = await client.agent();
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const created = await createSession(world.engine.app, ann, { target: { type: 'agent', id: agent }, outputSchema: schema } as never, fresh('create'));
    const session = created.answer.id;
    world.model.when('where', [{ gate }, { text: 'Rome, of course' }]);
    world.model.when('in capitals', [{ text: '{"city":"ROME"}' }]);
    const turn = await client.submit(session, 'where');
    await asked('where');
    await client.steer(session, turn, 'in capitals');
    gate.open();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', result: { city: 'ROME' } });
    await sound(session);
  });
});

describe('a child in the background', () => {
  const begun = async (gate: ReturnType<typeof createGate>) => {
    world.model.when('plan', [slowly], [{ text: 'started' }]);
    world.model.when('slowly', [{ gate }, { text: 'the news' }]);
    const session = await team();
    const turn = await client.submit(session, 'plan');
    await client.until(session, turn);
    return { session, turn };
  };

  it('stands in the way of a restore and a fork until its result was heard (CX1)', async () => {
    const gate = createGate();
    const { session, turn } = await begun(gate);
    const { app } = world.engine;
    const [checkpoint] = (await listCheckpoints(app, ann, session, { limit: 1 })).data;
    const restore = () => restoreContext(app, ann, session, { checkpoint_id: checkpoint?.checkpoint_id ?? '', reason: 'back' }, fresh('k'));
    const fork = () => forkSession(app, ann, session, { reason: 'a trial' }, fresh('k'));
    const details = { in_the_way: ['open_children'], child_session_ids: [childOf(turn)] };
    await expect(restore()).rejects.toMatchObject({ code: 'session_busy', details });
    await expect(fork()).rejects.toMatchObject({ code: 'session_busy', details });
    gate.open();
    await ended(session);
    await expect(restore()).rejects.toMatchObject({ details: { in_the_way: ['unapplied_inputs'] } });
    await client.until(session, await client.submit(session, 'and?'));
    await restore();
    await fork();
    await sound(session);
  });

  it('takes no injects, and its context is not restored: it has one turn (CX5, IN6)', async () => {
    const gate = createGate();
    const { session, turn } = await begun(gate);
    const child = childOf(turn);
    await expect(client.inject(child, 'by the way')).rejects.toMatchObject({ code: 'not_supported' });
    await client.steer(child, turnOf(child), 'be brief');
    gate.open();
    await ended(session);
    const { app } = world.engine;
    const [checkpoint] = (await listCheckpoints(app, ann, child, { limit: 1 })).data;
    const restored = restoreContext(app, ann, child, { checkpoint_id: checkpoint?.checkpoint_id ?? '', reason: 'back' }, fresh('k'));
    await expect(restored).rejects.toMatchObject({ code: 'not_supported' });
    await sound(session, child);
  });

  it('ends in an archived session, and its result is heard when that is back', async () => {
    const gate = createGate();
    const { session } = await begun(gate);
    await archiveSession(world.engine.app, ann, session, true);
    gate.open();
    await ended(session);
    await archiveSession(world.engine.app, ann, session, false);
    await client.until(session, await client.submit(session, 'and?'));
    expect(heard()).toContain('the news');
    await sound(session);
  });

  it('makes its session no record before it has ended (IM3); then its view comes back as it was', async () => {
    const gate = createGate();
    const { session } = await begun(gate);
    const there = await openWorld();
    const admin = userCaller('admin', { admin: true });
    const move = async () => {
      let text = '';
      for await (const piece of await exportSession(world.engine.app, ann, session, { archive: true })) text += piece;
      async function* lines() {
        for (const line of text.trim().split('\n')) yield line;
      }
      return importSession(there.engine.app, admin, lines());
    };
    await expect(move()).rejects.toMatchObject({ code: 'session_busy' });
    gate.open();
    await ended(session);
    await client.inject(session, 'unheard');
    await move();
    const of = async ({ engine: { app } }: World) => {
      const { items, turns, tools, inputs, subagents, usage } = await readSnapshot(app, ann, session, 1_000);
      return { items, turns, tools, inputs, subagents, usage };
    };
    expect(await of(there)).toEqual(await of(world));
    await archiveSession(there.engine.app, ann, session, true);
    expect((await there.store.load(session as SessionId))?.head.node ?? null).toBeNull();
    await there.close();
  });
});

describe('the queue', () => {
  it('keeps what was said to a queued turn with it when it is moved', async () => {
    const gate = createGate();
    world.model.when('first', [{ gate }, { text: 'done' }]);
    const session = await client.session(await client.agent());
    await client.submit(session, 'first');
    const [two, three] = [await client.submit(session, 'two'), await client.submit(session, 'three')];
    await client.steer(session, two, 'about two');
    await client.steer(session, three, 'about three');
    const { version } = await readQueue(world.engine.app, ann, session);
    await reorderQueue(world.engine.app, ann, session, { version, order: [three, two] } as never);
    gate.open();
    for (const [turn, said] of [
      [three, 'echo: about three'],
      [two, 'echo: about two'],
    ] as const)
      expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: said });
    await sound(session);
  });
});

describe('a root that is deleted at any moment', () => {
  it('with children that work, ask and are stopped, a queue and inputs: all is over, and nothing is called later', async () => {
    world.model.when('plan', [delegate('buy'), delegate('hang'), delegate('work')]);
    world.model.when('buy', [{ call: 'pay' }]);
    world.model.when('hang', [{ hang: true }]);
    for (let rounds = 0; rounds < 60; rounds += 6) {
      const session = await team({ tools: [external('pay')] });
      await limit(session, 3);
      const turn = await client.submit(session, 'plan');
      const queued = await client.submit(session, 'later');
      await client.steer(session, queued, 'unheard');
      await client.inject(session, 'unheard');
      await settle(rounds);
      await deleteSession(world.engine.app, ann, session);
      await expect(client.turn(session, turn)).rejects.toMatchObject({ code: 'not_found' });
      await settle(60);
      const calls = world.model.calls.length;
      await world.clock.advance(120_000);
      expect(world.model.calls).toHaveLength(calls);
      for (const { id, deletedAt } of await world.store.descendants({ root: session as SessionId, under: '', limit: 9 })) expect(deletedAt, id).not.toBeNull();
      expect(world.model.calls.filter(({ text }) => text === 'hang').every((call) => call.ended() === 'aborted')).toBe(true);
    }
    expect(await world.store.quota('user:ann')).toMatchObject({ unfinished: 0, running: 0 });
  });
});
