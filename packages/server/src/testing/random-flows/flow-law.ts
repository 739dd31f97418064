/**
 * What must hold of the log of a workflow's turn, read event by event beside what was made up beforehand (made-flow.ts). It is written from
 * the words of docs/workflows.md and shares nothing with the code that plans.
 *
 * - A step begins when all that leads to it is routed and some of it leads on, its next attempt after one that failed and not before its time;
 *   each attempt once, each by a child of its own.
 * - It ends as its attempt was made to end. What is routed takes the edges that it must, and changes no more.
 * - A join is decided by what was routed before it, and by no less than it needs.
 * - Only what nobody waits for is cancelled in a turn that goes on; after a failure that ends the turn nothing begins.
 * - The turn comes to the outcome and the result that its steps leave.
 */
import { canonicalJson, type Json } from '@turnkeeper/core/protocol/json';
import { outcomeEvents } from '@turnkeeper/core/session/events';
import type { Logged } from '../harness/log-checker.ts';
import type { End, MadeEdge, MadeFlow, MadeNode, Test } from './made-flow.ts';

/** An attempt that a child session worked on; `path` names the step in the whole run. */
export type Begun = { readonly path: string; readonly attempt: number; readonly child: string; readonly node: MadeNode };
export type Judged = { readonly faults: readonly string[]; readonly begun: readonly Begun[]; readonly ends: Readonly<Record<string, string>> };

type StepData = Extract<Logged['event'], { readonly type: 'step.updated' | 'step.failed' }>['data'];
type Step = {
  status: StepData['status'];
  attempt: number;
  taken?: readonly number[];
  output?: Json;
  until?: number;
  total: number;
  begun: number;
  failed: number;
};
type Watch = {
  readonly flow: MadeFlow;
  readonly of: string;
  readonly logOf: (session: string) => readonly Logged[];
  readonly steps: Map<string, Step>;
  readonly begun: Begun[];
  readonly inner: Judged[];
  /** Cancelled though somebody waited for it: only where the turn ends otherwise. */
  readonly cut: string[];
  readonly faults: string[];
  /** The node whose failure ends the turn. */
  dead?: string;
  /** Something failed that nobody waited for any more: whether that counts is chance. */
  isOpen: boolean;
};

const ended: ReadonlySet<string> = new Set(['succeeded', 'failed', 'timed_out', 'rejected', 'cancelled', 'skipped']);
const isOver = (step: Step | undefined): step is Step => step !== undefined && ended.has(step.status);
const mapKey = (key: string): string | undefined => (key.includes('.') ? key.slice(0, key.indexOf('.')) : undefined);
const same = (a: unknown, b: unknown): boolean => canonicalJson((a ?? null) as Json) === canonicalJson((b ?? null) as Json);

const into = ({ flow }: Watch, key: string): readonly MadeEdge[] => flow.edges.filter(({ to }) => to === key);
const out = ({ flow }: Watch, key: string): readonly MadeEdge[] => flow.edges.filter(({ from }) => from === key);

const holds = ({ steps }: Watch, test: Test): boolean => {
  switch (test.kind) {
    case 'fixed':
      return test.value;
    case 'succeeded':
      return steps.get(test.key)?.status === 'succeeded';
    case 'not_succeeded':
      return steps.get(test.key)?.status !== 'succeeded';
    case 'gave_false':
      return steps.get(test.key)?.output !== true;
  }
};

const leadsOn = (watch: Watch, node: MadeNode, { on = ['succeeded'], when }: MadeEdge): boolean => {
  const { status, output } = watch.steps.get(node.key) ?? {};
  if (status === undefined || status === 'skipped') return false;
  const isOn = status === 'succeeded' ? on.includes('succeeded') : on.includes(status as End) || on.includes('failed');
  if (!isOn) return false;
  if (when) return holds(watch, when);
  return node.type !== 'condition' || status !== 'succeeded' || output === true;
};

