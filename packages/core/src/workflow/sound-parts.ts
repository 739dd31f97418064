/**
 * What of a draft can be judged though it is no spec as it stands: the same nodes and edges in the same places, and for what cannot be read
 * something in its stead that has no fault of its own.
 *
 * Owns: what is made of parts that cannot be read, and where nothing may be said because of that. A name that is misspelt is taken for what
 * it is most likely meant to be, so that what follows it is judged.
 */
import { nearestName } from '../protocol/nearest-name.ts';
import { approverRef as approverRefShape } from '../protocol/wire/agents.ts';
import {
  approvalPrompt,
  expression,
  maxEdges,
  maxNodes,
  nodeKey,
  type WorkflowEdge,
  type WorkflowNode,
  type WorkflowSpec,
  workflowEdge,
  workflowNode,
} from '../protocol/wire/workflows.ts';
import { pointerOf } from '../protocol/wire-faults.ts';

type Raw = Readonly<Record<string, unknown>>;
type Schema = { readonly safeParse: (value: unknown) => { readonly success: boolean; readonly data?: unknown } };
type Shape = Readonly<Record<string, Schema>>;

export type SoundParts = {
  /** As many nodes and edges as the draft has, and behind them nodes that stand for ends of edges which nobody knows. */
  readonly spec: WorkflowSpec;
  /** Nodes whose type is misspelt, and which they are judged as: their shape is judged nowhere else. */
  readonly retyped: readonly { readonly at: number; readonly node: Raw }[];
  /** There and below nothing is said but what shape says. */
  readonly blind: readonly string[];
  /** How many nodes of the draft have a key that nobody knows. */
  readonly nameless: number;
  /** Stand for the ends of edges that cannot be read: whence (`from`) and whither (`to`). Of an edge in both are neither read. */
  readonly open: { readonly from: readonly string[]; readonly to: readonly string[] };
  /** There are edges, or nodes, of which nothing is known. */
  readonly unknown: { readonly nodes: boolean; readonly edges: boolean };
};

const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value);
const shapes: ReadonlyMap<string, Shape> = new Map(workflowNode.options.map(({ shape }) => [shape.type.value, shape as unknown as Shape]));
const types = [...shapes.keys()];
const mappedTypes = ['agent', 'team', 'subrun'];
const marks: readonly (readonly [member: string, type: string])[] = [
  ['agentId', 'agent'],
  ['teamId', 'team'],
  ['definitionRevisionId', 'subrun'],
  ['condition', 'condition'],
  ['join', 'join'],
  ['approval', 'approval'],
  ['timer', 'timer'],
  ['signalName', 'signal'],
  ['items', 'map'],
];

/** Of a type that nobody knows: by its spelling, or by the member that only one type has. */
const typeMeant = ({ type, ...members }: Raw, among: readonly string[]): string | undefined => {
  if (typeof type === 'string' && among.includes(type)) return type;
  const near = typeof type === 'string' ? nearestName(type, among) : undefined;
  const marked = marks.filter(([member, of]) => Object.hasOwn(members, member) && among.includes(of));
  return near ?? (marked.length === 1 ? marked[0]?.[1] : undefined);
};

/** Of which nothing is known beforehand. */
const anyExpression = 'run.input';
const stays = (value: unknown): boolean => expression.safeParse(value).success;
/** A node that may end in every way. */
export const standIn = (key: string): WorkflowNode => ({ key, type: 'approval', approval: { approverRef: '?', prompt: '?' } });

type Reading = { readonly blind: string[] };

/** Of members that no spec has, those that are meant by it: what they say is not known. */
const misspelt = (raw: Raw, known: readonly string[], pointer: string): readonly string[] => {
  const absent = known.filter((name) => !Object.hasOwn(raw, name));
  const strange = Object.keys(raw).filter((name) => !known.includes(name));
  return strange.flatMap((name) => nearestName(name, absent) ?? []).map((name) => `${pointer}/${name}`);
};

