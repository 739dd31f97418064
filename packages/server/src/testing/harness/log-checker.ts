/**
 * What must hold of every session's log, whatever happened while it was written. Faults are named, with the seq.
 *
 * The order of turns (S8, S12, QO1), one outcome each and nothing after it (S9, S11), actions (S17), tool calls (S10, S15),
 * inputs (IN1, IN2, IN4), that runs, items and calls are closed before the outcome, and what is told once (once-checker.ts).
 */
import { type LogRow, loggedEvent } from '@turnkeeper/core/protocol/envelope';
import { type LoggedEvent, outcomeEvents, turnOf } from '@turnkeeper/core/session/events';
import type { SessionStore } from '../../ports/session-store.ts';
import { onceFaults } from './once-checker.ts';

export type Logged = { readonly seq: number; readonly event: LoggedEvent };

const pageRows = 1_000;

/** The whole log of a session. */
export const wholeLog = async (store: SessionStore, sid: number): Promise<readonly Logged[]> => {
  const rows: LogRow[] = [];
  for (let page: readonly LogRow[] = []; ; ) {
    page = await store.events({ sid, after: rows.at(-1)?.seq ?? 0, limit: pageRows });
    rows.push(...page);
    if (page.length < pageRows) break;
  }
  return rows.map((row) => ({ seq: row.seq, event: loggedEvent(row.type, row.at, JSON.parse(row.data)) }));
};

type Call = { readonly replaySafe: boolean; dispatched: number; completed: number };
type Turn = {
  readonly n: number;
  started: boolean;
  settled: boolean;
  run: boolean;
  item: string | undefined;
  readonly actions: Map<string, 'open' | 'resolved'>;
  readonly calls: Map<string, Call>;
  /** What was said to it and not used yet. */
  readonly steers: Set<string>;
};
/** What is not a turn's own: the order of those that wait, and what was injected and not used yet. */
type Session = { queue: readonly string[]; readonly injects: Set<string> };
type Found = (fault: string) => void;

/** What may stand between the outcome of a failed turn and its return to the queue. */
const isReturn = (event: LoggedEvent): boolean =>
  (event.type === 'turn.queued' && event.data.reason === 'resumed') ||
  ((event.type === 'command.accepted' || event.type === 'command.completed') && event.data.kind === 'resume');

const newTurn = (n: number): Turn => ({
  n,
  started: false,
  settled: false,
  run: false,
  item: undefined,
  actions: new Map(),
  calls: new Map(),
  steers: new Set(),
});

const begins = (turns: ReadonlyMap<string, Turn>, turn: Turn, found: Found): void => {
  if (turn.run) found('a run begins while another is open');
  for (const other of turns.values()) {
    if (other === turn || other.settled) continue;
    if (other.started) found(`turn ${turn.n} runs while turn ${other.n} is live`);
  }
  turn.started = true;
};

const closes = (turn: Turn, found: Found): void => {
  if (turn.settled) found('a second outcome');
  if (turn.run) found('its run is open at the outcome');
  if (turn.item !== undefined) found(`its item ${turn.item} streams at the outcome`);
  for (const [id, state] of turn.actions) if (state === 'open') found(`its action ${id} is open at the outcome`);
  for (const id of turn.steers) found(`its input ${id} waits at the outcome`);
  for (const [id, call] of turn.calls) if (call.completed !== 1) found(`its call ${id} has ${call.completed} results at the outcome`);
  turn.settled = true;
};

const inTool = (turn: Turn, event: Extract<LoggedEvent, { type: 'tool.dispatched' | 'tool.completed' | 'tool.delta' }>, found: Found): void => {
  const id = event.data.tool_call_id;
  const call = turn.calls.get(id);
  if (!call) {
    found(`${event.type} of call ${id} that nobody requested`);
    return;
  }
  if (call.completed > 0) found(`${event.type} of call ${id} after its result`);
  switch (event.type) {
    case 'tool.dispatched':
      call.dispatched += 1;
      if (!turn.run) found(`call ${id} is dispatched without a run`);
      if (call.dispatched > 1 && !call.replaySafe) found(`call ${id} has a side effect and is dispatched ${call.dispatched} times`);
      break;
    case 'tool.completed':
      call.completed += 1;
      break;
    case 'tool.delta':
      if (call.dispatched === 0) found(`progress of call ${id} before its dispatch`);
      break;
  }
};

type InputEvent = Extract<LoggedEvent, { type: 'input.accepted' | 'input.applied' | 'input.rejected' }>;