/** What became of an edge, as far as the log says it. */
const fate = (watch: Watch, edge: MadeEdge): 'unknown' | 'taken' | 'lost' | 'off' => {
  const step = watch.steps.get(edge.from);
  if (!isOver(step) || !step.taken) return 'unknown';
  if (step.taken.includes(out(watch, edge.from).indexOf(edge))) return 'taken';
  return step.status === 'succeeded' || step.status === 'skipped' ? 'off' : 'lost';
};
const fates = (watch: Watch, key: string): readonly string[] => into(watch, key).map((edge) => fate(watch, edge));
const count = (all: readonly string[], one: string): number => all.filter((entry) => entry === one).length;

/** Nothing can come of it any more: all that it leads to is over, or waited for by nobody itself. */
const isIdle = (watch: Watch, key: string): boolean => {
  const ways = out(watch, key);
  return ways.length > 0 && ways.every(({ to }) => isOver(watch.steps.get(to)) || isIdle(watch, to));
};

const policyOf = ({ flow }: Watch, { key, failurePolicy }: MadeNode): NonNullable<MadeNode['failurePolicy']> => {
  const ways = flow.edges.filter(({ from }) => from === key);
  const isRace = (to: string): boolean => (flow.nodes.find((node) => node.key === to)?.join?.mode ?? 'all') !== 'all';
  return failurePolicy ?? (ways.length > 0 && ways.every(({ to }) => isRace(to)) ? 'continue' : 'fail_fast');
};

const isUnhandled = (step: Step | undefined): boolean =>
  step !== undefined && ['failed', 'timed_out', 'rejected'].includes(step.status) && (step.taken ?? []).length === 0;

const mayLack = ({ failurePolicy: policy }: MadeNode): boolean => policy === 'continue' || policy === 'partial_success';

const openElements = ({ steps }: Watch, key: string): number => [...steps.keys()].filter((one) => mapKey(one) === key).length;

const wantedItems = ({ steps }: Watch, { items }: MadeNode): number => {
  const given = items?.of === undefined ? undefined : steps.get(items.of);
  return given?.status === 'succeeded' && Array.isArray(given.output) ? given.output.length : (items?.count ?? 0);
};

/** `node`: of an element its map. */
type Place = { readonly key: string; readonly node: MadeNode; readonly index: number | undefined };
type Say = (fault: string) => void;

const workStatus = (node: MadeNode, isElement: boolean): string => {
  if (isElement || node.type === 'agent' || node.type === 'subrun' || node.type === 'map') return 'running';
  return node.type === 'timer' || node.type === 'join' ? 'sleeping' : 'waiting';
};

const begins = (watch: Watch, { key, node, index }: Place, data: StepData, at: number, say: Say): void => {
  const before = watch.steps.get(key);
  const { attempt, child_session_id: child } = data;
  if (watch.dead !== undefined) say(`begins after ${watch.dead} has failed for all`);
  if (before && before.status !== 'delayed') say(`begins though it is ${before.status}`);
  if (before?.until !== undefined && before.until > at) say('begins again before its time');
  if (attempt !== (before?.attempt ?? 0) + 1 || attempt > node.attempts) say(`begins attempt ${attempt} of ${node.attempts} after ${before?.attempt ?? 0}`);
  if (data.status !== workStatus(node, index !== undefined) || node.type === 'condition') say(`begins as ${data.status}`);
  const work = index === undefined ? node.type : 'agent';
  if ((child !== undefined) !== (work === 'agent' || work === 'subrun')) say('has a child where it needs none, or none');
  if (child !== undefined) {
    if (watch.begun.some((one) => one.child === child)) say(`shares the child ${child}`);
    watch.begun.push({ path: `${watch.of}${key}`, attempt, child, node });
  }
  if (!before) beginsFirst(watch, { key, node, index }, data, say);
  const { until } = data;
  watch.steps.set(key, { status: data.status, attempt, total: data.map?.total ?? 0, begun: 0, failed: 0, ...(until === undefined ? {} : { until }) });
  if (node.type === 'map' && index !== undefined && openElements(watch, node.key) > (node.maxParallel ?? 0)) say('is one element too many at once');
};