/** What of a member can be kept; undefined where it is left out. */
const partOf = (reading: Reading, name: string, value: unknown, pointer: string): unknown => {
  const { blind } = reading;
  const raw = isRaw(value) ? value : {};
  switch (name) {
    case 'input': {
      if (!isRaw(value)) break;
      const lost = Object.keys(value).filter((key) => !stays(value[key]));
      blind.push(...lost.map((key) => `${pointer}${pointerOf([key])}`));
      return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, stays(text) ? text : anyExpression]));
    }
    case 'node':
      return mappedPart(reading, raw, pointer);
    case 'join': {
      blind.push(pointer);
      const mode = raw['mode'] === 'any' || raw['mode'] === 'quorum' ? raw['mode'] : 'all';
      return mode === 'quorum' ? { mode, count: 1 } : { mode };
    }
    case 'timer':
      if (stays(raw['at'])) return { at: raw['at'] };
      blind.push(pointer);
      return { durationSeconds: 0 };
    case 'approval': {
      const { prompt, approverRef } = raw;
      const [isPrompt, isRef] = [approvalPrompt.safeParse(prompt).success, approverRefShape.safeParse(approverRef).success];
      blind.push(...(isPrompt ? [] : [`${pointer}/prompt`]), ...(isRef ? [] : [`${pointer}/approverRef`]));
      return { prompt: isPrompt ? prompt : '?', approverRef: isRef ? approverRef : '?' };
    }
    default:
      break;
  }
  blind.push(pointer);
  return inStead[name];
};

const inStead: Readonly<Record<string, unknown>> = {
  ...{ agentId: '?', teamId: '?', definitionRevisionId: '?' },
  ...{ condition: anyExpression, items: anyExpression, signalName: 'signal', maxParallel: 1 },
};

const membersOf = (reading: Reading, raw: Raw, shape: Shape, pointer: string): Record<string, unknown> => {
  const kept: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const read = schema.safeParse(raw[name]);
    const value = read.success ? read.data : partOf(reading, name, raw[name], `${pointer}/${name}`);
    if (value !== undefined) kept[name] = value;
  }
  reading.blind.push(...misspelt(raw, Object.keys(shape), pointer));
  return kept;
};

const mappedPart = (reading: Reading, raw: Raw, pointer: string): unknown => {
  const type = typeMeant(raw, mappedTypes);
  const { key: _k, failurePolicy: _f, ...shape } = shapes.get(type ?? '') ?? {};
  if (type !== undefined) return membersOf(reading, { ...raw, type }, shape, pointer);
  reading.blind.push(pointer);
  return { type: 'agent', agentId: '?', input: { message: anyExpression } };
};

/** Texts under names that no spec has: one of them may be what is missing. */
const spareTexts = (raw: Raw, known: readonly string[]): readonly string[] =>
  Object.entries(raw).flatMap(([name, value]) => (!known.includes(name) && typeof value === 'string' ? [value] : []));

const commonMembers = ['key', 'type', 'name'];

const keyOf = (raw: Raw, type: string | undefined): string | undefined => {
  if (typeof raw['key'] === 'string' && raw['key'] !== '') return raw['key'];
  const spare = spareTexts(raw, type === undefined ? commonMembers : Object.keys(shapes.get(type) ?? {}));
  const keys = spare.filter((text) => nodeKey.safeParse(text).success);
  return Object.hasOwn(raw, 'key') || keys.length !== 1 ? undefined : keys[0];
};

type NodeRead = { readonly node: WorkflowNode; readonly isNameless: boolean; readonly retyped?: Raw };

