/**
 * What stands in the way of publishing a workflow.
 *
 * GV1 Every fault is named, each with the place in the spec where it can be mended: none hides behind another, but for those that would
 *     only follow from one (an expression that cannot be read has no type).
 * GV2 What has no fault can be run: each node can begin, each expression names only what has ended by then, each join can be satisfied.
 */
import { maxNodes, type WorkflowNode, type WorkflowSpec } from '../protocol/wire/workflows.ts';
import { maxFanOut } from '../session/flow.ts';
import { expressionFaults, type Seen } from './check-expressions.ts';
import type { CheckExpression } from './expression-port.ts';
import { cycles, type Graph, type GraphNode, graphOf, reached, startNodes } from './graph.ts';
import { edgeOn, isPossible, outcomesOf, takesRetry, takesTimeout } from './node-rules.ts';

const workflowFaultCodes = [
  'no_nodes',
  'too_many_nodes',
  'duplicate_key',
  'unknown_node',
  'self_edge',
  'duplicate_edge',
  'cycle',
  'unreachable',
  'join_edges',
  'quorum_count',
  'not_taken_here',
  'nothing_said',
  'fan_out',
  'expression',
  'unknown_reference',
  'reference_not_before',
  'name_not_here',
  'type',
  'time',
  'prompt',
  'outcome_impossible',
  'no_way_on',
  'constant_condition',
] as const;
export type WorkflowFaultCode = (typeof workflowFaultCodes)[number];

/** `pointer`: RFC 6901, into the spec. Warnings do not stand in the way of publishing. */
export type WorkflowFault = {
  readonly pointer: string;
  readonly code: WorkflowFaultCode;
  readonly severity: 'error' | 'warning';
  readonly detail: string;
};

const error = (pointer: string, code: WorkflowFaultCode, detail: string): WorkflowFault => ({ pointer, code, severity: 'error', detail });
const warning = (pointer: string, code: WorkflowFaultCode, detail: string): WorkflowFault => ({ pointer, code, severity: 'warning', detail });

/** `seen`: what has ended when a node begins, where not all edges are known. */
export const workflowFaults = (spec: WorkflowSpec, checkExpression: CheckExpression, more: { readonly seen?: Seen } = {}): readonly WorkflowFault[] => {
  if (spec.nodes.length === 0) return [error('/nodes', 'no_nodes', 'a workflow needs at least one node')];
  const graph = graphOf(spec);
  return [
    ...keyFaults(spec),
    ...edgeFaults(spec, graph),
    ...wayFaults(graph),
    ...[...graph.nodes.values()].flatMap((node) => [...nodeFaults(node), ...wayOnFaults(graph, node)]),
    ...fanOutFaults(graph),
    ...expressionFaults(spec, graph, checkExpression, more.seen),
  ];
};

/** Whether it may be published. */
export const isPublishable = (faults: readonly Pick<WorkflowFault, 'severity'>[]): boolean => faults.every(({ severity }) => severity === 'warning');

const keyFaults = ({ nodes }: WorkflowSpec): readonly WorkflowFault[] => {
  const first = new Map<string, number>();
  const faults = nodes.length > maxNodes ? [error('/nodes', 'too_many_nodes', `a workflow has at most ${maxNodes} nodes, not ${nodes.length}`)] : [];
  for (const [at, { key }] of nodes.entries()) {
    const before = first.get(key);
    if (before === undefined) first.set(key, at);
    else faults.push(error(`/nodes/${at}/key`, 'duplicate_key', `"${key}" is the key of /nodes/${before} already`));
  }
  return faults;
};

const edgeFaults = ({ edges }: WorkflowSpec, graph: Graph): readonly WorkflowFault[] => {
  const pairs = new Map<string, number>();
  return edges.flatMap(({ from, to }, at) => {
    const pointer = `/edges/${at}`;
    const faults = (['from', 'to'] as const).flatMap((end) => {
      const key = end === 'from' ? from : to;
      return graph.nodes.has(key) ? [] : [error(`${pointer}/${end}`, 'unknown_node', `there is no node "${key}"`)];
    });
    if (from === to) faults.push(error(pointer, 'self_edge', `"${from}" cannot lead to itself`));
    const before = pairs.get(`${from} ${to}`);
    if (before === undefined) pairs.set(`${from} ${to}`, at);
    else faults.push(error(pointer, 'duplicate_edge', `/edges/${before} leads from "${from}" to "${to}" already; \`on\` takes several outcomes`));
    return faults;
  });
};

