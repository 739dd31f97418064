/** Random graphs, random ends, in random orders, with crashes between: what a plan promises (GP1–GP5). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FlowStep, flowDue, isEnd, mapOf, maxFanOut, maxFlowChildren, stepOf } from '../session/flow.ts';
import { advance, isDue, openChildren, plainCheck, planned, type Simulation, simulate, spec, tick } from '../testing/flow-simulator.ts';
import { graphs, numbersFrom, orders } from '../testing/random-workflows.ts';
import { type GraphEdge, graphOf, lastNodes } from './graph.ts';
import { quorumOf } from './node-rules.ts';
import { workflowFaults } from './validate-workflow.ts';

/** To the end, in an order that comes from `order`; now and then a plan is lost in a crash. */
const run = (sim: Simulation, order: number): Simulation => {
  const next = numbersFrom(order);
  for (let n = 0; n < 5_000 && !sim.ended; n += 1) {
    if (isDue(sim)) {
      const plan = planned(sim);
      // GP1: whoever plans, and whatever else is known.
      expect(planned(sim, 'all')).toEqual(plan);
      if (next() % 4 === 0) continue;
      advance(sim);
      // GP2: what is left waits for something.
      if (!sim.ended && openChildren(sim.flow) < maxFlowChildren) expect(planned(sim)).toEqual([]);
      if (!sim.ended) expect(isDue(sim)).toBe(false);
    } else expect(tick(sim, next())).toBe(true);
  }
  return sim;
};

const fateOf = ({ flow }: Simulation, edge: GraphEdge): 'taken' | 'lost' | 'off' => {
  const source = stepOf(flow, edge.from);
  if (source?.taken?.includes(edge.n)) return 'taken';
  return source?.status === 'succeeded' || source?.status === 'skipped' ? 'off' : 'lost';
};

/** The law of the graph, on what is so when all has ended: which nodes ran, which were skipped, and what became of joins. */
const lawFault = (sim: Simulation): string | undefined => {
  const graph = graphOf(sim.spec);
  for (const [key, { node, into }] of graph.nodes) {
    const step = stepOf(sim.flow, key);
    if (!step || !isEnd(step.status)) return `${key} has not ended`;
    const fates = into.map((edge) => fateOf(sim, edge));
    const taken = fates.filter((fate) => fate === 'taken').length;
    const isSkipped = step.status === 'skipped';
    if (node.type !== 'join') {
      if (into.length > 0 && taken === 0 && !isSkipped) return `${key} ran though no edge was taken`;
      if ((into.length === 0 || taken > 0) && isSkipped && !isUnneeded(sim, key)) return `${key} was skipped though an edge was taken`;
      continue;
    }
    if (step.status === 'timed_out' && node.timeoutSeconds !== undefined && taken > 0) continue;
    const isNothing = fates.every((fate) => fate === 'off');
    const quorum = quorumOf(node);
    const holds = quorum === undefined ? taken > 0 && !fates.includes('lost') : taken >= quorum;
    const wanted = isNothing ? 'skipped' : holds ? 'succeeded' : 'failed';
    if (step.status !== wanted && !((isSkipped || step.status === 'cancelled') && isUnneeded(sim, key)))
      return `${key} is ${step.status}, not ${wanted} (${fates.join(' ')})`;
  }
  return undefined;
};

/** All that it leads to was over without it: a race was decided. */
const isUnneeded = (sim: Simulation, key: string): boolean => {
  const graph = graphOf(sim.spec);
  const out = graph.nodes.get(key)?.out ?? [];
  return out.length > 0 && out.every(({ to }) => fateOf(sim, { from: key, to, n: -1, at: -1 }) !== 'taken' && isOverWithout(sim, to));
};
const isOverWithout = (sim: Simulation, key: string): boolean => {
  const node = graphOf(sim.spec).nodes.get(key)?.node;
  const status = stepOf(sim.flow, key)?.status;
  return (
    (node?.type === 'join' && (quorumOf(node) !== undefined || status === 'timed_out') && status !== 'skipped') ||
    (status === 'skipped' && isUnneeded(sim, key))
  );
};

