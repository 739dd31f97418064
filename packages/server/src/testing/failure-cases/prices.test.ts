/** What calls cost: by the prices of the moment in which the session was made, whatever changes later (FP1, FP2). */
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import { childSessionId } from '@turnkeeper/core/session/ids';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSession } from '../../app/create-session.ts';
import { setBudget } from '../../app/manage-budget.ts';
import { readUsage } from '../../app/read-resources.ts';
import { ModelError } from '../../ports/model.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, type Client, createClient, external, fresh, userCaller } from '../harness/client.ts';
import { submitJson, workflowSession } from '../harness/workflow.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
let client: Client;
beforeEach(async () => {
  world = await openWorld();
  client = createClient(world);
});
afterEach(() => world.close());

/** So many dollars a token, in and out: a call of the scripted model uses five. */
const each = (amount: number, currency?: string) => ({ input: amount * 1e6, output: amount * 1e6, ...(currency === undefined ? {} : { currency }) });
const costOf = async (session: string, turn: string): Promise<unknown> => (await client.turn(session, turn)).usage?.estimated_cost;
const run = async (session: string, text = 'x'): Promise<string> => {
  const turn = await client.submit(session, text);
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
  return turn;
};
const configOf = async (session: string) => {
  const loaded = await world.store.load(session as SessionId);
  return (await world.engine.app.sessions.config(loaded?.row.configRef ?? '')) as { readonly prices?: object };
};

test('FP1: a session keeps the price of the moment in which it was made, over restarts; a later one has the later price', async () => {
  const agent = await client.agent();
  world.model.charge(each(1));
  const session = await client.session(agent);
  const twin = await client.session(agent);
  world.model.charge(each(3, 'EUR'));
  expect(await costOf(session, await run(session))).toBe(5);
  await world.restart();
  client = createClient(world);
  expect(await costOf(session, await run(session, 'y'))).toBe(5);
  const later = await client.session(agent);
  expect(await costOf(later, await run(later))).toBe(15);
  // One configuration is stored for all that were frozen alike, and another one for another price.
  const refs = await Promise.all([session, twin, later].map(async (id) => (await world.store.load(id as SessionId))?.row.configRef));
  expect([refs[0] === refs[1], refs[0] === refs[2]]).toEqual([true, false]);
  expect((await checkSession(world.store, session, { app: world.engine.app, caller: ann })).faults).toEqual([]);
});

test('FP1: what had no price when the session was made, and what is older than frozen prices, is priced as it is known now', async () => {
  const session = await client.session(await client.agent());
  expect(await configOf(session)).not.toHaveProperty('prices');
  expect(await costOf(session, await run(session))).toBe(0.005);
  world.model.charge(each(2));
  expect(await costOf(session, await run(session, 'y'))).toBe(10);
});

test('FP1: so does all that is below it: subagents at any depth, and the agents of a workflow', async () => {
  const helper = (agentId: string) => [{ agentId, name: 'helper', description: 'helps' }];
  const delegate = (message: string) => ({ call: 'delegate', input: { name: 'helper', message } }) as const;
  world.model.when('one', [delegate('two')], [{ text: '1' }]);
  world.model.when('two', [delegate('three')], [{ text: '2' }]);
  world.model.when('three', [{ text: '3' }]);
  const leaf = await client.agent();
  const middle = await client.agent({ subagents: helper(leaf), pricing: each(100) });
  world.model.charge(each(1));
  const session = await client.session(await client.agent({ subagents: helper(middle) }));
  const flow = await workflowSession(world.engine.app, { nodes: [{ key: 'a', type: 'agent', agentId: leaf, input: { message: '"go"' } }] });
  world.model.charge(each(7));
  const turn = await run(session, 'one');
  const child = childSessionId(turn as TurnId, 1);
  const own = async (id: string) => (await readUsage(world.engine.app, ann, id, false)).data.estimated_cost;
  expect([await own(session), await own(child)]).toEqual([2 * 5, 2 * 500]);
  expect((await readUsage(world.engine.app, ann, session, true)).data.estimated_cost).toBe(10 + 1000 + 5);
  const flowTurn = await submitJson(world.engine.app, flow, {});
  expect(await client.until(flow, flowTurn)).toMatchObject({ status: 'completed' });
  expect((await readUsage(world.engine.app, ann, flow, true)).data.estimated_cost).toBe(5);
});

test('FP2: what the definition says goes before the server’s prices, holds for its limit of cost, and not for another model', async () => {
  world.model.charge(each(1));
  const agent = await client.agent({ pricing: { ...each(4, 'CHF'), cachedInput: 0 }, tools: [external('pay')] });
  const session = await client.session(agent);
  expect(await configOf(session)).not.toHaveProperty('prices');
  const turn = await run(session);
  expect((await client.turn(session, turn)).usage).toMatchObject({ estimated_cost: 20, currency: 'CHF', cost_complete: true });
  await setBudget(world.engine.app, ann, session, { max_cost: 20, currency: 'CHF' });
  await client.until(session, await client.submit(session, 'more'), 'interrupted');
  const admin = userCaller('admin', { admin: true });
  const other = (await createSession(world.engine.app, admin, { target: { type: 'agent', id: agent }, model: 'other:model' }, fresh('create'))).answer.id;
  const mine = createClient(world, admin);
  const asked = await mine.submit(other, 'x');
  expect((await mine.until(other, asked)).usage).toMatchObject({ estimated_cost: 5, currency: 'USD' });
});

test('FP2: a price of nothing is known of a call that broke off, too', async () => {
  world.model.charge(each(1));
  for (const text of ['cut', 'broken'])
    world.model.when(text, [{ text: 'be' }, { fails: () => new ModelError('cut', { retryable: true }), times: 1 }, { text: 'gan' }]);
  const [free, paid] = [await client.session(await client.agent({ pricing: each(0) })), await client.session(await client.agent())];
  expect((await client.turn(free, await run(free, 'cut'))).usage).toMatchObject({ model_calls: 2, estimated_cost: 0, cost_complete: true });
  expect((await client.turn(paid, await run(paid, 'broken'))).usage).toMatchObject({ model_calls: 2, estimated_cost: 5, cost_complete: false });
});
