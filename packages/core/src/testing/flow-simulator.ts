/**
 * A workflow's turn without sessions: moves are applied to its flow as deciding does it, children and people end as a table says, and time
 * passes when it is told to. What deciding would refuse is thrown.
 */
import type { Json } from '../protocol/json.ts';
import { type WorkflowSpec, workflowSpec } from '../protocol/wire/workflows.ts';
import { type Flow, type FlowMove, type FlowStep, flowDue, isEnd, mapOf, type StepEnd, stepOf } from '../session/flow.ts';
import type { SessionId } from '../session/ids.ts';
import type { CheckExpression, Evaluate, Scope } from '../workflow/expression-port.ts';
import { resultsNeeded, type StepResult } from '../workflow/flow-progress.ts';
import { planFlow } from '../workflow/plan-flow.ts';

export type Ended = Extract<FlowMove, { do: 'finish' | 'fail' }>;
export type Outcome = { readonly status: StepEnd; readonly output?: Json };
export type Simulation = {
  readonly spec: WorkflowSpec;
  readonly input: Json;
  readonly evaluate: Evaluate;
  readonly outcomeOf: (key: string, attempt: number) => Outcome;
  readonly results: Record<string, StepResult>;
  /** How often each attempt was begun, by `<key>#<attempt>`. */
  readonly begun: Map<string, number>;
  readonly moves: FlowMove[];
  flow: Flow;
  now: number;
  mostChildren: number;
  ended?: Ended;
};

/** As a request would bring it: defaults are filled in. */
export const spec = (nodes: readonly object[], edges: readonly object[] = [], output?: string): WorkflowSpec =>
  workflowSpec.parse({ nodes, edges, ...(output === undefined ? {} : { output }) });

export const simulate = (of: Pick<Simulation, 'spec'> & Partial<Pick<Simulation, 'input' | 'evaluate' | 'outcomeOf'>>): Simulation => ({
  input: null,
  evaluate: plainEvaluate,
  outcomeOf: (key) => ({ status: 'succeeded', output: key }),
  ...of,
  results: {},
  begun: new Map(),
  moves: [],
  flow: { steps: [], tries: 1 },
  now: 1_000,
  mostChildren: 0,
});

const member = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { readonly [key: string]: Json })[name] : undefined;

/** JSON, or names joined by dots, with `!` before them where the opposite is meant. */
export const plainEvaluate: Evaluate = (expression, scope) => {
  if (expression.startsWith('!')) {
    const plain = plainEvaluate(expression.slice(1), scope);
    return plain.ok ? { ok: true, value: plain.value !== true } : plain;
  }
  try {
    return { ok: true, value: JSON.parse(expression) as Json };
  } catch {
    const [first = '', ...names] = expression.trim().split('.');
    const value = names.reduce<Json | undefined>(member, scope[first as keyof Scope]);
    return value === undefined ? { ok: false, detail: `there is no ${expression}` } : { ok: true, value };
  }
};

/** Of such expressions it sees the names of nodes, and the types of JSON. */
export const plainCheck: CheckExpression = (expression) => {
  const at = { offset: 0, line: 1, column: 1 };
  try {
    const literal = JSON.parse(expression) as Json;
    const type =
      literal === null ? 'null' : Array.isArray(literal) ? 'list' : typeof literal === 'object' ? 'map' : typeof literal === 'boolean' ? 'bool' : null;
    return { ok: true, type: type ?? (typeof literal as 'string' | 'number'), names: [], nodes: [], literal };
  } catch {
    const [name, key, of] = expression.replace(/^!/, '').split('.');
    if (name !== 'run' && name !== 'nodes' && name !== 'item' && name !== 'index') return { ok: false, detail: `unknown name ${name}`, at };
    const nodes = name === 'nodes' ? [{ at, ...(key === undefined ? {} : { key }), ...(of === undefined ? {} : { member: of }) }] : [];
    return { ok: true, type: 'unknown', names: [{ name, at }], nodes };
  }
};

export const openChildren = ({ steps }: Flow): number => steps.filter(({ status, map }) => status === 'running' && !map).length;

type Knowing = 'needed' | 'all';

/** `knowing`: with the results that a plan needs, or with all that there are. */
export const planned = ({ spec: of, flow, now, input, results, evaluate }: Simulation, knowing: Knowing = 'needed'): readonly FlowMove[] => {
  const { keys, maps } = resultsNeeded(flow);
  const isNeeded = (key: string): boolean => keys.includes(key) || maps.includes(mapOf(key) ?? '');
  const nodes = knowing === 'all' ? results : Object.fromEntries(Object.entries(results).filter(([key]) => isNeeded(key)));
  return planFlow({ spec: of, flow, openChildren: openChildren(flow), now, env: { run: { input, id: 'run_1' }, nodes }, evaluate });
};

const put = (flow: Flow, step: FlowStep): Flow => ({
  ...flow,
  begun: true,
  steps: stepOf(flow, step.key) ? flow.steps.map((one) => (one.key === step.key ? step : one)) : [...flow.steps, step],
});

const refused = (move: FlowMove, step: FlowStep | undefined): Error => new Error(`refused: ${JSON.stringify(move)} of ${JSON.stringify(step)}`);

const begin = (sim: Simulation, move: FlowMove & { readonly key: string }, step: Pick<FlowStep, 'status' | 'until' | 'map'>): undefined => {
  const before = stepOf(sim.flow, move.key);
  if (before && before.status !== 'delayed') throw refused(move, before);
  const attempt = (before?.attempt ?? 0) + 1;
  const mark = `${move.key}#${attempt}`;
  sim.begun.set(mark, (sim.begun.get(mark) ?? 0) + 1);
  countBegun(sim, move, before);
  const child = move.do === 'begin' ? { childId: `sess_${'0'.repeat(20)}` as SessionId } : {};
  sim.flow = put(sim.flow, { key: move.key, attempt, ...child, ...step });
};

