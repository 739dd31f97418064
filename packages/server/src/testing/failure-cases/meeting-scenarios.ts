/** Courses of events in which features meet, for deaths and failures at every point (crash-scenarios.ts). */
import { summaryRequest } from '@turnkeeper/core/session/compaction';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import { expect } from 'vitest';
import { setBudget } from '../../app/manage-budget.ts';
import { submitTurn } from '../../app/submit-turn.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, builtin, external, fresh } from '../harness/client.ts';
import { eventually } from '../harness/settle.ts';
import { persist } from '../harness/surviving-client.ts';
import type { World } from '../harness/world.ts';
import type { Scenario } from './crash-scenarios.ts';

const delegate = (message: string, background = false) => ({ call: 'delegate', input: { name: 'helper', message, background } });

/** Once all children have ended and their parents know: what is wrong with them. */
const familyFaults = async (world: World, session: string): Promise<readonly string[]> => {
  const family = async () => {
    const rows = await world.store.descendants({ root: session as SessionId, under: '', limit: 9 });
    const loaded = await Promise.all([world.store.load(session as SessionId), ...rows.map(({ sid }) => world.store.loadBySid(sid))]);
    return loaded.flatMap((one) => (one ? [{ id: one.row.id, state: JSON.parse(one.state) as SessionState }] : []));
  };
  const isOver = ({ state: { live, children, parent } }: { readonly state: SessionState }): boolean => !live && !children && parent?.told === parent?.news;
  const members = await eventually('the family is at rest', async () => ((await family()).every(isOver) ? family() : undefined), { clock: world.clock });
  return (await Promise.all(members.map(({ id }) => checkSession(world.store, id)))).flatMap(({ faults }) => faults);
};

const interrupting: Scenario = {
  name: 'a new turn that interrupts one whose child asks, with another in the background, a steer and a queue',
  prepare: ({ model }) => {
    model.when('plan', [delegate('buy'), delegate('look', true)]);
    model.when('buy', [{ call: 'pay', input: { sum: 3 } }]);
  },
  run: async (world, client) => {
    const helper = await client.agent({ tools: [external('pay')] });
    const session = await client.session(await client.agent({ subagents: [{ agentId: helper, name: 'helper', description: 'helps' }] }));
    const turn = await client.submit(session, 'plan');
    const later = await client.submit(session, 'later');
    await client.until(session, turn, 'requires_action');
    await client.steer(session, turn, 'unheard');
    const key = fresh('interrupt');
    const next = (await persist(world, () => submitTurn(world.engine.app, ann, session, { message: 'now', onBusy: 'interrupt' }, key))).answer.id;
    const statuses = [turn, next, later].map(async (id) => (await client.until(session, id)).status);
    expect(await Promise.all(statuses)).toEqual(['cancelled', 'completed', 'completed']);
    const { log } = await checkSession(world.store, session);
    const order = log.flatMap(({ event }) => (event.type === 'run.started' && event.data.n === 1 ? [event.data.turn_id] : []));
    expect(order).toEqual([turn, next, later]);
    expect(log.flatMap(({ event }) => (event.type === 'input.rejected' ? [event.data.kind] : []))).toEqual(['steer']);
    expect(await familyFaults(world, session)).toEqual([]);
    return session;
  },
};

const compactedBelow: Scenario = {
  name: 'a compaction in a child that a budget stops, raised, with a steer for the parent',
  prepare: ({ model }) => {
    const used = (input: number) => ({ usage: { input_tokens: input, output_tokens: 10, total_tokens: input + 10 } });
    model.when('plan', [delegate('work')]);
    model.when('work', [{ call: 'look' }, used(500)], [{ call: 'look', id: 'again' }, used(900)], [{ text: 'found' }, used(200)]);
    model.when(summaryRequest, [{ text: 'looked once' }, used(900)]);
  },
  run: async (world, client) => {
    const helper = await client.agent({ tools: [builtin('look')], contextWindow: 1_000 });
    const session = await client.session(await client.agent({ subagents: [{ agentId: helper, name: 'helper', description: 'helps' }] }));
    const limit = (max_model_calls: number) => persist(world, () => setBudget(world.engine.app, ann, session, { max_model_calls }));
    await limit(3);
    const turn = await client.submit(session, 'plan');
    await client.until(session, turn, 'interrupted');
    expect(world.model.calls.length, 'a call too many').toBeLessThanOrEqual(3);
    await client.steer(session, turn, 'be brief');
    await limit(99);
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'echo: be brief' });
    expect(await familyFaults(world, session)).toEqual([]);
    const heard = JSON.stringify(world.model.calls.at(-1)?.request.messages);
    expect(heard.split('be brief')).toHaveLength(2);
    return session;
  },
};

export const meetingScenarios: readonly Scenario[] = [interrupting, compactedBelow];
