/**
 * The events of a turn as rows of a waterfall: what went on, from when to when, and what was only waited for.
 *
 * Owns: which events are of which row, and which stretch of time of it was work and which was waiting. Pure; where the
 * rows stand on the screen is geometry's (scale.ts).
 *
 * TF1 Every event of the turn is in the log of exactly one row, so that nothing is hidden by the picture.
 */
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import type { Cost, LoggedEvent, TokenUsage } from '@turnkeeper/core/session/events';
import { type ModelCall, modelCallsOf } from '@turnkeeper/core/view/model-calls';

export const rowKinds = ['turn', 'run', 'compaction', 'model', 'tool', 'wait', 'child', 'step'] as const;
export type RowKind = (typeof rowKinds)[number];
export const rowStatuses = ['running', 'waiting', 'ok', 'failed', 'cancelled', 'unknown'] as const;
export type RowStatus = (typeof rowStatuses)[number];

/** `starting`: it is owed and has told nothing yet. `to` is null while it goes on. */
export type Segment = { readonly from: number; readonly to: number | null; readonly kind: 'working' | 'waiting' | 'starting' };

export type TraceRow = {
  /** As it stands in the address. */
  readonly id: string;
  readonly kind: RowKind;
  /** The row that it is a part of. */
  readonly parent: string | undefined;
  readonly name: string;
  readonly status: RowStatus;
  /** How it ended, in the words of the log. */
  readonly outcome: string | undefined;
  readonly error: string | undefined;
  readonly segments: readonly Segment[];
  readonly events: readonly Envelope[];
  readonly call: ModelCall | undefined;
  /** Tokens and costs of what lies below it, too. */
  readonly usage: TokenUsage | undefined;
  readonly cost: Cost | undefined;
  /** Without what has no price: then the cost is at least what is said. As the session counts it. */
  readonly costComplete: boolean;
  readonly attempt: number;
  readonly childId: string | undefined;
};

export type Trace = { readonly rows: readonly TraceRow[]; readonly from: number /** Null while the turn goes on. */; readonly to: number | null };

type Draft = {
  id: string;
  kind: RowKind;
  parent: string | undefined;
  name: string;
  status: RowStatus;
  outcome: string | undefined;
  error: string | undefined;
  segments: Segment[];
  events: Envelope[];
  attempt: number;
  childId: string | undefined;
};

type Drafts = Map<string, Draft>;
/** Said by events of any type. */
type Data = { readonly [name: string]: unknown };
const textIn = (data: Data, name: string): string | undefined => (typeof data[name] === 'string' ? data[name] : undefined);

const draftOf = (drafts: Drafts, id: string, kind: RowKind, name: string, parent?: string): Draft => {
  const known = drafts.get(id);
  if (known) return known;
  const none = { status: 'running', outcome: undefined, error: undefined, attempt: 1, childId: undefined } as const;
  const fresh: Draft = { id, kind, name, parent, segments: [], events: [], ...none };
  drafts.set(id, fresh);
  return fresh;
};

const close = (draft: Draft | undefined, at: number): void => {
  const last = draft?.segments.at(-1);
  if (draft && last?.to === null) draft.segments[draft.segments.length - 1] = { ...last, to: at };
};
const open = (draft: Draft, kind: Segment['kind'], at: number): void => {
  close(draft, at);
  draft.segments.push({ from: at, to: null, kind });
  draft.status = kind === 'waiting' ? 'waiting' : 'running';
};
const end = (draft: Draft, status: RowStatus, at: number, outcome?: string): void => {
  close(draft, at);
  draft.status = status;
  draft.outcome = outcome;
};

