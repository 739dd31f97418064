/**
 * Any graph on the session itself, whatever becomes of its steps, in whatever order, and wherever a process dies: every run ends, each
 * attempt is begun once, and what it comes to depends on neither (WF1–WF7, GP1).
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FlowRun, newFlowRun, runToEnd } from '../testing/flow-run.ts';
import { graphs, numbersFrom, orders } from '../testing/random-workflows.ts';
import { isEnd } from './flow.ts';

const begun = ({ log }: FlowRun): readonly string[] =>
  log.flatMap((event) =>
    event.type === 'step.updated' && (event.data.status === 'running' || event.data.status === 'waiting' || event.data.status === 'sleeping')
      ? [`${event.data.key}#${event.data.attempt}`]
      : [],
  );
/** What waited for its next attempt may be cancelled then: that attempt was over before. */
const ended = ({ log }: FlowRun): readonly string[] =>
  log.flatMap((event) =>
    (event.type === 'step.updated' || event.type === 'step.failed') &&
    isEnd(event.data.status) &&
    event.data.status !== 'cancelled' &&
    event.data.taken === undefined
      ? [`${event.data.key}#${event.data.attempt}`]
      : [],
  );
/** The outcome, and how each step ended. */
const cameTo = ({ log }: FlowRun) => {
  const outcome = log.findLast(({ type }) => type === 'turn.completed' || type === 'turn.partial_succeeded' || type === 'turn.failed');
  const { result, error_code } = (outcome?.data ?? {}) as { readonly result?: unknown; readonly error_code?: string };
  const steps = log.flatMap((event) =>
    event.type === 'step.updated' && event.data.taken ? [`${event.data.key} ${event.data.status} ${event.data.taken}`] : [],
  );
  return { outcome: outcome?.type, result, error_code, steps: steps.toSorted() };
};

describe('any workflow', () => {
  it('comes to its end, each attempt begun and ended once', () => {
    fc.assert(
      fc.property(graphs({ races: true, failFast: true }), orders, ({ of, outcomeOf }, order) => {
        const run = newFlowRun(of, outcomeOf);
        expect(runToEnd(run, numbersFrom(order)), 'no end in sight').toBe(true);
        expect(run.faults).toEqual([]);
        expect(run.state.last?.outcome).toBeDefined();
        expect(new Set(begun(run)).size).toBe(begun(run).length);
        expect(new Set(ended(run)).size).toBe(ended(run).length);
      }),
      { numRuns: 150 },
    );
  });

  it('comes to the same in every order and after every crash, where nothing races', () => {
    fc.assert(
      fc.property(graphs({ races: false, failFast: false }), orders, orders, ({ of, outcomeOf }, one, other) => {
        const [first, second] = [newFlowRun(of, outcomeOf), newFlowRun(of, outcomeOf)];
        expect(runToEnd(first, numbersFrom(one)) && runToEnd(second, numbersFrom(other))).toBe(true);
        expect(cameTo(second)).toEqual(cameTo(first));
        expect([...first.faults, ...second.faults]).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
