/** Budgets: the limit holds, the turn waits for it, nothing is done twice, and what is unknown is never zero. */
import type { BudgetRequest } from '@turnkeeper/core/protocol/wire/budget';
import { summaryRequest } from '@turnkeeper/core/session/compaction';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { afterEach, describe, expect, test } from 'vitest';
import { createSession } from '../../app/create-session.ts';
import { readBudget, setBudget } from '../../app/manage-budget.ts';
import { readEvents } from '../../app/read-events.ts';
import { silentBus } from '../../ports/bus.ts';
import { ModelError } from '../../ports/model.ts';
import { ann, bob, builtin, type Client, createClient, fresh, userCaller } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { eventually, settle } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';
import { auditRow } from '../store-contract/samples.ts';

let world: World;
afterEach(() => world.close());

const open = async (options: Parameters<typeof openWorld>[0] = {}): Promise<{ client: Client; session: string; agent: string }> => {
  world = await openWorld(options);
  const client = createClient(world);
  const agent = await client.agent({ tools: [builtin('effect')] });
  return { client, agent, session: await client.session(agent) };
};
const limit = (session: string, body: BudgetRequest) => setBudget(world.engine.app, ann, session, body);
const eventsOf = async (session: string) => (await readEvents(world.engine.app, ann, session, undefined, { limit: 1_000 })).data;
const dataOf = async (session: string, type: string) => (await eventsOf(session)).filter((event) => event.type === type).map(({ data }) => data);
const stateOf = async (session: string) => JSON.parse((await world.store.load(session as SessionId))?.state ?? '{}');
/** Two model calls with a tool between them. */
const twoSteps = () => world.model.when('work', [{ text: 'on it' }, { call: 'effect', input: { n: 1 } }], [{ text: 'did it' }]);

describe('max_model_calls', () => {
  test('the call beyond it is not made: the turn is interrupted and holds its queue; raised and resumed it goes on, without doing anything again', async () => {
    const { client, session } = await open();
    twoSteps();
    await limit(session, { max_model_calls: 1 });
    const turn = await client.submit(session, 'work');
    const next = await client.submit(session, 'after');
    expect(await client.until(session, turn, 'interrupted')).toMatchObject({ errorCode: 'budget_exceeded' });
    await world.clock.advance(60_000);
    expect(world.model.calls).toHaveLength(1);
    expect(await dataOf(session, 'budget.exceeded')).toEqual([{ turn_id: turn, limit: 'max_model_calls', reason: 'reached', used: 1, max: 1 }]);
    expect((await client.turn(session, next)).status).toBe('queued');
    // Resumed without more, it stops again where it stood.
    await client.resume(session, turn);
    await client.until(session, turn, 'interrupted');
    await limit(session, { max_model_calls: 3 });
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'did it', usage: { model_calls: 2 } });
    expect(world.tools.runs).toHaveLength(1);
    expect(await client.until(session, next)).toMatchObject({ status: 'completed' });
    expect(world.model.calls).toHaveLength(3);
    expect(await readBudget(world.engine.app, ann, session)).toMatchObject({
      max_model_calls: 3,
      used: { model_calls: 3, total_tokens: 15, turn_tokens: null },
    });
  });

  test('cancel lets go', async () => {
    const { client, session } = await open();
    await limit(session, { max_model_calls: 0 });
    const turn = await client.submit(session, 'a');
    await client.until(session, turn, 'interrupted');
    await client.cancel(session, turn);
    expect((await client.turn(session, turn)).status).toBe('cancelled');
    expect(world.model.calls).toHaveLength(0);
  });

  test('each attempt counts, and what was used before the limit was set', async () => {
    const { client, session } = await open();
    await client.until(session, await client.submit(session, 'before'));
    world.model.when('flaky', [{ fails: () => new ModelError('busy', { retryable: true, status: 503 }), times: 2 }, { text: 'at last' }]);
    await limit(session, { max_model_calls: 3 });
    const turn = await client.submit(session, 'flaky');
    await client.until(session, turn, 'interrupted');
    expect(world.model.calls.filter(({ text }) => text === 'flaky')).toHaveLength(2);
    await limit(session, { max_model_calls: 4 });
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ outputText: 'at last', usage: { model_calls: 3 } });
  });

  test('N22 a process that dies in its call has made it: the next attempt is another one, and the limit holds over both', async () => {
    const { client, session } = await open();
    // It has said nothing by then: of the call itself nothing is committed.
    world.model.when('hi', [{ gate: createGate() }, { text: 'never' }]);
    await limit(session, { max_model_calls: 1 });
    const turn = await client.submit(session, 'hi');
    await eventually('the call is made', () => world.model.calls.length === 1);
    await world.restart();
    expect(await client.until(session, turn, 'interrupted')).toMatchObject({ errorCode: 'budget_exceeded' });
    expect(world.model.calls).toHaveLength(1);
    expect((await readBudget(world.engine.app, ann, session)).used.model_calls).toBe(1);
  });

  test('a process that dies before its call began takes it once', async () => {
    const { client, session } = await open({ killAt: { call: 'take', nth: 1, when: 'after' } });
    await limit(session, { max_model_calls: 1 });
    const turn = await client.submit(session, 'hi');
    await world.life.ended;
    await world.restart();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect((await readBudget(world.engine.app, ann, session)).used.model_calls).toBe(1);
  });
});