const endings: { readonly [outcome: string]: RowStatus } = {
  completed: 'ok',
  partial_succeeded: 'ok',
  succeeded: 'ok',
  success: 'ok',
  skipped: 'ok',
  answered: 'ok',
  suspended: 'ok',
  handed_over: 'ok',
  failed: 'failed',
  timed_out: 'failed',
  error: 'failed',
  lost: 'failed',
  expired: 'failed',
  rejected: 'failed',
  denied: 'cancelled',
  cancelled: 'cancelled',
  gone: 'cancelled',
  interrupted: 'unknown',
  unknown: 'unknown',
};
const endingOf = (outcome: string): RowStatus => endings[outcome] ?? 'ok';

const turnMoves: { readonly [type: string]: Segment['kind'] } = {
  'turn.accepted': 'waiting',
  'turn.queued': 'waiting',
  'turn.running': 'working',
  'turn.requires_action': 'waiting',
  'turn.interrupted': 'waiting',
};

const turnEvent = (turn: Draft, type: string, at: number, data: Data): void => {
  const moves = turnMoves[type];
  if (moves) {
    // Reordered while it waits: it goes on waiting.
    if (moves !== 'waiting' || turn.segments.at(-1)?.to !== null || turn.status !== 'waiting') open(turn, moves, at);
    return;
  }
  const outcome = type.slice('turn.'.length);
  if (!(outcome in endings)) return;
  end(turn, endingOf(outcome), at, outcome);
  turn.error = textIn(data, 'error_message') ?? textIn(data, 'error_code');
};

const runEvent = (drafts: Drafts, type: string, at: number, data: Data): Draft => {
  const run = draftOf(drafts, String(data['run_id']), 'run', '');
  if (type === 'run.started') {
    run.name = String(data['n']);
    open(run, 'working', at);
    return run;
  }
  const outcome = String(data['status']);
  end(run, endingOf(outcome), at, outcome);
  run.error = textIn(data, 'error_code');
  const unknown = new Set((data['unknown_calls'] ?? []) as readonly string[]);
  for (const draft of drafts.values()) {
    if (draft.kind !== 'tool' || draft.segments.at(-1)?.to !== null || draft.segments.at(-1)?.kind !== 'working') continue;
    if (unknown.has(draft.id)) end(draft, 'unknown', at, 'unknown');
    else open(draft, 'starting', at);
  }
  return run;
};

const toolEvent = (drafts: Drafts, type: string, at: number, data: Data): Draft => {
  const tool = draftOf(drafts, String(data['tool_call_id']), 'tool', textIn(data, 'name') ?? '');
  switch (type) {
    case 'tool.requested':
      open(tool, 'starting', at);
      break;
    case 'tool.dispatched':
      tool.childId = textIn(data, 'child_session_id') ?? tool.childId;
      open(tool, 'working', at);
      break;
    case 'tool.completed':
      end(tool, endingOf(String(data['status'])), at, String(data['status']));
      break;
  }
  return tool;
};

const actionEvent = (drafts: Drafts, type: string, at: number, data: Data): Draft => {
  const id = String(data['request_id']);
  const ofChild = textIn(data, 'child_session_id') !== undefined;
  const called = (data['tool_call'] as { readonly id?: string } | undefined)?.id;
  const toolId = ofChild ? undefined : (called ?? textIn(data, 'tool_call_id'));
  const tool = toolId === undefined ? undefined : drafts.get(toolId);
  const wait = draftOf(drafts, id, 'wait', textIn(data, 'kind') ?? '', tool?.id ?? textIn(data, 'step_id'));
  if (type === 'required_action.created') {
    open(wait, 'waiting', at);
    if (tool) open(tool, 'waiting', at);
  }
  if (type === 'required_action.resolved') {
    const outcome = String(data['resolution']);
    end(wait, endingOf(outcome), at, outcome);
    // Its call goes on; where that is over, too, its own event says so.
    if (tool?.segments.at(-1)?.to === null) open(tool, data['while_running'] === true ? 'working' : 'starting', at);
  }
  return wait;
};