const beginsFirst = (watch: Watch, { key, node, index }: Place, data: StepData, say: Say): void => {
  if (index !== undefined) {
    countElement(watch, { key, node, index }, say);
    return;
  }
  if (node.type === 'join') {
    if (node.timeoutSeconds === undefined || !fates(watch, key).includes('taken')) say('waits, and has no time-out that counts');
  } else mayCome(watch, key, say);
  if (node.type === 'map' && data.map?.total !== wantedItems(watch, node)) say(`has ${data.map?.total} elements, not ${wantedItems(watch, node)}`);
};

const countElement = (watch: Watch, { node, index }: Place, say: Say): void => {
  const owner = watch.steps.get(node.key);
  if (owner?.status !== 'running' || index !== owner.begun || index >= owner.total) say(`comes as element ${owner?.begun} of ${owner?.total}`);
  if (owner) owner.begun += 1;
};

const mayCome = (watch: Watch, key: string, say: Say): void => {
  const all = fates(watch, key);
  if (all.includes('unknown')) say('begins before all that leads there is known');
  if (all.length > 0 && !all.includes('taken')) say('begins though nothing leads there');
};

const isLate = (before: Step | undefined, at: number, say: Say): void => {
  if (before?.until === undefined || before.until > at) say('is late before its time');
};

const isDecided = (watch: Watch, node: MadeNode, data: StepData, at: number, say: Say): void => {
  const all = fates(watch, node.key);
  const [taken, lost, unknown] = [count(all, 'taken'), count(all, 'lost'), count(all, 'unknown')];
  const { mode, count: wanted = 1 } = node.join ?? { mode: 'all' };
  const told = `joins as ${data.status} with ${all.join(' ')}`;
  if (data.status === 'succeeded') {
    if (mode === 'all' ? unknown > 0 || lost > 0 || taken === 0 : taken < wanted) say(told);
    const keys = into(watch, node.key).flatMap(({ from }, at) => (all[at] === 'taken' ? [from] : []));
    if (!same(data.output, keys)) say(`joins ${canonicalJson(data.output ?? null)}, not ${canonicalJson(keys)}`);
  } else if (data.status === 'failed') {
    if (mode === 'all' ? unknown > 0 || lost === 0 : taken + unknown >= wanted || taken + lost === 0) say(told);
  } else if (data.status === 'timed_out') {
    isLate(watch.steps.get(node.key), at, say);
    if (taken === 0 || (mode === 'all' ? unknown === 0 : taken >= wanted)) say(told);
  } else if (data.status !== 'skipped') say(told);
};

/** How an attempt was made to end. */
const wantedEnd = (watch: Watch, { key, node, index }: Place, { attempt, child_session_id: _ }: StepData): { status: string; output?: Json } => {
  const path = `${watch.of}${key}`;
  if (node.inner) return childEnd(watch, path, attempt);
  const status = node.ends[index ?? 0]?.[attempt - 1] ?? 'succeeded';
  if (node.type === 'timer') return { status: 'succeeded', output: null };
  if (node.type === 'signal') return { status, output: node.key };
  return { status, output: `${path}#${attempt}` };
};

const childEnd = (watch: Watch, path: string, attempt: number): { status: string; output?: Json } => {
  const child = watch.begun.find((one) => one.path === path && one.attempt === attempt)?.child;
  const event = watch.logOf(child ?? '').findLast(({ event: { type } }) => outcomeEvents.has(type))?.event;
  if (event?.type === 'turn.completed' || event?.type === 'turn.partial_succeeded') return { status: 'succeeded', output: event.data.result ?? null };
  return { status: 'failed' };
};