describe('tokens and cost', () => {
  test('by what was reported: the call that passes the limit is not cut, the next one is not made', async () => {
    const { client, session } = await open();
    twoSteps();
    await limit(session, { max_total_tokens: 4 });
    const turn = await client.submit(session, 'work');
    await client.until(session, turn, 'interrupted');
    expect(await dataOf(session, 'budget.exceeded')).toEqual([{ turn_id: turn, limit: 'max_total_tokens', reason: 'reached', used: 5, max: 4 }]);
    await limit(session, { max_cost: 0.005, currency: 'USD' });
    await client.resume(session, turn);
    await client.until(session, turn, 'interrupted');
    expect((await dataOf(session, 'budget.exceeded')).at(-1)).toMatchObject({ limit: 'max_cost', used: 0.005, max: 0.005, currency: 'USD' });
    await limit(session, {});
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(world.tools.runs).toHaveLength(1);
  });

  test('a missing report makes limits of tokens refuse, a price in another currency that of cost; limits of calls go on', async () => {
    const { client, session } = await open();
    world.model.when('work', [{ call: 'effect' }, { usage: undefined }], [{ text: 'did it' }]);
    await limit(session, { max_total_tokens: 1_000, max_model_calls: 9 });
    const turn = await client.submit(session, 'work');
    await client.until(session, turn, 'interrupted');
    expect((await dataOf(session, 'budget.exceeded')).at(-1)).toMatchObject({ limit: 'max_total_tokens', reason: 'unreported', used: 0 });
    await limit(session, { max_cost: 1_000 });
    await client.resume(session, turn);
    await client.until(session, turn, 'interrupted');
    expect((await dataOf(session, 'budget.exceeded')).at(-1)).toMatchObject({ limit: 'max_cost', reason: 'unpriced', currency: 'USD' });
    expect((await readBudget(world.engine.app, ann, session)).used).toMatchObject({ unreported_calls: 1, unpriced_calls: 1 });
    await limit(session, { max_model_calls: 9 });
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', usage: { cost_complete: false, unpriced_calls: 1 } });

    const other = await client.session(await client.agent());
    await client.until(other, await client.submit(other, 'a'));
    await limit(other, { max_cost: 1_000, currency: 'EUR' });
    await client.until(other, await client.submit(other, 'b'), 'interrupted');
    expect((await dataOf(other, 'budget.exceeded')).at(-1)).toMatchObject({ limit: 'max_cost', reason: 'unpriced' });
  });

  test('a call that the provider refused used nothing: its retry is made', async () => {
    const { client, session } = await open();
    world.model.when('flaky', [{ fails: () => new ModelError('busy', { retryable: true, status: 429 }), times: 1 }, { text: 'at last' }]);
    world.model.when('cut', [{ fails: () => new ModelError('the connection broke', { retryable: true }), times: 1 }, { text: 'never' }]);
    await limit(session, { max_total_tokens: 1_000, max_cost: 1 });
    expect(await client.until(session, await client.submit(session, 'flaky'))).toMatchObject({
      status: 'completed',
      usage: { model_calls: 2, cost_complete: true },
    });
    const turn = await client.submit(session, 'cut');
    await client.until(session, turn, 'interrupted');
    expect((await dataOf(session, 'budget.exceeded')).at(-1)).toMatchObject({ reason: 'unreported' });
  });

  test('of each turn, as its session was created, until another limit is set in its place', async () => {
    const { client, agent } = await open();
    twoSteps();
    const created = await createSession(
      world.engine.app,
      ann,
      { target: { type: 'agent', id: agent, version: undefined }, budget: { maxTokens: 5 } },
      fresh('c'),
    );
    const session = created.answer.id;
    for (const text of ['a', 'b']) expect(await client.until(session, await client.submit(session, text))).toMatchObject({ status: 'completed' });
    expect(await readBudget(world.engine.app, ann, session)).toMatchObject({ max_tokens_per_turn: 5, used: { total_tokens: 10 } });
    const turn = await client.submit(session, 'work');
    await client.until(session, turn, 'interrupted');
    expect(await dataOf(session, 'budget.exceeded')).toEqual([{ turn_id: turn, limit: 'max_tokens_per_turn', reason: 'reached', used: 5, max: 5 }]);
    expect((await readBudget(world.engine.app, ann, session)).used.turn_tokens).toBe(5);
    await limit(session, { max_tokens_per_turn: 6 });
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
  });
});

