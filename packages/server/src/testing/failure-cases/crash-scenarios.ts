/** Courses of events that are cut at every point by `crash-everywhere.test.ts`, and what must come of each. */
import { summaryRequest } from '@turnkeeper/core/session/compaction';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import { expect } from 'vitest';
import { setBudget } from '../../app/manage-budget.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, builtin, external } from '../harness/client.ts';
import { eventually } from '../harness/settle.ts';
import { createSurvivingClient, persist, type SurvivingClient } from '../harness/surviving-client.ts';
import type { World } from '../harness/world.ts';
import { fileScenarios } from './file-scenarios.ts';
import { meetingScenarios } from './meeting-scenarios.ts';
import { teamScenarios } from './team-scenarios.ts';
import { workflowScenarios } from './workflow-scenarios.ts';

export type Scenario = {
  readonly name: string;
  /** Writes the model's scripts, before the engine does anything. */
  readonly prepare: (world: World) => void;
  /** Lets it happen; resolves with the session when all its turns have ended. Throws when they did not end right. */
  readonly run: (world: World, client: SurvivingClient) => Promise<string>;
};

const plainText: Scenario = {
  name: 'plain text',
  prepare: ({ model }) => model.when('hi', [{ text: 'hello ' }, { text: 'wor' }, { text: 'ld' }]),
  run: async (_world, client) => {
    const session = await client.session(await client.agent());
    const turn = await client.seeThrough(session, await client.submit(session, 'hi'));
    expect(turn).toMatchObject({ status: 'completed', outputText: 'hello world' });
    return session;
  },
};

const twoTools: Scenario = {
  name: 'two parallel tools, one with a side effect',
  prepare: ({ model }) =>
    model.when('work', [{ text: 'on it' }, { call: 'effect', input: { n: 1 } }, { call: 'look' }], [{ call: 'effect', input: { n: 2 } }], [{ text: 'did it' }]),
  run: async (world, client) => {
    const session = await client.session(await client.agent({ tools: [builtin('effect'), builtin('look')] }));
    const turn = await client.seeThrough(session, await client.submit(session, 'work'));
    expect(turn).toMatchObject({ status: 'completed', outputText: 'did it' });
    const effects = world.tools.runs.filter((run) => run.name === 'effect').map((run) => run.callId);
    expect(new Set(effects).size, 'a side effect happened twice').toBe(effects.length);
    return session;
  },
};

const externalAnswer: Scenario = {
  name: 'external execution beside a server tool',
  prepare: ({ model }) => model.when('buy', [{ call: 'pay', input: { sum: 3 } }, { call: 'effect' }], [{ text: 'bought' }]),
  run: async (world, client) => {
    const session = await client.session(await client.agent({ tools: [external('pay'), builtin('effect')] }));
    const turn = await client.seeThrough(session, await client.submit(session, 'buy'), { pay: { output: 'paid' } });
    expect(turn).toMatchObject({ status: 'completed', outputText: 'bought' });
    expect(world.tools.count('effect')).toBeLessThanOrEqual(1);
    expect(JSON.stringify(world.model.calls.at(-1)?.request.messages)).toContain('paid');
    return session;
  },
};

const confirmation: Scenario = {
  name: 'a confirmation that is given, and one that is denied',
  prepare: ({ model }) => model.when('ask me', [{ call: 'effect', input: { n: 1 } }, { call: 'look' }], [{ text: 'thanks' }]),
  run: async (world, client) => {
    const tools = [builtin('effect', { permission: 'always_ask' }), builtin('look', { permission: 'always_ask' })];
    const session = await client.session(await client.agent({ tools }));
    const turn = await client.seeThrough(session, await client.submit(session, 'ask me'), {
      effect: { allow: true },
      look: { allow: false, reason: 'no need' },
    });
    expect(turn).toMatchObject({ status: 'completed', outputText: 'thanks' });
    expect(world.tools.count('effect')).toBeLessThanOrEqual(1);
    expect(world.tools.count('look')).toBe(0);
    return session;
  },
};