const ends = (watch: Watch, place: Place, data: StepData, at: number, say: Say): void => {
  const { key, node, index } = place;
  const before = watch.steps.get(key);
  const { status, attempt } = data;
  if (isOver(before)) say(`ends again as ${status}, after ${before.status}`);
  if (status === 'skipped') isSkipped(watch, place, before, say);
  else if (status === 'cancelled') {
    if (!before) say('is cancelled before it began');
    if (index === undefined && !isIdle(watch, key)) watch.cut.push(key);
    if (index !== undefined && !mayEndEarly(watch, node)) watch.cut.push(key);
  } else if (node.type === 'join') isDecided(watch, node, data, at, say);
  else if (node.type === 'condition') {
    mayCome(watch, key, say);
    if (status !== 'succeeded' || data.output !== (node.gives !== undefined && holds(watch, node.gives))) say(`gives ${canonicalJson(data.output ?? null)}`);
  } else if (node.isBroken && index === undefined) {
    mayCome(watch, key, say);
    if (status !== 'failed' || attempt !== 1 || before) say(`ends as ${status}, attempt ${attempt}, though it cannot begin`);
  } else if (node.type === 'map' && index === undefined) mapEnds(watch, node, before, data, at, say);
  else workEnds(watch, place, before, data, at, say);
  const { output } = data;
  watch.steps.set(key, { total: 0, begun: 0, failed: 0, ...before, status, attempt, ...(output === undefined ? {} : { output }) });
};

/** Of its elements nobody needs the rest. */
const mayEndEarly = (watch: Watch, node: MadeNode): boolean => {
  const owner = watch.steps.get(node.key);
  return ended.has(owner?.status ?? '') || owner?.until !== undefined || isIdle(watch, node.key) || ((owner?.failed ?? 0) > 0 && !mayLack(node));
};

const isSkipped = (watch: Watch, { key, node, index }: Place, before: Step | undefined, say: Say): void => {
  const all = fates(watch, key);
  if (before || index !== undefined) say('is skipped though it began');
  if (isIdle(watch, key)) return;
  const isNothing = node.type === 'join' ? all.every((one) => one === 'off') : all.length > 0 && all.every((one) => one === 'off' || one === 'lost');
  if (!isNothing) say(`is skipped with ${all.join(' ')}`);
};

const workEnds = (watch: Watch, place: Place, before: Step | undefined, data: StepData, at: number, say: Say): void => {
  const { status, attempt } = data;
  if (!before || before.status !== workStatus(place.node, place.index !== undefined) || before.attempt !== attempt) {
    say(`ends attempt ${attempt} as ${status}, and is ${before?.status} in ${before?.attempt}`);
  }
  if (place.node.type === 'timer' && (before?.until ?? 0) > at) say('wakes before its time');
  const wanted = wantedEnd(watch, place, data);
  if (status !== wanted.status) say(`ends attempt ${attempt} as ${status}, not ${wanted.status}`);
  if (place.node.type === 'approval') {
    if (status !== 'timed_out' && (data.output as { approved?: unknown } | undefined)?.approved !== (status === 'succeeded'))
      say('says otherwise than it ended');
  } else if (status === 'succeeded' && !same(data.output, wanted.output)) say(`comes to ${canonicalJson(data.output ?? null)}`);
};

/** An element for good: the last attempt that it was made to have. */
const elementEnd = (watch: Watch, node: MadeNode, index: number): { status: string; output?: Json } => {
  const path = `${watch.of}${node.key}.${index}`;
  const last = watch.begun.findLast((one) => one.path === path)?.attempt ?? 0;
  return wantedEnd(watch, { key: `${node.key}.${index}`, node, index }, { attempt: last } as StepData);
};

