/**
 * All that is wrong with a draft, be it a spec or not.
 *
 * GV3 A fault of shape hides nothing that can be judged without it: of what cannot be read nothing more is said, and neither is what would
 *     only follow from it (that a node is missing whose key cannot be read, that a join lacks an edge that leads nobody knows where).
 *     All else is told as if it stood alone.
 */
import type { DraftFault } from '../protocol/wire/workflow-requests.ts';
import { type WorkflowSpec, workflowNode, workflowSpec } from '../protocol/wire/workflows.ts';
import { mostFaults, pointerOf } from '../protocol/wire-faults.ts';
import type { CheckExpression } from './expression-port.ts';
import { ancestors, type Graph, graphOf } from './graph.ts';
import { type SoundParts, soundParts, standIn } from './sound-parts.ts';
import { type WorkflowFault, type WorkflowFaultCode, workflowFaults } from './validate-workflow.ts';

export type JudgedDraft = {
  /** As it would be published; undefined where it is no spec. */
  readonly spec: WorkflowSpec | undefined;
  /** What of it can be judged, by whoever knows more: each node in its place. */
  readonly parts: WorkflowSpec;
  /** Whether something may be said there. */
  readonly isSound: (pointer: string) => boolean;
  readonly faults: readonly DraftFault[];
};

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };
const shapeFault = ({ path, message }: Issue): DraftFault => ({ pointer: pointerOf(path), code: 'shape', severity: 'error', detail: message });

export const judgeDraft = (draft: unknown, check: CheckExpression): JudgedDraft => {
  const parsed = workflowSpec.safeParse(draft);
  if (parsed.success) return { spec: parsed.data, parts: parsed.data, isSound: () => true, faults: workflowFaults(parsed.data, check) };
  const parts = soundParts(draft);
  const shape = [...parsed.error.issues, ...parts.retyped.flatMap(issuesAs)].slice(0, mostFaults).map(shapeFault);
  const isBlind = (pointer: string): boolean => parts.blind.some((place) => pointer === place || pointer.startsWith(`${place}/`));
  const many = Array.isArray((draft as { nodes?: unknown } | null)?.nodes) ? (draft as { nodes: unknown[] }).nodes.length : 0;
  return {
    spec: undefined,
    parts: { ...parts.spec, nodes: parts.spec.nodes.slice(0, many) },
    isSound: (pointer) => !isBlind(pointer),
    faults: [...shape, ...partFaults(parts, many, isBlind, check)],
  };
};

/** Where its type is misspelt nothing else of a node is looked at: what would be wrong with it then. */
const issuesAs = ({ at, node }: SoundParts['retyped'][number]): readonly Issue[] =>
  (workflowNode.safeParse(node).error?.issues ?? []).map(({ path, message }) => ({ path: ['nodes', at, ...path], message }));

const partFaults = (parts: SoundParts, many: number, isBlind: (pointer: string) => boolean, check: CheckExpression): readonly WorkflowFault[] => {
  const spec = withNames(parts, check);
  if (spec.nodes.length === 0 && parts.unknown.nodes) return [];
  const graph = graphOf(spec);
  return workflowFaults(spec, check, { seen: (key) => mayHaveEnded(parts, graph, key) }).filter((fault) => {
    const at = Number(/^\/nodes\/(\d+)/.exec(fault.pointer)?.[1] ?? -1);
    if (at >= many || isPossiblyMended(parts, graph, spec, fault, at)) return false;
    return ofWays.has(fault.code) ? !(spec.nodes[at]?.key.startsWith('?') ?? false) : !isBlind(fault.pointer);
  });
};

/** Said of a node for the edges around it, whatever of the node itself can be read. */
const ofWays: ReadonlySet<WorkflowFaultCode> = new Set(['cycle', 'unreachable', 'fan_out', 'self_edge', 'duplicate_edge', 'join_edges']);

/** Names that are nobody's, where they may be those of nodes whose keys cannot be read. */
const withNames = ({ spec, nameless, unknown }: SoundParts, check: CheckExpression): WorkflowSpec => {
  const keys = new Set(spec.nodes.map(({ key }) => key));
  const names = new Set(spec.edges.flatMap(({ from, to }) => [from, to]));
  workflowFaults(spec, (text) => {
    const checked = check(text);
    if (checked.ok) for (const { key } of checked.nodes) if (key !== undefined) names.add(key);
    return checked;
  });
  const strange = [...names].filter((name) => !keys.has(name));
  return unknown.nodes || strange.length <= nameless ? { ...spec, nodes: [...spec.nodes, ...strange.map(standIn)] } : spec;
};

/** What has ended when a node begins, as far as the edges say that can be read: the others may add to it. */
const mayHaveEnded = ({ open, unknown }: SoundParts, graph: Graph, key: string): ReadonlySet<string> => {
  const seen = ancestors(graph, key);
  const isAny = unknown.edges || open.from.some((end) => end === key || seen.has(end)) || open.from.some((end) => leadsNowhere(open, graph, end));
  if (isAny) return new Set(graph.nodes.keys());
  return new Set([...seen, ...open.to.flatMap((end) => [...ancestors(graph, end)])]);
};

/** An edge of which neither end can be read. */
const leadsNowhere = ({ to }: SoundParts['open'], graph: Graph, from: string): boolean =>
  graph.nodes.get(from)?.out.some((edge) => to.includes(edge.to)) === true;

/** Whether the edges that cannot be read may make it right. */
const isPossiblyMended = ({ open, unknown }: SoundParts, graph: Graph, spec: WorkflowSpec, { code, pointer }: WorkflowFault, at: number): boolean => {
  const node = spec.nodes[at];
  const into = graph.nodes.get(node?.key ?? '')?.into.length ?? 0;
  const most = unknown.edges ? Number.POSITIVE_INFINITY : into + open.to.length;
  switch (code) {
    case 'join_edges':
      return most >= 2;
    case 'quorum_count':
      return node?.type === 'join' && node.join.mode === 'quorum' && (node.join.count ?? most + 1) <= most;
    case 'no_way_on':
      return unknown.edges;
    case 'unknown_reference':
      return unknown.nodes;
    case 'fan_out':
      return pointer === '/nodes' && (unknown.edges || open.from.length + open.to.length > 0);
    default:
      return false;
  }
};