const childEvent = (drafts: Drafts, type: string, at: number, data: Data): Draft => {
  const child = draftOf(drafts, String(data['child_session_id']), 'child', textIn(data, 'name') ?? '');
  child.childId = child.id;
  if (type === 'subagent.completed') {
    const outcome = String(data['status']);
    end(child, endingOf(outcome), at, outcome);
    child.error = textIn(data, 'error_code');
  } else open(child, type === 'subagent.started' || data['status'] === 'running' ? 'working' : 'waiting', at);
  return child;
};

const stepWaits: ReadonlySet<string> = new Set(['waiting', 'sleeping', 'delayed']);

const stepEvent = (drafts: Drafts, at: number, data: Data): Draft => {
  const step = draftOf(drafts, String(data['step_id']), 'step', textIn(data, 'name') ?? textIn(data, 'key') ?? '');
  step.name = textIn(data, 'name') ?? step.name;
  step.attempt = typeof data['attempt'] === 'number' ? data['attempt'] : step.attempt;
  step.childId = textIn(data, 'child_session_id') ?? step.childId;
  step.error = textIn(data, 'error_message') ?? textIn(data, 'error_code');
  const status = String(data['status']);
  if (status === 'running') open(step, 'working', at);
  else if (stepWaits.has(status)) open(step, 'waiting', at);
  else end(step, endingOf(status), at, status);
  return step;
};

/** The row that tells of the event; undefined where a model call does. */
const ownerOf = (drafts: Drafts, turn: Draft, { type, created_at: at, data }: Envelope): Draft | undefined => {
  if (typeof data['model_call_id'] === 'string' && !type.startsWith('tool.')) return undefined;
  const [subject] = type.split('.');
  switch (subject) {
    case 'run':
      return runEvent(drafts, type, at, data);
    case 'tool':
      return toolEvent(drafts, type, at, data);
    case 'required_action':
      return actionEvent(drafts, type, at, data);
    case 'subagent':
      return childEvent(drafts, type, at, data);
    case 'step':
      return stepEvent(drafts, at, data);
    case 'turn':
      turnEvent(turn, type, at, data);
      return turn;
    default:
      return turn;
  }
};

const callStatus: { readonly [Status in ModelCall['status']]: RowStatus } = { running: 'running', completed: 'ok', failed: 'failed', cancelled: 'cancelled' };

const callSegments = ({ owedAt, startedAt, endedAt }: ModelCall): readonly Segment[] => [
  ...(startedAt > owedAt ? [{ from: owedAt, to: startedAt, kind: 'starting' } as const] : []),
  { from: startedAt, to: endedAt, kind: 'working' },
];

/** What it cost is known, or it has not ended; one that used nothing cost nothing. */
const isPriced = ({ cost, endedAt }: ModelCall, events: readonly Envelope[]): boolean =>
  cost !== null || endedAt === null || events.some(({ type, data }) => type === 'model.completed' && data['unused'] === true);

const callRow = (call: ModelCall, events: readonly Envelope[]): TraceRow => ({
  id: call.id,
  kind: call.kind === 'compaction' ? 'compaction' : 'model',
  parent: undefined,
  name: call.model ?? '',
  status: callStatus[call.status],
  outcome: call.status,
  error: call.errorMessage ?? call.errorCode ?? undefined,
  segments: callSegments(call),
  events,
  call,
  usage: call.usage ?? undefined,
  cost: call.cost ?? undefined,
  costComplete: isPriced(call, events),
  attempt: call.attempt,
  childId: undefined,
});

const sumOf = (calls: readonly ModelCall[]): Pick<TraceRow, 'usage' | 'cost'> => {
  const add = (of: (usage: TokenUsage) => number): number => calls.reduce((sum, { usage }) => sum + (usage ? of(usage) : 0), 0);
  const priced = calls.flatMap(({ cost }) => (cost ? [cost] : []));
  const amount = Math.round(priced.reduce((sum, cost) => sum + cost.amount, 0) * 1e9) / 1e9;
  const [first] = priced;
  return {
    usage: {
      input_tokens: add((usage) => usage.input_tokens),
      output_tokens: add((usage) => usage.output_tokens),
      total_tokens: add((usage) => usage.total_tokens),
    },
    cost: first && { amount, currency: first.currency },
  };
};