const ownerOf = (sim: Simulation, key: string): FlowStep | undefined => stepOf(sim.flow, mapOf(key) ?? '');

const countBegun = (sim: Simulation, move: FlowMove & { readonly key: string }, before: FlowStep | undefined): undefined => {
  if (mapOf(move.key) === undefined || before) return;
  const owner = ownerOf(sim, move.key);
  if (!owner?.map || owner.status !== 'running' || move.key !== `${owner.key}.${owner.map.begun}`) throw refused(move, owner);
  sim.flow = put(sim.flow, { ...owner, map: { ...owner.map, begun: owner.map.begun + 1 } });
};

const end = (sim: Simulation, move: Extract<FlowMove, { do: 'end' }>): undefined => {
  const before = stepOf(sim.flow, move.key);
  if (before && isEnd(before.status)) throw refused(move, before);
  countBegun(sim, move, before);
  const { output, errorCode, errorMessage } = move;
  sim.results[move.key] = JSON.parse(JSON.stringify({ output, errorCode, errorMessage })) as StepResult;
  const isNew = !before || (before.status === 'delayed' && move.status !== 'cancelled');
  const attempt = move.status === 'skipped' ? 0 : (before?.attempt ?? 0) + (isNew ? 1 : 0);
  sim.flow = put(sim.flow, { key: move.key, status: move.status, attempt, ...(before?.childId ? { childId: before.childId } : {}), ...mapped(before) });
};

const mapped = (step: FlowStep | undefined): Pick<FlowStep, 'map'> => (step?.map ? { map: step.map } : {});

const route = (sim: Simulation, move: Extract<FlowMove, { do: 'route' }>): undefined => {
  const before = stepOf(sim.flow, move.key);
  if (!before || !isEnd(before.status) || before.taken) throw refused(move, before);
  if (mapOf(move.key) === undefined) {
    sim.flow = put(sim.flow, { ...before, taken: move.taken });
    return;
  }
  const owner = ownerOf(sim, move.key);
  sim.flow = { ...sim.flow, steps: sim.flow.steps.filter(({ key }) => key !== move.key) };
  if (!owner?.map) return;
  const failed = owner.map.failed + (before.status === 'succeeded' ? 0 : 1);
  sim.flow = put(sim.flow, { ...owner, map: { ...owner.map, ended: owner.map.ended + 1, failed } });
};

export const apply = (sim: Simulation, move: FlowMove): undefined => {
  if (sim.ended) throw new Error(`after the end: ${JSON.stringify(move)}`);
  sim.moves.push(move);
  switch (move.do) {
    case 'begin':
      return begin(sim, move, { status: 'running' });
    case 'begin_map':
      return begin(sim, move, {
        ...{ status: 'running', map: { total: move.total, parallel: move.parallel, begun: 0, ended: 0, failed: 0 } },
        ...(move.until === undefined ? {} : { until: move.until }),
      });
    case 'ask':
      return begin(sim, move, { status: 'waiting' });
    case 'sleep':
      return begin(sim, move, { status: 'sleeping', until: move.until });
    case 'end':
      return end(sim, move);
    case 'retry': {
      const before = stepOf(sim.flow, move.key);
      if (!before || !isEnd(before.status) || before.taken) throw refused(move, before);
      sim.flow = put(sim.flow, { key: move.key, status: 'delayed', attempt: before.attempt, until: move.until });
      return;
    }
    case 'route':
      return route(sim, move);
    case 'finish':
    case 'fail':
      if (move.do === 'finish' && sim.flow.steps.some(({ status, taken }) => !isEnd(status) || !taken)) throw refused(move, undefined);
      sim.ended = move;
      return;
  }
};

/** All that is to be done now. */
export const advance = (sim: Simulation): readonly FlowMove[] => {
  const moves = planned(sim);
  for (const move of moves) apply(sim, move);
  sim.mostChildren = Math.max(sim.mostChildren, openChildren(sim.flow));
  return moves;
};

/** What somebody else ends: children, approvals, signals. */
export const awaited = ({ flow }: Simulation): readonly FlowStep[] =>
  flow.steps.filter(({ status, map }) => status === 'waiting' || (status === 'running' && !map));

/** A step ends as the table says, or as is said here. */
export const complete = (sim: Simulation, key: string, as?: Outcome): undefined => {
  const step = stepOf(sim.flow, key);
  if (!step || isEnd(step.status)) throw new Error(`nothing to complete: ${key}`);
  const { status, output } = as ?? sim.outcomeOf(key, step.attempt);
  const { until: _, ...rest } = step;
  sim.results[key] = output === undefined ? {} : { output };
  sim.flow = put(sim.flow, { ...rest, status });
};

export const isDue = (sim: Simulation): boolean => (flowDue(sim.flow, openChildren(sim.flow)) ?? Number.POSITIVE_INFINITY) <= sim.now;

/** Whether something happened: a plan carried out, one step ended (chosen by `pick`), or time passed. */
export const tick = (sim: Simulation, pick: number): boolean => {
  if (sim.ended) return false;
  if (isDue(sim)) {
    advance(sim);
    return true;
  }
  const due = flowDue(sim.flow, openChildren(sim.flow));
  const open = awaited(sim);
  const choices = open.length + (due === undefined ? 0 : 1);
  if (choices === 0) return false;
  const step = open[pick % choices];
  if (step) complete(sim, step.key);
  else sim.now = Math.max(sim.now, due ?? 0);
  return true;
};