const questionAndRemember: Scenario = {
  name: 'a question, and a tool that is allowed for the session',
  prepare: ({ model }) => {
    const question = { call: 'ask_user', input: { question: 'Which size?', header: 'size' } };
    model.when('ask me', [question, { call: 'look', input: { n: 1 } }], [{ call: 'look', input: { n: 2 } }], [{ text: 'thanks' }]);
    model.when('again', [{ call: 'look', input: { n: 3 } }], [{ text: 'done' }]);
  },
  run: async (world, client) => {
    // `look` may be run again, so that nobody is asked what became of it: all that is answered is what is asked first.
    const tools = [builtin('ask_user'), builtin('look', { destructive: true, permission: undefined } as never)];
    const session = await client.session(await client.agent({ tools }));
    const answers = { ask_user: { answers: { size: 'as it comes' } }, look: { allow: true, remember: 'session' } };
    const turn = await client.seeThrough(session, await client.submit(session, 'ask me'), answers);
    expect(turn).toMatchObject({ status: 'completed', outputText: 'thanks' });
    expect(JSON.stringify(world.model.calls.at(-1)?.request.messages)).toContain('as it comes');
    // Asked again, it would be denied.
    const next = await client.seeThrough(session, await client.submit(session, 'again'), { look: { allow: false } });
    expect(next).toMatchObject({ status: 'completed', outputText: 'done' });
    expect(JSON.stringify(world.model.calls.at(-1)?.request.messages)).not.toContain('Denied');
    return session;
  },
};

const cancelled: Scenario = {
  name: 'cancel under way',
  prepare: ({ model }) => model.when('long', [{ text: 'I be' }, { text: 'gin' }, { call: 'polite' }, { call: 'effect' }], [{ hang: true }]),
  run: async (world, client) => {
    const session = await client.session(await client.agent({ tools: [builtin('polite'), builtin('effect')] }));
    const turn = await client.submit(session, 'long');
    const next = await client.submit(session, 'after that');
    await eventually('the turn is under way', async () => ['interrupted', 'running'].includes((await client.turn(session, turn)).status), {
      clock: world.clock,
    });
    await client.cancel(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'cancelled' });
    expect(await client.until(session, next)).toMatchObject({ status: 'completed', outputText: 'echo: after that' });
    expect(world.tools.count('effect')).toBeLessThanOrEqual(1);
    return session;
  },
};

const threeTurns: Scenario = {
  name: 'three queued turns',
  prepare: ({ model }) => {
    model.when('one', [{ text: '1' }, { call: 'effect' }], [{ text: 'first' }]);
    model.when('two', [{ text: 'sec' }, { text: 'ond' }]);
  },
  run: async (world, client) => {
    const session = await client.session(await client.agent({ tools: [builtin('effect')] }));
    const turns = [await client.submit(session, 'one'), await client.submit(session, 'two'), await client.submit(session, 'three')];
    const ended: (string | null)[] = [];
    for (const turn of turns) ended.push((await client.seeThrough(session, turn)).outputText);
    expect(ended).toEqual(['first', 'second', 'echo: three']);
    expect(world.tools.count('effect')).toBeLessThanOrEqual(1);
    return session;
  },
};

const compacted: Scenario = {
  name: 'a context that is compacted between two tools',
  prepare: ({ model }) => {
    const used = (input: number) => ({ usage: { input_tokens: input, output_tokens: 10, total_tokens: input + 10 } });
    model.when('work', [{ text: 'looking' }, { call: 'look' }, used(500)], [{ call: 'look', id: 'again' }, used(900)], [{ text: 'found' }, used(200)]);
    model.when(summaryRequest, [{ text: 'looked ' }, { text: 'once' }]);
  },
  run: async (world, client) => {
    const session = await client.session(await client.agent({ tools: [builtin('look')], contextWindow: 1_000 }));
    expect(await client.seeThrough(session, await client.submit(session, 'work'))).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(world.model.calls.at(-1)?.request.messages)).toContain('looked once');
    return session;
  },
};

