/** A workflow's nodes and edges by what stands beside them. */
import type { WorkflowEdge, WorkflowNode, WorkflowSpec } from '../protocol/wire/workflows.ts';

/** `at`: its index in the spec; `n`: its place among the outgoing edges of its source, as `FlowStep.taken` counts. */
export type GraphEdge = WorkflowEdge & { readonly at: number; readonly n: number };
export type GraphNode = { readonly node: WorkflowNode; readonly at: number; readonly into: readonly GraphEdge[]; readonly out: readonly GraphEdge[] };

/** In the order of the spec. Of nodes with one key the first is it; edges from or to nowhere are left out. */
export type Graph = { readonly nodes: ReadonlyMap<string, GraphNode> };

type Growing = { readonly node: WorkflowNode; readonly at: number; readonly into: GraphEdge[]; readonly out: GraphEdge[] };

export const graphOf = ({ nodes: listed, edges }: Pick<WorkflowSpec, 'nodes' | 'edges'>): Graph => {
  const nodes = new Map<string, Growing>();
  for (const [at, node] of listed.entries()) if (!nodes.has(node.key)) nodes.set(node.key, { node, at, into: [], out: [] });
  for (const [at, edge] of edges.entries()) {
    const [from, to] = [nodes.get(edge.from), nodes.get(edge.to)];
    if (!from || !to) continue;
    const placed: GraphEdge = { ...edge, at, n: from.out.length };
    from.out.push(placed);
    to.into.push(placed);
  }
  return { nodes };
};

/** Keys, each after all that lead to it; what is on a cycle or behind one is left out. */
export const topological = ({ nodes }: Graph): readonly string[] => {
  const missing = new Map([...nodes].map(([key, { into }]) => [key, into.length]));
  const order = [...nodes.keys()].filter((key) => missing.get(key) === 0);
  for (const key of order) {
    for (const { to } of nodes.get(key)?.out ?? []) {
      const left = (missing.get(to) ?? 0) - 1;
      missing.set(to, left);
      if (left === 0) order.push(to);
    }
  }
  return order;
};

/** What is reached from these nodes by edges, themselves included. */
export const reached = ({ nodes }: Graph, from: readonly string[], leads: (edge: GraphEdge) => boolean = () => true): ReadonlySet<string> => {
  const found = new Set(from);
  for (const key of found) for (const edge of nodes.get(key)?.out ?? []) if (leads(edge)) found.add(edge.to);
  return found;
};

/** What leads to a node, over any number of edges; itself only where it is on a cycle. */
export const ancestors = ({ nodes }: Graph, key: string): ReadonlySet<string> => {
  const found = new Set((nodes.get(key)?.into ?? []).map(({ from }) => from));
  for (const one of found) for (const { from } of nodes.get(one)?.into ?? []) found.add(from);
  return found;
};

/** Where a run begins. */
export const startNodes = ({ nodes }: Graph): readonly string[] => [...nodes].flatMap(([key, { into }]) => (into.length === 0 ? [key] : []));
/** Whose outputs a run comes to. */
export const lastNodes = ({ nodes }: Graph): readonly string[] => [...nodes].flatMap(([key, { out }]) => (out.length === 0 ? [key] : []));

/** The keys on one cycle, in its order, for each group of nodes that are on cycles with one another. */
export const cycles = (graph: Graph): readonly (readonly string[])[] => {
  const ordered = new Set(topological(graph));
  const left = new Set([...graph.nodes.keys()].filter((key) => !ordered.has(key)));
  const found: (readonly string[])[] = [];
  for (const key of left) {
    const way = cycleThrough(graph, key);
    if (!way) continue;
    found.push(way);
    const behind = reached(graph, [key]);
    const before = ancestors(graph, key);
    for (const other of behind) if (before.has(other)) left.delete(other);
  }
  return found;
};

/** The shortest way from a node back to itself. */
const cycleThrough = ({ nodes }: Graph, key: string): readonly string[] | undefined => {
  const cameFrom = new Map<string, string>();
  const queue = [key];
  for (const one of queue) {
    for (const { to } of nodes.get(one)?.out ?? []) {
      if (to === key) return wayTo(one, key, cameFrom);
      if (cameFrom.has(to)) continue;
      cameFrom.set(to, one);
      queue.push(to);
    }
  }
  return undefined;
};

const wayTo = (end: string, start: string, cameFrom: ReadonlyMap<string, string>): readonly string[] => {
  const way = [end];
  while (way[0] !== start) way.unshift(cameFrom.get(way[0] ?? '') ?? start);
  return way;
};
