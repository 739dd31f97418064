/** Turns of workflows, and turns that are judged, cut at every point by `crash-everywhere.test.ts`. */
import { expect } from 'vitest';
import { judgeMessage } from '../../app/judge-config.ts';
import { submitTurn } from '../../app/submit-turn.ts';
import { ann, fresh } from '../harness/client.ts';
import { persist } from '../harness/surviving-client.ts';
import { ends, submitJson, workflowSession } from '../harness/workflow.ts';
import type { Scenario } from './crash-scenarios.ts';

const graph: Scenario = {
  name: 'a workflow: side by side, a map, a retry, a signal, a timer, a join',
  prepare: ({ model }) => {
    model.when('look', [{ call: 'nothing', times: 1 }, { text: 'found' }]);
    for (const n of [1, 2]) model.when(`do ${n}`, [{ text: `did ${n}` }]);
    model.when('sum up', [{ text: 'all of it' }]);
  },
  run: async (world, client) => {
    const helper = await client.agent({ maxIters: 1 });
    const agent = (key: string, message: string, more: object = {}) => ({ key, type: 'agent', agentId: helper, input: { message }, ...more });
    const spec = {
      nodes: [
        agent('look', "'look'", { retry: { maxAttempts: 3, backoffSeconds: 1 } }),
        { key: 'each', type: 'map', items: '[1, 2]', node: { type: 'agent', agentId: helper, input: { message: "'do ' + string(item)" } } },
        { key: 'paid', type: 'signal', signalName: 'payment' },
        { key: 'rest', type: 'timer', timer: { durationSeconds: 2 } },
        { key: 'all', type: 'join', join: { mode: 'all' } },
        agent('sum', "'sum up'"),
      ],
      edges: [...['look', 'each', 'paid', 'rest'].map((from) => ({ from, to: 'all' })), { from: 'all', to: 'sum' }],
      output: '{"sum": nodes.sum.output, "each": nodes.each.output, "paid": nodes.paid.output.ok}',
    };
    const session = await persist(world, () => workflowSession(world.engine.app, spec));
    const key = fresh('submit');
    const turn = await persist(world, () => submitJson(world.engine.app, session, {}, {}, key));
    const done = await client.seeThrough(session, turn, { signal: { ok: true } });
    expect(done).toMatchObject({ status: 'completed', result: { sum: 'all of it', each: ['did 1', 'did 2'], paid: true } });
    expect(Object.values(await ends(world.engine.app, session, turn)).every((status) => status === 'succeeded')).toBe(true);
    return session;
  },
};

const criteria = 'It is finished.';

const judged: Scenario = {
  name: 'an answer that is judged twice',
  prepare: ({ model }) => {
    model.when('write', [{ text: 'a draft' }]);
    model.when('[Your answer was checked, and it is not what is asked for yet:\n- it is a draft\nPlease answer again.]', [{ text: 'a letter' }]);
    const says = (output_text: string, satisfied: boolean): void =>
      model.when(judgeMessage({ preview: 'write', output_text, outcome: { rubric: { criteria } } } as never), [
        { text: JSON.stringify({ satisfied, reason: 'it is a draft' }) },
      ]);
    says('a draft', false);
    says('a letter', true);
  },
  run: async (world, client) => {
    const session = await client.session(await client.agent());
    const outcome = { rubric: { agentId: await client.agent(), criteria }, maxTries: 2 };
    const key = fresh('submit');
    const turn = await persist(world, async () => (await submitTurn(world.engine.app, ann, session, { message: 'write', outcome }, key)).answer.id);
    expect(await client.seeThrough(session, turn)).toMatchObject({ status: 'completed', outputText: 'a letter', verdict: { status: 'satisfied', tries: 2 } });
    return session;
  },
};

export const workflowScenarios: readonly Scenario[] = [graph, judged];