const delegated: Scenario = {
  name: 'a child in the foreground that asks, and one in the background',
  prepare: ({ model }) => {
    const delegate = (message: string, background = false) => ({ call: 'delegate', input: { name: 'helper', message, background } });
    model.when('plan', [delegate('buy'), delegate('look', true)], [{ text: 'bought' }]);
    model.when('buy', [{ call: 'pay', input: { sum: 3 } }], [{ text: 'the receipt' }]);
    model.when('look', [{ text: 'the news' }]);
  },
  run: async (world, client) => {
    const helper = await client.agent({ tools: [external('pay')] });
    const session = await client.session(await client.agent({ subagents: [{ agentId: helper, name: 'helper', description: 'helps' }] }));
    const turn = await client.seeThrough(session, await client.submit(session, 'plan'), { pay: { output: 'paid' } });
    expect(turn).toMatchObject({ status: 'completed' });
    // Whichever of its steps came after it, the result of the child in the background is heard: at the latest by the next turn.
    await eventually(
      'both children have ended',
      async () => {
        const children = await childrenOf(world, session);
        return children.length === 2 && children.every(({ state }) => state.last?.outcome === 'completed' && state.parent?.told === state.parent?.news);
      },
      { clock: world.clock },
    );
    const next = await client.seeThrough(session, await client.submit(session, 'and?'));
    expect(next).toMatchObject({ status: 'completed' });
    // The model says again what it is told: its own words do not count.
    const heard = world.model.calls.at(-1)?.request.messages.filter(({ role }) => role !== 'assistant');
    const said = JSON.stringify(heard);
    expect([said.split('the news').length, said.split('the receipt').length]).toEqual([2, 2]);
    for (const { id } of await childrenOf(world, session)) expect((await checkSession(world.store, id)).faults).toEqual([]);
    return session;
  },
};

/** Met in the child: then the turn that waits for it stops, too, and one resume lets both go on. */
const budgeted: Scenario = {
  name: 'a budget that is met in a child, raised, and the turn resumed',
  prepare: ({ model }) => {
    model.when('plan', [{ call: 'delegate', input: { name: 'helper', message: 'look it up' } }], [{ text: 'planned' }]);
    model.when('look it up', [{ call: 'calculator', input: { expression: '6 * 7' } }], [{ text: 'found it' }]);
  },
  run: async (world, client) => {
    const helper = await client.agent({ tools: [builtin('calculator')] });
    const session = await client.session(await client.agent({ subagents: [{ agentId: helper, name: 'helper', description: 'helps' }] }));
    const limit = (max_model_calls: number) => persist(world, () => setBudget(world.engine.app, ann, session, { max_model_calls }));
    await limit(2);
    const turn = await client.submit(session, 'plan');
    await client.until(session, turn, 'interrupted');
    expect(world.model.calls.length, 'a call too many').toBeLessThanOrEqual(2);
    await limit(9);
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'planned' });
    for (const { id } of await childrenOf(world, session)) expect((await checkSession(world.store, id)).faults).toEqual([]);
    return session;
  },
};

const childrenOf = async (world: World, session: string) => {
  const rows = await world.store.descendants({ root: session as SessionId, under: '', limit: 9 });
  const loaded = await Promise.all(rows.map(({ sid }) => world.store.loadBySid(sid)));
  return loaded.flatMap((child) => (child ? [{ id: child.row.id, state: JSON.parse(child.state) as SessionState }] : []));
};

const steered: Scenario = {
  name: 'background, and a steer while the turn waits',
  prepare: ({ model }) => model.when('the budget is 5', [{ call: 'pay', input: { sum: 3 } }]),
  run: async (world, client) => {
    const session = await client.session(await client.agent({ tools: [external('pay')] }));
    await client.inject(session, 'the budget is 5');
    const turn = await client.submit(session, 'buy');
    await client.until(session, turn, 'requires_action');
    await client.steer(session, turn, 'be brief');
    const done = await client.seeThrough(session, turn, { pay: { output: 'paid' } });
    expect(done).toMatchObject({ status: 'completed', outputText: 'echo: be brief' });
    const said = world.model.calls.at(-1)?.request.messages.flatMap((message) => (message.role === 'user' ? message.content : []));
    // Each once, whatever died when.
    expect(said?.map((block) => (block.type === 'text' ? block.text : '')).toSorted()).toEqual(['be brief', 'buy', 'the budget is 5']);
    return session;
  },
};

export const scenarios: readonly Scenario[] = [
  steered,
  compacted,
  plainText,
  twoTools,
  externalAnswer,
  confirmation,
  questionAndRemember,
  cancelled,
  threeTurns,
  delegated,
  budgeted,
  ...meetingScenarios,
  ...fileScenarios,
  ...teamScenarios,
  ...workflowScenarios,
];

export const runScenario = async (scenario: Scenario, world: World): Promise<string> => {
  scenario.prepare(world);
  return scenario.run(world, createSurvivingClient(world));
};