describe('warnings', () => {
  test('at 50, 80 and 100 percent, once each, also over restarts; a raised limit is warned of again', async () => {
    const { client, session } = await open();
    const percents = async () => {
      await settle();
      return (await dataOf(session, 'budget.warning')).map(({ percent }) => percent);
    };
    const turn = async (text: string) => client.until(session, await client.submit(session, text));
    await limit(session, { max_total_tokens: 30 });
    for (const text of ['a', 'b']) await turn(text);
    expect(await percents()).toEqual([]);
    await turn('c');
    expect(await percents()).toEqual([50]);
    await world.restart();
    await turn('d');
    expect(await percents()).toEqual([50]);
    await turn('e');
    await turn('f');
    expect(await percents()).toEqual([50, 80, 100]);
    expect((await dataOf(session, 'budget.warning')).at(-1)).toEqual({ limit: 'max_total_tokens', percent: 100, used: 30, max: 30 });
    await limit(session, { max_total_tokens: 50 });
    await turn('g');
    expect(await percents()).toEqual([50, 80, 100]);
    await turn('h');
    expect(await percents()).toEqual([50, 80, 100, 80]);
    expect((await stateOf(session)).warned).toEqual({ max_total_tokens: 80 });
  });
});

test('what is not limited costs nothing: no look at any budget for a model call', async () => {
  const { client, session, agent } = await open();
  await client.until(session, await client.submit(session, 'a'));
  const asked: string[] = [];
  const { store } = world.engine.app.budgets;
  for (const name of ['limited', 'uses', 'take'] as const) {
    const before = store[name] as (...args: unknown[]) => unknown;
    (store as unknown as Record<string, unknown>)[name] = (...args: unknown[]) => {
      asked.push(name);
      return before(...args);
    };
  }
  await client.until(session, await client.submit(session, 'b'));
  expect(asked).toEqual([]);
  const other = await client.session(agent);
  await limit(other, { max_model_calls: 9 });
  asked.length = 0;
  await client.until(session, await client.submit(session, 'c'));
  expect(asked).toEqual([]);
  await client.until(other, await client.submit(other, 'd'));
  expect(asked).toContain('take');
});