const mapEnds = (watch: Watch, node: MadeNode, before: Step | undefined, data: StepData, at: number, say: Say): void => {
  if (before?.status !== 'running') say(`ends as ${data.status} and is ${before?.status}`);
  const all = Array.from({ length: before?.begun ?? 0 }, (_, index) => elementEnd(watch, node, index));
  if (data.status === 'failed') {
    if (mayLack(node) || (before?.failed ?? 0) === 0) say('fails without need');
    return;
  }
  if (data.status === 'timed_out') {
    isLate(before, at, say);
    return;
  }
  if (data.status !== 'succeeded') say(`ends as ${data.status}`);
  if (openElements(watch, node.key) > 0 || before?.begun !== before?.total) say('ends before all of its elements');
  if (!mayLack(node) && all.some(({ status }) => status !== 'succeeded')) say('succeeds though an element failed');
  if (
    !same(
      data.output,
      all.map(({ status, output }) => (status === 'succeeded' ? output : null)),
    )
  )
    say(`gathers ${canonicalJson(data.output ?? null)}`);
};

const isDelayed = (watch: Watch, { key, node }: Place, data: StepData, say: Say): void => {
  const before = watch.steps.get(key);
  if (before?.status !== 'failed' && before?.status !== 'timed_out') say(`is delayed after ${before?.status}`);
  if (before?.taken || node.isBroken || data.attempt >= node.attempts) say('is delayed though it has no attempt left');
  watch.steps.set(key, { total: 0, begun: 0, failed: 0, status: 'delayed', attempt: data.attempt, until: data.until ?? 0 });
};

const isRouted = (watch: Watch, { key, node, index }: Place, { status, taken = [] }: StepData, say: Say): void => {
  const step = watch.steps.get(key);
  if (!isOver(step) || step.status !== status || step.taken) {
    say(`is routed as ${status} and is ${step?.status}`);
    return;
  }
  if (index !== undefined) {
    const owner = watch.steps.get(node.key);
    if (owner && step.status !== 'succeeded' && step.status !== 'cancelled') owner.failed += 1;
    watch.steps.delete(key);
    return;
  }
  const wanted = out(watch, key).flatMap((edge, n) => (leadsOn(watch, node, edge) ? [n] : []));
  if (!same(taken, wanted)) say(`takes ${taken}, not ${wanted}`);
  step.taken = taken;
  const idle = isIdle(watch, key);
  const hasLeft =
    (step.status === 'failed' || step.status === 'timed_out') &&
    step.attempt < node.attempts &&
    node.type !== 'map' &&
    node.type !== 'join' &&
    !isLasting(watch, node, step);
  if (hasLeft && !idle) say('is routed though it has an attempt left');
  if (!isUnhandled(step)) return;
  if (idle) watch.isOpen = true;
  else if (policyOf(watch, node) === 'fail_fast') watch.dead ??= key;
};

const inStep = (watch: Watch, { seq, event }: Logged): void => {
  if (event.type !== 'step.updated' && event.type !== 'step.failed') return;
  const { data, at } = event as typeof event & { readonly at: number };
  const { key } = data;
  const say: Say = (fault) => watch.faults.push(`${seq} ${watch.of}${key} ${fault}`);
  const owner = mapKey(key);
  const node = watch.flow.nodes.find((one) => one.key === (owner ?? key));
  if (!node) {
    say('is no node');
    return;
  }
  const place: Place = { key, node, index: owner === undefined ? undefined : Number(key.slice(owner.length + 1)) };
  if (data.taken !== undefined) isRouted(watch, place, data, say);
  else if (data.status === 'delayed') isDelayed(watch, place, data, say);
  else if (ended.has(data.status)) ends(watch, place, data, at, say);
  else begins(watch, place, data, at, say);
};

const resultOf = ({ flow, steps }: Watch, last: readonly MadeNode[]): Json => {
  const output = (key: string): Json => steps.get(key)?.output ?? null;
  if (flow.tellsAll) return Object.fromEntries(flow.nodes.map(({ key }) => [key, output(key)]));
  const gathered = (key: string): Json => Object.fromEntries((output(key) as readonly string[]).map((from) => [from, output(from)]));
  return Object.fromEntries(last.map(({ key, type }) => [key, type === 'join' ? gathered(key) : output(key)]));
};