/** Of a steer the turn is the one that was steered, of an inject the one that uses it. */
const ofInput = (session: Session, turn: Turn | undefined, event: InputEvent, found: Found): void => {
  const { kind, input_id: id } = event.data;
  const waiting = kind === 'steer' ? turn?.steers : session.injects;
  if (event.type === 'input.accepted') waiting?.add(id);
  else if (!waiting?.delete(id)) found(`input ${id} does not wait`);
  if (event.type === 'input.applied' && (!turn?.run || turn.item !== undefined)) found(`input ${id} is put into a call that has begun`);
};

/** Those that never started, as a person may have ordered them (QO1). */
const queueAfter = (queue: readonly string[], id: string, event: LoggedEvent, found: Found): readonly string[] => {
  const others = queue.filter((entry) => entry !== id);
  if (event.type === 'turn.accepted') return [...queue, id];
  if (event.type === 'turn.queued' && event.data.reason === 'reordered') {
    if (others.length === queue.length) found('a turn is reordered that is not queued');
    return [...others, id];
  }
  if (event.type === 'turn.running' && others.length < queue.length && queue[0] !== id) found(`it starts before ${queue[0]}`);
  return event.type === 'turn.running' || outcomeEvents.has(event.type) ? others : queue;
};

const inTurn = (turns: ReadonlyMap<string, Turn>, turn: Turn, event: LoggedEvent, found: Found): void => {
  switch (event.type) {
    case 'turn.running':
      begins(turns, turn, found);
      break;
    case 'run.started':
      turn.run = true;
      break;
    case 'run.ended':
      if (!turn.run) found('a run ends that is not open');
      turn.run = false;
      turn.item = undefined;
      break;
    case 'item.started':
      if (turn.item !== undefined) found(`item ${event.data.item_id} begins while ${turn.item} streams`);
      if (!turn.run) found(`item ${event.data.item_id} begins without a run`);
      turn.item = event.data.item_id;
      break;
    case 'item.delta':
      if (turn.item !== event.data.item_id) found(`a delta of ${event.data.item_id}, which does not stream`);
      break;
    case 'item.completed':
    case 'model.completed':
      if (turn.item === event.data.item_id) turn.item = undefined;
      break;
    case 'tool.requested':
      // An id may come again in a later step, never within one.
      if (turn.calls.get(event.data.tool_call_id)?.completed === 0) found(`call ${event.data.tool_call_id} is requested twice`);
      turn.calls.set(event.data.tool_call_id, { replaySafe: event.data.replay_safe, dispatched: 0, completed: 0 });
      break;
    case 'tool.dispatched':
    case 'tool.delta':
    case 'tool.completed':
      inTool(turn, event, found);
      break;
    case 'required_action.created':
      if (turn.actions.has(event.data.request_id)) found(`action ${event.data.request_id} is created twice`);
      turn.actions.set(event.data.request_id, 'open');
      break;
    case 'required_action.resolved':
      if (turn.actions.get(event.data.request_id) !== 'open') found(`action ${event.data.request_id} is resolved though it is not open`);
      turn.actions.set(event.data.request_id, 'resolved');
      break;
    default:
      break;
  }
};

/** Names what is wrong with a log; empty when nothing is. */
export const logFaults = (log: readonly Logged[]): readonly string[] => {
  const turns = new Map<string, Turn>();
  const session: Session = { queue: [], injects: new Set() };
  const faults: string[] = [];
  for (const { seq, event } of log) {
    const found: Found = (fault) => faults.push(`${seq} ${event.type}: ${fault}`);
    const id = turnOf(event);
    if (event.type === 'input.accepted' || event.type === 'input.applied' || event.type === 'input.rejected') {
      ofInput(session, turns.get(String(id)), event, found);
    }
    if (id === undefined) continue;
    session.queue = queueAfter(session.queue, id, event, found);
    if (event.type === 'turn.accepted') {
      if (turns.has(id)) found('a turn is accepted twice');
      if (event.data.n !== turns.size + 1) found(`turn ${event.data.n} is the ${turns.size + 1}. of the session`);
      turns.set(id, newTurn(event.data.n));
      continue;
    }
    const turn = turns.get(id);
    if (!turn) {
      found(`of turn ${id}, which was not accepted`);
      continue;
    }
    if (event.type === 'turn.queued' && event.data.reason === 'resumed') turn.settled = false;
    if (turn.settled && !outcomeEvents.has(event.type) && !isReturn(event)) found('after the outcome of its turn');
    if (outcomeEvents.has(event.type)) closes(turn, found);
    else inTurn(turns, turn, event, found);
  }
  return [...faults, ...onceFaults(log)];
};
