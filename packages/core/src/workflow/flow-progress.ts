/**
 * A turn's graph while a plan is made: the facts, and the moves that the plan holds so far as if they were facts already.
 *
 * It applies moves to itself as deciding will, so that planning from what a crash left and planning in one go come to the same.
 */
import type { Json } from '../protocol/json.ts';
import type { WorkflowSpec } from '../protocol/wire/workflows.ts';
import { type Flow, type FlowMove, type FlowStep, isEnd, mapOf, type StepEnd } from '../session/flow.ts';
import type { Evaluate, Evaluated, Scope } from './expression-port.ts';
import { type Graph, type GraphEdge, graphOf } from './graph.ts';

/** What is known of a step beside its state, once it has ended. */
export type StepResult = { readonly output?: Json; readonly errorCode?: string; readonly errorMessage?: string };
/** `nodes`: of steps that have ended, by key; of elements of maps, too (`<key>.<index>`). */
export type FlowEnv = { readonly run: { readonly input: Json; readonly id: string }; readonly nodes: Readonly<Record<string, StepResult>> };

/**
 * Which results a plan may look at: of the steps that have ended, and of all elements of those maps that may come to their end in it. A plan made
 * without the others is the same.
 */
export const resultsNeeded = ({ steps }: Flow): { readonly keys: readonly string[]; readonly maps: readonly string[] } => {
  const goingOn = new Set(steps.flatMap(({ key, status }) => (isEnd(status) || status === 'delayed' ? [] : [mapOf(key)])));
  return {
    keys: steps.flatMap(({ key, status }) => (isEnd(status) ? [key] : [])),
    maps: steps.flatMap(({ key, status, map }) => (map && status === 'running' && !goingOn.has(key) ? [key] : [])),
  };
};

export type PlanInput = {
  readonly spec: WorkflowSpec;
  readonly flow: Flow;
  /** Child sessions of this turn that have not ended. */
  readonly openChildren: number;
  /** Unix ms. */
  readonly now: number;
  readonly env: FlowEnv;
  readonly evaluate: Evaluate;
};

/** Known once the edge's source is routed. */
export type EdgeFate = 'taken' | 'lost' | 'off' | 'unknown';

export type Progress = {
  readonly input: PlanInput;
  readonly graph: Graph;
  readonly steps: Map<string, FlowStep>;
  readonly results: Map<string, StepResult>;
  readonly moves: FlowMove[];
  open: number;
  /** How many more children the routes of this look at the graph may lead to. */
  promised: number;
  /** What maps were found to have, by key: looked at once in a plan. */
  readonly items: Map<string, Evaluated>;
  /** What expressions see as `nodes`; made anew after a move. */
  seen?: Scope | undefined;
};

export const progressOf = (input: PlanInput): Progress => ({
  input,
  graph: graphOf(input.spec),
  steps: new Map(input.flow.steps.map((step) => [step.key, step])),
  results: new Map(Object.entries(input.env.nodes)),
  moves: [],
  open: input.openChildren,
  promised: 0,
  items: new Map(),
});

/** What an element's work and a node's are called, wherever a move names it. */
export const refOf = ({ graph }: Progress, key: string): { readonly key: string; readonly type: string; readonly name?: string } => {
  const node = graph.nodes.get(mapOf(key) ?? key)?.node;
  const type = node?.type === 'map' && mapOf(key) !== undefined ? node.node.type : (node?.type ?? 'agent');
  return { key, type, ...(node?.name === undefined ? {} : { name: node.name }) };
};

export const isOver = (step: FlowStep | undefined): step is FlowStep & { readonly status: StepEnd } => step !== undefined && isEnd(step.status);
export const endOf = ({ steps }: Progress, key: string): StepEnd | undefined => {
  const step = steps.get(key);
  return isOver(step) ? step.status : undefined;
};

export const fateOf = ({ steps }: Progress, edge: GraphEdge): EdgeFate => {
  const source = steps.get(edge.from);
  if (!isOver(source) || !source.taken) return 'unknown';
  if (source.taken.includes(edge.n)) return 'taken';
  return source.status === 'succeeded' || source.status === 'skipped' ? 'off' : 'lost';
};

/** The elements of a map that are not counted yet. */
export const elementsOf = ({ steps }: Progress, key: string): readonly FlowStep[] => [...steps.values()].filter((step) => mapOf(step.key) === key);