/** What would only fail in the same way is not tried again. */
const isLasting = (watch: Watch, node: MadeNode, { attempt }: Step): boolean => {
  const child = watch.begun.find(({ path, attempt: n }) => path === `${watch.of}${node.key}` && n === attempt)?.child;
  const failed = watch.logOf(child ?? '').find(({ event }) => event.type === 'turn.failed')?.event;
  return node.isBroken === true || (failed?.type === 'turn.failed' && failed.data.error_code === 'expression_failed');
};

type Outcome = { readonly type: string; readonly data: { readonly result?: Json } };

const comesTo = (watch: Watch, { type, data }: Outcome): void => {
  const { flow, steps, faults, of } = watch;
  const say: Say = (fault) => faults.push(`${of || 'the run '}${type}: ${fault}`);
  if (of !== '' && type === 'turn.cancelled') return;
  const failures = flow.nodes.filter(({ key }) => isUnhandled(steps.get(key)));
  const last = flow.nodes.filter(({ key }) => out(watch, key).length === 0 && steps.get(key)?.status === 'succeeded');
  const isAllOver = flow.nodes.every(({ key }) => isOver(steps.get(key)) && steps.get(key)?.taken !== undefined);
  if (type === 'turn.failed') {
    if (watch.dead === undefined && !(isAllOver && failures.length > 0 && last.length === 0)) say('nothing failed for all');
    return;
  }
  if (type !== 'turn.completed' && type !== 'turn.partial_succeeded') {
    say('nobody asked for that');
    return;
  }
  if (!isAllOver || [...steps.keys()].some((key) => mapKey(key) !== undefined)) say('not all has ended');
  if (watch.cut.length > 0) say(`${watch.cut} were cancelled, and waited for`);
  if (watch.dead !== undefined || (failures.length > 0 && last.length === 0)) say('it has failed');
  const lacks = flow.nodes.some(
    ({ key, failurePolicy }) => failurePolicy === 'partial_success' && (steps.get(key)?.failed ?? 0) > 0 && steps.get(key)?.status === 'succeeded',
  );
  const isPartial = lacks || failures.some((node) => policyOf(watch, node) === 'partial_success');
  if (!watch.isOpen && isPartial !== (type === 'turn.partial_succeeded')) say(`its failures: ${failures.map(({ key }) => key)}`);
  if (!same(data.result, resultOf(watch, last))) say(`${canonicalJson(data.result ?? null)}, not ${canonicalJson(resultOf(watch, last))}`);
};

/** Judges a run's log, and those of the workflows in it. `logOf`: of a child session. */
export const judgeFlow = (flow: MadeFlow, log: readonly Logged[], logOf: Watch['logOf'], of = ''): Judged => {
  const watch: Watch = { flow, of, logOf, steps: new Map(), begun: [], inner: [], cut: [], faults: [], isOpen: false };
  for (const entry of log) inStep(watch, entry);
  const outcomes = log.filter(({ event: { type } }) => outcomeEvents.has(type));
  const [outcome] = outcomes;
  if (outcomes.length !== 1 || !outcome) watch.faults.push(`${of || 'the run '}has ${outcomes.length} outcomes`);
  else comesTo(watch, outcome.event as unknown as Outcome);
  const inner = watch.begun.flatMap(({ node, path, child }) => (node.inner ? [judgeFlow(node.inner, logOf(child), logOf, `${path}/`)] : []));
  return {
    faults: [...watch.faults, ...inner.flatMap(({ faults }) => faults)],
    begun: [...watch.begun, ...inner.flatMap(({ begun }) => begun)],
    ends: Object.fromEntries([...watch.steps].map(([key, { status, attempt, taken }]) => [key, `${status} #${attempt} ${taken}`])),
  };
};
