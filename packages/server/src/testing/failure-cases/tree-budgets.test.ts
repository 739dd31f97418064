/** Budgets over a session and all that it spawned (case 35): the limit holds over parallel children, and stops who waits for them. */
import type { BudgetRequest } from '@turnkeeper/core/protocol/wire/budget';
import { childSessionId, type SessionId, type TurnId } from '@turnkeeper/core/session/ids';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSession } from '../../app/create-session.ts';
import { readBudget, setBudget } from '../../app/manage-budget.ts';
import { readUsage } from '../../app/read-resources.ts';
import { ModelError } from '../../ports/model.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, type Client, createClient, fresh } from '../harness/client.ts';
import { settle } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
let client: Client;
beforeEach(async () => {
  world = await openWorld();
  client = createClient(world, ann);
});
afterEach(() => world.close());

const delegate = (message: string, more: Record<string, unknown> = {}) => ({ call: 'delegate', input: { name: 'helper', message, ...more } });
const limit = (session: string, body: BudgetRequest) => setBudget(world.engine.app, ann, session, body);
const helperOf = (agentId: string) => ({ agentId, name: 'helper', description: 'helps' });
/** An agent with helpers down to this level. */
const agentWith = async (levels: number): Promise<string> => client.agent(levels > 0 ? { subagents: [helperOf(await agentWith(levels - 1))] } : {});
const childOf = (turnId: string, n: number): SessionId => childSessionId(turnId as TurnId, n);
const turnOf = (child: string): string => `turn_${child.slice('ses_'.length)}`;
const eventsOf = async (session: string, type: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  (await checkSession(world.store, session)).log.flatMap(({ event }) => (event.type === type ? [{ ...event.data }] : []));
const sound = async (...sessions: readonly string[]): Promise<void> => {
  for (const session of sessions) expect((await checkSession(world.store, session, { app: world.engine.app, caller: ann })).faults).toEqual([]);
};

describe('children', () => {
  test('that run in parallel never make a call too many; the turn that waits for them is interrupted, and one resume lets all go on', async () => {
    const session = await client.session(await agentWith(1));
    world.model.when('plan', [delegate('a'), delegate('b'), delegate('c'), delegate('d')], [{ text: 'all done' }]);
    for (const text of ['a', 'b', 'c', 'd']) world.model.when(text, [{ text: `${text} done` }]);
    await limit(session, { max_model_calls: 3 });
    const turn = await client.submit(session, 'plan');
    expect(await client.until(session, turn, 'interrupted')).toMatchObject({ errorCode: 'budget_exceeded' });
    await world.clock.advance(120_000);
    expect(world.model.calls).toHaveLength(3);
    const children = [1, 2, 3, 4].map((n) => childOf(turn, n));
    const statuses = await Promise.all(children.map(async (child) => (await client.turn(child, turnOf(child))).status));
    expect(statuses.toSorted()).toEqual(['completed', 'completed', 'interrupted', 'interrupted']);
    const stopped = children[statuses.indexOf('interrupted')] as SessionId;
    expect(await eventsOf(stopped, 'budget.exceeded')).toEqual([
      { turn_id: turnOf(stopped), limit: 'max_model_calls', reason: 'reached', used: 3, max: 3, session_id: session },
    ]);
    await limit(session, { max_model_calls: 9 });
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'all done' });
    expect(world.model.calls).toHaveLength(6);
    expect(await readBudget(world.engine.app, ann, session)).toMatchObject({ used: { model_calls: 6, total_tokens: 30 } });
    await sound(session, ...children);
  });

  test('are stopped by the tokens that all of them reported, and go on when they are resumed themselves', async () => {
    const session = await client.session(await agentWith(1));
    world.model.when('plan', [delegate('a')], [{ text: 'planned' }]);
    world.model.when('a', [{ text: 'a done' }]);
    await limit(session, { max_total_tokens: 5 });
    const turn = await client.submit(session, 'plan');
    await client.until(session, turn, 'interrupted');
    await limit(session, {});
    const child = childOf(turn, 1);
    await client.resume(child, turnOf(child));
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'planned' });
    await sound(session, child);
  });

  test('count for the turn of the root that they were made in', async () => {
    const agent = await agentWith(2);
    const created = await createSession(
      world.engine.app,
      ann,
      { target: { type: 'agent', id: agent, version: undefined }, budget: { maxTokens: 15 } },
      fresh('c'),
    );
    const session = created.answer.id;
    world.model.when('one', [delegate('two')], [{ text: '1' }]);
    world.model.when('two', [delegate('three')], [{ text: '2' }]);
    world.model.when('three', [{ text: '3' }]);
    const turn = await client.submit(session, 'one');
    await client.until(session, turn, 'interrupted');
    // Down to the third level 15 tokens were used; what is left is the way up.
    expect(world.model.calls.map(({ text, step }) => `${text} ${step}`)).toEqual(['one 0', 'two 0', 'three 0']);
    expect(await eventsOf(childOf(turn, 1), 'budget.exceeded')).toMatchObject([{ limit: 'max_tokens_per_turn', used: 15, max: 15, session_id: session }]);
    expect((await readBudget(world.engine.app, ann, session)).used.turn_tokens).toBe(15);
    await limit(session, { max_tokens_per_turn: 100 });
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: '1' });
    expect(await client.until(session, await client.submit(session, 'next'))).toMatchObject({ status: 'completed' });
  });

  test('that work in the background wake nobody who was stopped at a limit of its own', async () => {
    const session = await client.session(await agentWith(1));
    world.model.when('plan', [delegate('slowly', { background: true })], [{ text: 'so far' }], [{ text: 'with the news' }]);
    world.model.when('slowly', [{ text: 'the news' }]);
    await limit(session, { max_model_calls: 2 });
    const turn = await client.submit(session, 'plan');
    await client.until(session, turn, 'interrupted');
    await world.clock.advance(120_000);
    expect((await eventsOf(session, 'turn.interrupted')).length + (await eventsOf(childOf(turn, 1), 'turn.interrupted')).length).toBe(1);
    await limit(session, { max_model_calls: 9 });
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    await sound(session, childOf(turn, 1));
  });

  test('warn at the session whose limit it is', async () => {
    const session = await client.session(await agentWith(1));
    world.model.when('plan', [delegate('a')], [{ text: 'planned' }]);
    await limit(session, { max_model_calls: 4 });
    const turn = await client.submit(session, 'plan');
    await client.until(session, turn);
    await settle(20);
    expect((await eventsOf(session, 'budget.warning')).map(({ percent, used }) => [percent, used])).toEqual([[50, 2]]);
    expect(await eventsOf(childOf(turn, 1), 'budget.warning')).toEqual([]);
  });
});

test('case 35: three levels in parallel, with retries and a crash: what the root used is what the provider was asked, and the limit holds', async () => {
  const session = await client.session(await agentWith(2));
  const busy = () => ({ fails: () => new ModelError('busy', { retryable: true, status: 503 }), times: 1 });
  world.model.when('top', [delegate('left'), delegate('right')], [{ text: 'top' }]);
  for (const side of ['left', 'right']) {
    world.model.when(side, [busy(), delegate(`${side} leaf`)], [{ text: side }]);
    world.model.when(`${side} leaf`, [busy(), { text: 'leaf' }]);
  }
  await limit(session, { max_model_calls: 8 });
  const turn = await client.submit(session, 'top');
  await settle(60);
  await world.restart();
  await client.until(session, turn, 'interrupted');
  expect(world.model.calls.length).toBe(8);
  const usage = async () => (await readUsage(world.engine.app, ann, session, true)).data.model_calls;
  expect(await usage()).toBe(8);
  await limit(session, { max_model_calls: 99 });
  await client.resume(session, turn);
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'top' });
  expect(await usage()).toBe(world.model.calls.length);
});
