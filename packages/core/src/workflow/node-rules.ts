/** What the types of a workflow's nodes have in common and what they do not. */
import type { edgeOutcomes, FailurePolicy, NodeType, WorkflowNode } from '../protocol/wire/workflows.ts';
import type { Graph, GraphEdge, GraphNode } from './graph.ts';

export type EdgeOutcome = (typeof edgeOutcomes)[number];

const awaited: readonly EdgeOutcome[] = ['succeeded', 'failed', 'timed_out'];
const atOnce: readonly EdgeOutcome[] = ['succeeded', 'failed'];

/** How a node of a type may end, for edges that are `on` it. */
export const outcomesOf: Readonly<Record<NodeType, readonly EdgeOutcome[]>> = {
  agent: awaited,
  team: awaited,
  subrun: awaited,
  signal: awaited,
  approval: [...awaited, 'rejected'],
  condition: atOnce,
  join: awaited,
  timer: atOnce,
  map: awaited,
};

/** Whether `timeoutSeconds` means something: a condition takes no time, and a timer takes the time that it says. */
export const takesTimeout = (type: NodeType): boolean => outcomesOf[type].includes('timed_out');

/**
 * Whether `retry` means something. Of a condition, a timer and a join a further attempt would look at the same facts; a map's elements are tried
 * again each by itself, as its `node` says, so that nothing is done again that succeeded.
 */
export const takesRetry = (type: NodeType): boolean => takesTimeout(type) && type !== 'join' && type !== 'map';

export const edgeOn = ({ on }: Pick<GraphEdge, 'on'>): readonly EdgeOutcome[] => on ?? ['succeeded'];

/** Whether an edge could ever be taken, by the outcomes alone. */
export const isPossible = ({ nodes }: Graph, edge: GraphEdge): boolean => {
  const type = nodes.get(edge.from)?.node.type;
  return type !== undefined && edgeOn(edge).some((outcome) => outcomesOf[type].includes(outcome));
};

type Join = Extract<WorkflowNode, { type: 'join' }>;

/** How many taken edges a join waits for; undefined = all that can come. */
export const quorumOf = ({ join }: Join): number | undefined => {
  switch (join.mode) {
    case 'all':
      return undefined;
    case 'any':
      return 1;
    case 'quorum':
      return join.count ?? 1;
  }
};

/** A join that does not need all that leads to it. */
export const isRace = (node: WorkflowNode | undefined): boolean => node?.type === 'join' && quorumOf(node) !== undefined;

/**
 * What an unhandled failure of a node means. Unless said otherwise it ends the turn; but where all that follows are joins of `any` or
 * `quorum`, which are there to do without some, it is left to them.
 */
export const policyOf = ({ nodes }: Graph, { node, out }: GraphNode): FailurePolicy =>
  node.failurePolicy ?? (out.length > 0 && out.every(({ to }) => isRace(nodes.get(to)?.node)) ? 'continue' : 'fail_fast');
