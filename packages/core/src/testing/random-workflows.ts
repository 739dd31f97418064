/** Workflows at random, for property tests: graphs of all kinds of nodes, and how their steps end. */
import fc from 'fast-check';
import type { WorkflowSpec } from '../protocol/wire/workflows.ts';
import type { StepEnd } from '../session/flow.ts';
import { type Outcome, spec } from './flow-simulator.ts';

/** A stream of numbers from one, so that a graph and its ends come from few. */
export const numbersFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
};
const hash = (text: string): number => {
  let at = 2_166_136_261;
  for (const character of text) at = Math.imul(at ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return (at ^ (at >>> 13)) >>> 0;
};

/** `races`: joins that may be decided before all of their edges are known, time-outs of joins and maps among them. */
export type Kind = { readonly races: boolean; readonly failFast: boolean };

const nodeFrom = (next: () => number, key: string, incoming: number, { races, failFast }: Kind): object => {
  const policies = failFast
    ? [{}, {}, { failurePolicy: 'continue' }, { failurePolicy: 'fail_fast' }]
    : [{ failurePolicy: 'continue' }, { failurePolicy: 'partial_success' }];
  const common = { key, ...policies[next() % policies.length] };
  const retry = next() % 3 === 0 ? { retry: { maxAttempts: 1 + (next() % 3), backoffSeconds: next() % 2 } } : {};
  const timeout = races && next() % 4 === 0 ? { timeoutSeconds: 1 + (next() % 2) } : {};
  const agent = { type: 'agent', agentId: 'a', input: { message: next() % 20 === 0 ? 'run.nothing' : 'run.input' } };
  if (incoming > 1 && next() % 2 === 0) {
    const modes = races ? [{ mode: 'all' }, { mode: 'any' }, { mode: 'quorum', count: 1 + (next() % incoming) }] : [{ mode: 'all' }];
    return { ...common, ...timeout, type: 'join', join: modes[next() % modes.length] };
  }
  const kinds: readonly object[] = [
    { ...agent, ...retry },
    { ...agent, ...retry },
    { type: 'subrun', definitionRevisionId: 'r', ...retry },
    { type: 'condition', condition: ['true', 'false'][next() % 2] },
    { type: 'approval', approval: { approverRef: 'u', prompt: 'Well?' }, timeoutSeconds: 60 },
    { type: 'signal', signalName: 's', ...retry },
    { type: 'timer', timer: { durationSeconds: next() % 3 } },
    {
      ...timeout,
      type: 'map',
      items: JSON.stringify(Array.from({ length: next() % 6 }, (_, n) => n)),
      maxParallel: 1 + (next() % 3),
      node: { ...agent, ...retry },
    },
  ];
  return { ...common, ...kinds[next() % kinds.length] };
};

const edgeOns: readonly object[] = [{}, {}, {}, { on: ['failed'] }, { on: ['succeeded', 'failed'] }, { on: ['timed_out', 'rejected'] }];
const conditions: readonly object[] = [{}, {}, {}, { condition: 'true' }, { condition: 'false' }];

const specFrom = (seed: number, size: number, kind: Kind): WorkflowSpec => {
  const next = numbersFrom(seed);
  const edges: { from: string; to: string }[] = [];
  for (let to = 1; to < size; to += 1) {
    for (let from = 0; from < to; from += 1) {
      if (next() % to < 1 + (next() % 2))
        edges.push({ from: `n${from}`, to: `n${to}`, ...edgeOns[next() % edgeOns.length], ...conditions[next() % conditions.length] });
    }
  }
  const nodes = Array.from({ length: size }, (_, n) => nodeFrom(next, `n${n}`, edges.filter(({ to }) => to === `n${n}`).length, kind));
  return spec(nodes, edges);
};

const ends: readonly StepEnd[] = ['succeeded', 'succeeded', 'succeeded', 'succeeded', 'failed', 'timed_out', 'rejected', 'cancelled'];
const outcomesFrom =
  (seed: number) =>
  (key: string, attempt: number): Outcome => {
    const status = ends[hash(`${seed} ${key} ${attempt}`) % ends.length] ?? 'succeeded';
    return status === 'succeeded' ? { status, output: `${key}!` } : { status };
  };

/** A published workflow, and how each attempt of each of its steps ends. */
export const graphs = (kind: Kind) =>
  fc.record({ seed: fc.nat(), size: fc.integer({ min: 1, max: 14 }), ends: fc.nat() }).map(({ seed, size, ends: how }) => ({
    of: specFrom(seed, size, kind),
    outcomeOf: outcomesFrom(how),
  }));
/** In which order things happen. */
export const orders = fc.nat();