test('BA1 where others write the same store, a limit that one of them sets holds from the next call on', async () => {
  const { client, session } = await open({ bus: { ...silentBus, shared: true } });
  await client.until(session, await client.submit(session, 'a'));
  const sid = (await world.store.load(session as SessionId))?.head.sid ?? 0;
  await world.engine.app.budgets.store.put(sid, { max_model_calls: 1 }, 5, auditRow());
  await client.until(session, await client.submit(session, 'b'), 'interrupted');
  expect(world.model.calls).toHaveLength(1);
});

test('a limit that is set while a call is in flight holds from the next one on', async () => {
  const { client, session } = await open();
  const gate = createGate();
  world.model.when('work', [{ gate }, { call: 'effect' }], [{ text: 'never' }]);
  const turn = await client.submit(session, 'work');
  await settle(40);
  await limit(session, { max_model_calls: 1 });
  gate.open();
  await client.until(session, turn, 'interrupted');
  expect(world.model.calls).toHaveLength(1);
});

test.each([
  ['answer', 100_000],
  ['summary', 1_000],
])('a call for its %s that is stopped while its budget is looked at was never made, and is not counted', async (wanted, contextWindow) => {
  const { client } = await open();
  const used = (input: number) => ({ usage: { input_tokens: input, output_tokens: 10, total_tokens: input + 10 } });
  world.model.when('a', [{ text: 'first answer' }, used(400)]);
  world.model.when('b', [{ text: 'second answer' }, used(850)]);
  const session = await client.session(await client.agent({ contextWindow }));
  for (const text of ['a', 'b']) await client.until(session, await client.submit(session, text));
  await limit(session, { max_model_calls: 2 });
  const { budgets } = world.stores;
  const { limited } = budgets;
  const gate = createGate();
  const held: typeof limited = async (root) => {
    await gate.wait();
    return limited(root);
  };
  Object.assign(budgets, { limited: held });
  const stopped = await client.submit(session, 'c');
  await gate.reached;
  await client.cancel(session, stopped);
  gate.open();
  const { status, usage } = await client.until(session, stopped);
  expect({ status, calls: usage?.model_calls ?? 0 }).toEqual({ status: 'cancelled', calls: 0 });
  // It was the call that was meant; and refused, it is not counted either.
  Object.assign(budgets, { limited });
  const refused = await client.submit(session, 'd');
  expect((await client.until(session, refused, 'interrupted')).usage?.model_calls ?? 0).toBe(0);
  expect(world.model.calls).toHaveLength(2);
  expect((await readBudget(world.engine.app, ann, session)).used.model_calls).toBe(2);
  await limit(session, {});
  await client.resume(session, refused);
  expect((await client.until(session, refused)).usage).toMatchObject({ model_calls: wanted === 'summary' ? 2 : 1 });
  expect(world.model.calls.some(({ text }) => text === summaryRequest)).toBe(wanted === 'summary');
});

test('who may not change a session sets no budget, and to whom it is not there it has none', async () => {
  const { session } = await open();
  await expect(setBudget(world.engine.app, bob, session, { max_model_calls: 1 })).rejects.toMatchObject({ code: 'not_found' });
  await expect(readBudget(world.engine.app, bob, session)).rejects.toMatchObject({ code: 'not_found' });
  const reader = userCaller('admin', { admin: true });
  await expect(setBudget(world.engine.app, reader, session, { max_model_calls: 1 })).rejects.toMatchObject({ code: 'forbidden' });
  expect(await readBudget(world.engine.app, reader, session)).toMatchObject({ used: { model_calls: 0 } });
  await limit(session, { max_model_calls: 1 });
  const [entry] = await world.engine.app.catalog.audit({ limit: 1 });
  expect(entry).toMatchObject({ action: 'budget.set', sessionId: session, actor: 'user:ann', details: { max_model_calls: 1 } });
});