const rowOf = (draft: Draft, calls: readonly ModelCall[], eventsOf: (call: ModelCall) => readonly Envelope[]): TraceRow => {
  const none = { usage: undefined, cost: undefined };
  const own = draft.kind === 'turn' ? calls : draft.kind === 'run' ? calls.filter(({ runId }) => runId === draft.id) : [];
  const costComplete = own.every((call) => isPriced(call, eventsOf(call)));
  return { ...draft, call: undefined, costComplete, ...(own.length > 0 ? sumOf(own) : none) };
};

const beganAt = ({ segments, events }: TraceRow): number => segments[0]?.from ?? events[0]?.created_at ?? 0;

/** By when they began; parts stand behind what they are a part of. */
const inOrder = (rows: readonly TraceRow[]): readonly TraceRow[] => {
  const sorted = rows.toSorted((a, b) => beganAt(a) - beganAt(b) || rowKinds.indexOf(a.kind) - rowKinds.indexOf(b.kind));
  const ids = new Set(sorted.map(({ id }) => id));
  const parts = Map.groupBy(
    sorted.filter(({ parent }) => parent !== undefined && ids.has(parent)),
    ({ parent }) => parent,
  );
  const isPart = new Set([...parts.values()].flat());
  return sorted.filter((row) => !isPart.has(row)).flatMap((row) => [row, ...(parts.get(row.id) ?? [])]);
};

/** What a turn left open when it ended goes on no more; children in the background do. */
const endParts = (drafts: Drafts, at: number): void => {
  for (const draft of drafts.values()) if (draft.kind !== 'child' && draft.segments.at(-1)?.to === null) end(draft, 'cancelled', at);
};

/** Of the events of one turn, in order, deltas left out. */
export const traceOf = (turnId: string, events: readonly Envelope[]): Trace => {
  const drafts: Drafts = new Map();
  const turn = draftOf(drafts, turnId, 'turn', '');
  const ofCalls = new Map<string, Envelope[]>();
  for (const event of events) {
    const owner = ownerOf(drafts, turn, event);
    if (owner) owner.events.push(event);
    else {
      const id = String(event.data['model_call_id']);
      ofCalls.set(id, [...(ofCalls.get(id) ?? []), event]);
    }
  }
  const last = turn.segments.at(-1);
  if (last?.to != null) endParts(drafts, last.to);
  const calls = modelCallsOf(events.map(({ type, created_at: at, data }) => ({ type, at, data }) as unknown as LoggedEvent));
  const eventsOf = (call: ModelCall): readonly Envelope[] => ofCalls.get(call.id) ?? [];
  const rows = inOrder([...[...drafts.values()].map((draft) => rowOf(draft, calls, eventsOf)), ...calls.map((call) => callRow(call, eventsOf(call)))]);
  const from = events[0]?.created_at ?? 0;
  return { rows, from, to: last === undefined ? from : last.to };
};

export const isFault = ({ status }: Pick<TraceRow, 'status'>): boolean => status === 'failed' || status === 'unknown';

/** From its first to its last moment; `now` for what goes on. */
export const spanOf = ({ segments }: Pick<TraceRow, 'segments'>, now: number): { readonly from: number; readonly to: number } => {
  const [first] = segments;
  const last = segments.at(-1);
  return { from: first?.from ?? now, to: last?.to ?? now };
};

/** How long it worked, and how long it only waited. */
export const timesOf = ({ segments }: Pick<TraceRow, 'segments'>, now: number): { readonly worked: number; readonly waited: number } => {
  let [worked, waited] = [0, 0];
  for (const { from, to, kind } of segments) {
    const took = Math.max((to ?? now) - from, 0);
    if (kind === 'waiting') waited += took;
    else worked += took;
  }
  return { worked, waited };
};
