/** Turns of a team, cut at every point by `crash-everywhere.test.ts`. */
import { type SessionId, stepId, type TurnId } from '@turnkeeper/core/session/ids';
import { expect } from 'vitest';
import { stepsOfTurn } from '../../app/team-steps.ts';
import { checkSession } from '../harness/check-session.ts';
import { external } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { persist } from '../harness/surviving-client.ts';
import { delegate, teamSession } from '../harness/team.ts';
import type { World } from '../harness/world.ts';
import type { Scenario } from './crash-scenarios.ts';

const stepsOf = async (world: World, session: string, turn: string) => {
  const loaded = await world.store.load(session as SessionId);
  return stepsOfTurn(world.store, loaded?.head.sid ?? 0, turn as TurnId);
};

const teamAtWork: Scenario = {
  name: 'a team: side by side, tried again, a note, a person asked, and asked again',
  prepare: ({ model }) => {
    model.when('buy', [{ call: 'pay', input: { sum: 3 } }], [{ text: 'the receipt' }]);
    // One step is all that it has.
    model.when('look', [{ call: 'nothing', times: 1 }, { text: 'the find' }]);
    model.when('write', [{ text: 'the text' }]);
    model.when('[Notes from the leader]\n- mind the gap\n\nshorter', [{ text: 'the short text' }]);
  },
  run: async (world, client) => {
    const members = { mia: { agent: { tools: [external('pay')] } }, max: { agent: { maxIters: 1 }, retry: { maxAttempts: 3, backoffSeconds: 5 } } };
    const session = await persist(world, () => teamSession(world, client, { members, maxParallel: 2 }));
    const gate = createGate();
    const first = [delegate('mia', 'buy'), delegate('max', 'look'), delegate('max', 'write')];
    world.model.when('plan', [{ gate }, ...first]);
    const turn = await client.submit(session, 'plan');
    const text = async () => (await stepsOf(world, session, turn)).find(({ output }) => output === 'the text')?.step_id ?? '';
    // Which step the text became is seen when the first ones have ended.
    const second = createGate();
    const note = { call: 'send_note', input: { to: 'max', text: 'mind the gap' } };
    world.model.when('plan', [{ gate }, ...first], [{ gate: second }, note]);
    gate.open();
    const written = new Promise<string>((resolve) => {
      const look = async (): Promise<void> => {
        const id = await text();
        if (id === '') setImmediate(() => void look());
        else resolve(id);
      };
      void look();
    });
    void written.then((id) => {
      const again = delegate('max', 'shorter', { continue: id, background: true });
      world.model.when('plan', [{ gate }, ...first], [{ gate: second }, note], [again], [{ text: 'so far' }]);
      second.open();
    });
    const done = await client.seeThrough(session, turn, { pay: { output: 'paid' } });
    expect(done.status).toBe('completed');
    const steps = await stepsOf(world, session, turn);
    expect(steps.map(({ status, output }) => `${status} ${String(output)}`).toSorted()).toEqual([
      'succeeded the find',
      'succeeded the receipt',
      'succeeded the short text',
      'succeeded the text',
    ]);
    expect(steps.every(({ step_id, key }) => step_id === stepId(turn as TurnId, key))).toBe(true);
    const said = JSON.stringify(world.model.calls.at(-1)?.request.messages.filter(({ role }) => role !== 'assistant'));
    for (const result of ['the find', 'the receipt', 'the text', 'the short text']) expect(said.split(`done]\\n${result}"`), result).toHaveLength(2);
    const rows = await world.store.descendants({ root: session as SessionId, under: '', limit: 99 });
    for (const { id } of rows) expect((await checkSession(world.store, id)).faults).toEqual([]);
    return session;
  },
};

export const teamScenarios: readonly Scenario[] = [teamAtWork];