const facts = ({ flow }: Simulation): readonly Pick<FlowStep, 'key' | 'status' | 'taken' | 'attempt' | 'map'>[] =>
  flow.steps
    .map(({ key, status, taken = [], attempt, map }) => ({ key, status, taken, attempt, ...(map ? { map } : {}) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));

describe('any graph, whatever becomes of its steps', () => {
  it('comes to its end, each attempt begun once, and its joins right', () => {
    fc.assert(
      fc.property(graphs({ races: true, failFast: false }), orders, ({ of, outcomeOf }, order) => {
        const sim = run(simulate({ spec: of, outcomeOf }), order);
        expect(sim.ended).toBeDefined();
        expect([...sim.begun.values()].every((times) => times === 1)).toBe(true);
        expect(sim.flow.steps.filter(({ key }) => mapOf(key) !== undefined)).toEqual([]);
        expect(lawFault(sim)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  it('ends, too, where the first failure ends it', () => {
    fc.assert(
      fc.property(graphs({ races: true, failFast: true }), orders, ({ of, outcomeOf }, order) => {
        const sim = run(simulate({ spec: of, outcomeOf }), order);
        expect(sim.ended).toBeDefined();
        if (sim.ended?.do === 'finish') expect(lawFault(sim)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  it('comes to the same in every order, where nothing races', () => {
    fc.assert(
      fc.property(graphs({ races: false, failFast: false }), orders, orders, ({ of, outcomeOf }, one, other) => {
        const [first, second] = [run(simulate({ spec: of, outcomeOf }), one), run(simulate({ spec: of, outcomeOf }), other)];
        expect(facts(second)).toEqual(facts(first));
        expect(second.ended).toEqual(first.ended);
      }),
      { numRuns: 150 },
    );
  });

  it('never has more children than it may', () => {
    const wide = spec(
      [
        { key: 'start', type: 'agent', agentId: 'a' },
        ...Array.from({ length: 8 }, (_, n) => ({
          key: `m${n}`,
          type: 'map',
          items: JSON.stringify(Array(24).fill(1)),
          maxParallel: 30,
          node: { type: 'agent', agentId: 'a' },
        })),
        ...Array.from({ length: 5 }, (_, n) => ({ key: `f${n}`, type: 'agent', agentId: 'a' })),
        ...Array.from({ length: 150 }, (_, n) => ({ key: `l${n}`, type: 'agent', agentId: 'a' })),
      ],
      [
        ...Array.from({ length: 8 }, (_, n) => ({ from: 'start', to: `m${n}` })),
        ...Array.from({ length: 5 }, (_, n) => ({ from: 'start', to: `f${n}` })),
        ...Array.from({ length: 150 }, (_, n) => ({ from: `f${Math.floor(n / 30)}`, to: `l${n}` })),
      ],
    );
    fc.assert(
      fc.property(orders, (order) => {
        const sim = run(simulate({ spec: wide }), order);
        expect(sim.ended).toMatchObject({ do: 'finish', outcome: 'completed' });
        expect(sim.mostChildren).toBeLessThanOrEqual(maxFlowChildren + maxFanOut);
        expect(sim.mostChildren).toBeGreaterThan(40);
      }),
      { numRuns: 1 },
    );
  });

  it('is remembered in little room', () => {
    const nodes = Array.from({ length: 200 }, (_, n) => ({ key: `a_node_with_a_longer_name_${n}`, type: 'agent', agentId: 'a' }));
    const edges = nodes.slice(1).map(({ key }, n) => ({ from: nodes[Math.floor(n / 20) * 20]?.key, to: key }));
    const sim = run(simulate({ spec: spec(nodes, edges) }), 1);
    expect(sim.ended?.do).toBe('finish');
    expect(sim.flow.steps).toHaveLength(200);
    expect(JSON.stringify(sim.flow).length).toBeLessThan(48 * 1024);
    expect(flowDue(sim.flow, 0)).toBeUndefined();
  });

  it('has no fault that stands in its way but what no run comes to', () => {
    fc.assert(
      fc.property(graphs({ races: true, failFast: false }), ({ of }) => {
        const codes = workflowFaults(of, plainCheck).flatMap(({ severity, code }) => (severity === 'error' && code !== 'unreachable' ? [code] : []));
        expect(codes).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('has last nodes, whose outputs it comes to', () => {
    fc.assert(
      fc.property(graphs({ races: false, failFast: false }), orders, ({ of, outcomeOf }, order) => {
        const sim = run(simulate({ spec: of, outcomeOf }), order);
        if (sim.ended?.do !== 'finish') return;
        const succeeded = lastNodes(graphOf(of)).filter((key) => stepOf(sim.flow, key)?.status === 'succeeded');
        expect(Object.keys(sim.ended.result as object)).toEqual(succeeded);
      }),
      { numRuns: 100 },
    );
  });
});