const readNode = (reading: Reading, value: unknown, at: number): NodeRead => {
  const pointer = `/nodes/${at}`;
  const sound = workflowNode.safeParse(value);
  if (sound.success) return { node: sound.data, isNameless: false };
  const raw = isRaw(value) ? value : {};
  const type = typeMeant(raw, types);
  const key = typeof value === 'string' ? value : keyOf(raw, type);
  const named = key ?? `?node ${at}`;
  if (key === undefined || !nodeKey.safeParse(raw['key']).success) reading.blind.push(`${pointer}/key`);
  const retyped = type !== undefined && raw['type'] !== type ? { retyped: { ...raw, type } } : {};
  if (type === undefined) {
    reading.blind.push(pointer);
    return { node: standIn(named), isNameless: key === undefined && isRaw(value) };
  }
  const { key: _, ...shape } = shapes.get(type) ?? {};
  const { key: _k, ...members } = raw;
  return { node: { ...membersOf(reading, { ...members, type }, shape, pointer), key: named } as WorkflowNode, isNameless: key === undefined, ...retyped };
};

type Ends = { readonly from: string[]; readonly to: string[] };

const readEdge = (reading: Reading, open: Ends, keys: ReadonlySet<string>, value: unknown, at: number): WorkflowEdge => {
  const sound = workflowEdge.safeParse(value);
  if (sound.success) return sound.data;
  const pointer = `/edges/${at}`;
  const raw = isRaw(value) ? value : {};
  const known = Object.keys(workflowEdge.shape);
  const spare = spareTexts(raw, known).filter((text) => keys.has(text));
  const end = (name: 'from' | 'to'): string => {
    if (!nodeKey.safeParse(raw[name]).success) reading.blind.push(`${pointer}/${name}`);
    const text = typeof raw[name] === 'string' ? raw[name] : Object.hasOwn(raw, name) ? undefined : spare.shift();
    if (text !== undefined) return text;
    open[name].push(`?${name} ${at}`);
    return `?${name} ${at}`;
  };
  const [from, to] = [end('from'), end('to')];
  const lost = [
    ...misspelt(raw, known, pointer),
    ...(['on', 'condition'] as const).filter((name) => !workflowEdge.shape[name].safeParse(raw[name]).success).map((name) => `${pointer}/${name}`),
  ];
  reading.blind.push(...lost);
  const on = workflowEdge.shape.on.safeParse(raw['on']);
  const condition = lost.includes(`${pointer}/condition`) ? anyExpression : (raw['condition'] as string | undefined);
  return { from, to, ...(on.success && on.data ? { on: on.data } : {}), ...(condition === undefined ? {} : { condition }) };
};

/** More than this is not looked at piece by piece. */
const mostPieces = 2;

const listIn = (draft: Raw, name: 'nodes' | 'edges', most: number): readonly unknown[] | undefined => {
  const list = draft[name];
  if (Array.isArray(list)) return list.length > mostPieces * most ? undefined : (list as readonly unknown[]);
  // Without edges there are none, unless another name holds them.
  const spare = Object.keys(draft).some((member) => !['nodes', 'edges', 'output'].includes(member) && Array.isArray(draft[member]));
  return name === 'edges' && list === undefined && !spare ? [] : undefined;
};

/** Of a draft that is no spec. */
export const soundParts = (draft: unknown): SoundParts => {
  const reading: Reading = { blind: [] };
  const open: Ends = { from: [], to: [] };
  const raw = isRaw(draft) ? draft : {};
  const [nodes, edges] = [listIn(raw, 'nodes', maxNodes), listIn(raw, 'edges', maxEdges)];
  const read = (nodes ?? []).map((node, at) => readNode(reading, node, at));
  const keys = new Set(read.map(({ node }) => node.key));
  const readEdges = (edges ?? []).map((edge, at) => readEdge(reading, open, keys, edge, at));
  const output = stays(raw['output']) ? { output: raw['output'] as string } : {};
  return {
    spec: { nodes: [...read.map(({ node }) => node), ...[...open.from, ...open.to].map(standIn)], edges: readEdges, ...output },
    retyped: read.flatMap(({ retyped }, at) => (retyped ? [{ at, node: retyped }] : [])),
    blind: reading.blind,
    nameless: read.filter(({ isNameless }) => isNameless).length,
    open,
    unknown: { nodes: nodes === undefined, edges: edges === undefined },
  };
};
