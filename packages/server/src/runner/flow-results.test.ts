/** What of a turn's steps a plan looks at, and how much of it is read (PU1). */
import type { Json } from '@turnkeeper/core/protocol/json';
import { type WorkflowSpec, workflowSpec } from '@turnkeeper/core/protocol/wire/workflows';
import type { FlowStep } from '@turnkeeper/core/session/flow';
import { stepId, type TurnId } from '@turnkeeper/core/session/ids';
import { freshTurn } from '@turnkeeper/core/session/state';
import { planFlow } from '@turnkeeper/core/workflow/plan-flow';
import { expect, it } from 'vitest';
import type { ResourceRow } from '../ports/session-store.ts';
import { flowResults, stepsAtOnce } from './flow-results.ts';

const turnId: TurnId = 'turn_1';
const total = 1_000;
const spec: WorkflowSpec = workflowSpec.parse({
  nodes: [{ key: 'each', type: 'map', items: 'run.input', node: { type: 'agent', agentId: 'a', input: { message: 'item' } } }],
});
const over: FlowStep = { key: 'each', status: 'running', attempt: 1, map: { total, parallel: 8, begun: total, ended: total, failed: 0 } };
const live = { ...freshTurn({ id: turnId, n: 1 }), flow: { steps: [over], tries: 2, begun: true as const } };

/** Its elements came to this; counts what is read of them. */
const storeOf = (output: (index: number) => Json) => {
  const reads: number[] = [];
  const resourcesOf = async (_sid: number, ids: readonly string[]): Promise<readonly ResourceRow[]> => {
    reads.push(ids.length);
    return ids.map((id) => {
      const index = Number(/\.(\d+)~2$/.exec(id)?.[1]);
      const body = { step_id: id, key: `each.${index}`, status: 'succeeded', input: { message: 'x' }, output: output(index) };
      expect(id).toBe(stepId(turnId, `each.${index}`, 2));
      return { id, body: JSON.stringify(body) } as ResourceRow;
    });
  };
  return { reads, store: { resourcesOf } };
};
const planned = (nodes: Awaited<ReturnType<typeof flowResults>>) =>
  planFlow({
    ...{ spec, flow: live.flow, openChildren: 0, now: 0, env: { run: { input: [], id: turnId }, nodes } },
    evaluate: () => ({ ok: false, detail: 'not asked' }),
  });

it('PU1 reads a map of a thousand elements a few at a time, each of them, of the try at hand', async () => {
  const { reads, store } = storeOf((index) => `did ${index}`);
  const nodes = await flowResults({ store, sid: 1, live });
  expect([Math.max(...reads), reads.reduce((sum, count) => sum + count)]).toEqual([stepsAtOnce, total]);
  // Nothing but what they came to.
  expect(nodes['each.7']).toEqual({ output: 'did 7' });
  expect(planned(nodes)[0]).toMatchObject({ do: 'end', status: 'succeeded', output: Array.from({ length: total }, (_, index) => `did ${index}`) });
});

it('PU1 reads no more of it than its output may be long, and comes to the same', async () => {
  const long = 'x'.repeat(50_000);
  const { reads, store } = storeOf(() => long);
  const nodes = await flowResults({ store, sid: 1, live });
  expect(reads.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(2 * stepsAtOnce);
  const all = Object.fromEntries(Array.from({ length: total }, (_, index) => [`each.${index}`, { output: long }]));
  expect(planned(nodes)).toEqual(planned(all));
  expect(planned(nodes)[0]).toMatchObject({ do: 'end', status: 'failed', errorCode: 'output_too_large' });
});