const statusSeen = ({ steps }: Progress, key: string): string => steps.get(key)?.status ?? 'pending';

/** What expressions see. Every node is there: of one that has not ended the output is null. */
const scopeOf = (progress: Progress): Scope => {
  const { input, graph, results } = progress;
  const nodes = Object.fromEntries(
    [...graph.nodes.keys()].map((key) => [
      key,
      { status: statusSeen(progress, key), output: endOf(progress, key) === undefined ? null : (results.get(key)?.output ?? null) },
    ]),
  );
  return { run: { input: input.env.run.input, id: input.env.run.id }, nodes };
};

export const evaluateIn = (progress: Progress, expression: string, more: Scope = {}): Evaluated => {
  progress.seen ??= scopeOf(progress);
  return progress.input.evaluate(expression, { ...progress.seen, ...more });
};

/** As `evaluateIn`; for what takes an evaluation of its own, as a prompt does. */
export const scopeIn = (progress: Progress): Scope => {
  progress.seen ??= scopeOf(progress);
  return progress.seen;
};

/** A child session is counted from the move that begins it until its step has ended. */
const hasChild = (step: FlowStep | undefined): boolean => step?.status === 'running' && !step.map;

const put = (progress: Progress, step: FlowStep): undefined => {
  const before = progress.steps.get(step.key);
  progress.open += (hasChild(step) ? 1 : 0) - (hasChild(before) ? 1 : 0);
  progress.steps.set(step.key, step);
};

const countBegun = (progress: Progress, key: string): undefined => {
  const owner = progress.steps.get(mapOf(key) ?? '');
  if (owner?.map && !progress.steps.has(key)) put(progress, { ...owner, map: { ...owner.map, begun: owner.map.begun + 1 } });
};

const countEnded = (progress: Progress, step: FlowStep): undefined => {
  const owner = progress.steps.get(mapOf(step.key) ?? '');
  progress.steps.delete(step.key);
  if (!owner?.map) return;
  const failed = owner.map.failed + (step.status === 'succeeded' ? 0 : 1);
  put(progress, { ...owner, map: { ...owner.map, ended: owner.map.ended + 1, failed } });
};

/** What cannot begin has had an attempt all the same; what is skipped, or cancelled before its next one, has not. */
const attemptAtEnd = (before: FlowStep | undefined, status: StepEnd): number => {
  if (!before) return status === 'skipped' ? 0 : 1;
  return before.attempt + (before.status === 'delayed' && status !== 'cancelled' ? 1 : 0);
};

/** Adds a move to the plan. */
export const move = (progress: Progress, next: FlowMove): undefined => {
  progress.moves.push(next);
  progress.seen = undefined;
  if (next.do === 'finish' || next.do === 'fail') return;
  const { key } = next;
  const before = progress.steps.get(key);
  const attempt = (before?.attempt ?? 0) + 1;
  switch (next.do) {
    case 'begin':
      countBegun(progress, key);
      return put(progress, { key, status: 'running', attempt });
    case 'begin_map':
      return put(progress, {
        ...{ key, status: 'running', attempt, map: { total: next.total, parallel: next.parallel, begun: 0, ended: 0, failed: 0 } },
        ...(next.until === undefined ? {} : { until: next.until }),
      });
    case 'ask':
      return put(progress, { key, status: 'waiting', attempt });
    case 'sleep':
      return put(progress, { key, status: 'sleeping', attempt, until: next.until });
    case 'retry':
      return put(progress, { key, status: 'delayed', attempt: before?.attempt ?? 1, until: next.until });
    case 'end': {
      countBegun(progress, key);
      const { output, errorCode, errorMessage } = next;
      progress.results.set(key, {
        ...(output === undefined ? {} : { output }),
        ...(errorCode === undefined ? {} : { errorCode }),
        ...(errorMessage === undefined ? {} : { errorMessage }),
      });
      const { map } = before ?? {};
      return put(progress, { key, status: next.status, attempt: attemptAtEnd(before, next.status), ...(map ? { map } : {}) });
    }
    case 'route':
      if (!before) return;
      return mapOf(key) === undefined ? put(progress, { ...before, taken: next.taken }) : countEnded(progress, before);
  }
};
