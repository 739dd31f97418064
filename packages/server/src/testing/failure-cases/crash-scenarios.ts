/** Courses of events that are cut at every point by `crash-everywhere.test.ts`, and what must come of each. */
import { expect } from 'vitest';
import { builtin, external } from '../harness/client.ts';
import { eventually } from '../harness/settle.ts';
import { createSurvivingClient, type SurvivingClient } from '../harness/surviving-client.ts';
import type { World } from '../harness/world.ts';

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

export const scenarios: readonly Scenario[] = [plainText, twoTools, externalAnswer, confirmation, cancelled, threeTurns];

export const runScenario = async (scenario: Scenario, world: World): Promise<string> => {
  scenario.prepare(world);
  return scenario.run(world, createSurvivingClient(world));
};