/** Cycles, and what no run could ever come to. */
const wayFaults = (graph: Graph): readonly WorkflowFault[] => {
  const onCycles = cycles(graph).filter(({ length }) => length > 1);
  const starts = startNodes(graph);
  const anyWay = reached(graph, starts);
  const possibleWay = reached(graph, starts, (edge) => isPossible(graph, edge));
  const circling = new Set(onCycles.flatMap((keys) => [...reached(graph, keys)]));
  const pointerOf = (key: string): string => `/nodes/${graph.nodes.get(key)?.at ?? 0}`;
  return [
    ...onCycles.map((keys) =>
      error(pointerOf(keys[0] ?? ''), 'cycle', `these nodes lead back to one another: ${[...keys, keys[0]].map((key) => `"${key}"`).join(' → ')}`),
    ),
    ...[...graph.nodes.keys()].flatMap((key) => {
      // What is on a cycle is named by it already; what lies behind one alone is not.
      if (possibleWay.has(key) || onCycles.some((keys) => keys.includes(key))) return [];
      const why = anyWay.has(key)
        ? 'no edge that leads here can be taken'
        : circling.has(key)
          ? 'only a cycle leads here'
          : 'nothing leads here from where a run begins';
      return [error(pointerOf(key), 'unreachable', `"${key}" is never reached: ${why}`)];
    }),
  ];
};

const nodeFaults = ({ node, at, into }: GraphNode): readonly WorkflowFault[] => {
  const pointer = `/nodes/${at}`;
  const faults = (['timeoutSeconds', 'retry'] as const).flatMap((member) =>
    node[member] === undefined || takes[member](node.type) ? [] : [error(`${pointer}/${member}`, 'not_taken_here', notTaken(member, node.type))],
  );
  if (node.type === 'join') faults.push(...joinFaults(node, `${pointer}/join`, into.length));
  const work = node.type === 'map' ? { node: node.node, pointer: `${pointer}/node` } : { node, pointer };
  const isTold = (work.node.type !== 'agent' && work.node.type !== 'team') || Object.keys(work.node.input ?? {}).length > 0;
  if (!isTold) faults.push(warning(`${work.pointer}/input`, 'nothing_said', 'it is told nothing, and will fail: give its input a `message`'));
  return faults;
};

const takes = { timeoutSeconds: takesTimeout, retry: takesRetry } as const;

const notTaken = (member: string, type: WorkflowNode['type']): string =>
  type === 'map' ? `\`${member}\` of a map is said on its \`node\`, for each element` : `a node of type ${type} takes no \`${member}\``;

const joinFaults = ({ join: { mode, count } }: Extract<WorkflowNode, { type: 'join' }>, pointer: string, incoming: number): readonly WorkflowFault[] => {
  const faults: WorkflowFault[] = [];
  if (incoming < 2) faults.push(error(pointer, 'join_edges', `a join needs at least two incoming edges, and has ${incoming}`));
  if (mode !== 'quorum' && count !== undefined) faults.push(error(`${pointer}/count`, 'quorum_count', `\`count\` belongs to mode quorum, not ${mode}`));
  if (mode === 'quorum' && count === undefined) faults.push(error(pointer, 'quorum_count', 'mode quorum needs a `count`'));
  if (mode === 'quorum' && count !== undefined && count > incoming)
    faults.push(error(`${pointer}/count`, 'quorum_count', `${count} edges can never be taken: only ${incoming} lead here`));
  return faults;
};

/** Outcomes that do not come, and endings from which nothing goes on. */
const wayOnFaults = ({ nodes }: Graph, { node, at, out }: GraphNode): readonly WorkflowFault[] => {
  const impossible = out.flatMap((edge) =>
    (edge.on ?? []).flatMap((outcome, n) =>
      outcomesOf[node.type].includes(outcome)
        ? []
        : [warning(`/edges/${edge.at}/on/${n}`, 'outcome_impossible', `"${node.key}", of type ${node.type}, never ends as ${outcome}`)],
    ),
  );
  // Without a condition of its own an edge from a condition is taken when that is true.
  const onlyTrue = node.type === 'condition' && out.filter((edge) => edgeOn(edge).includes('succeeded')).every(({ condition }) => condition === undefined);
  const leads = onlyTrue && out.some(({ to }) => nodes.has(to));
  return leads ? [...impossible, warning(`/nodes/${at}`, 'no_way_on', `nothing follows where "${node.key}" is false: all behind it is skipped`)] : impossible;
};

const fanOutFaults = (graph: Graph): readonly WorkflowFault[] => {
  const starts = startNodes(graph).length;
  return [
    ...(starts > maxFanOut ? [error('/nodes', 'fan_out', `a run begins with at most ${maxFanOut} nodes at once, not ${starts}`)] : []),
    ...[...graph.nodes.values()].flatMap(({ node, at, out }) =>
      out.length > maxFanOut ? [error(`/nodes/${at}`, 'fan_out', `"${node.key}" leads to ${out.length} nodes; at most ${maxFanOut} follow one`)] : [],
    ),
  ];
};
