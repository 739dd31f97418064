/**
 * The fold: what a fact makes of the state.
 *
 * Owns: how each event changes `SessionState`. Total: it never refuses and never throws; an event that has
 * nothing to say to the state (or that a newer version wrote) leaves it as it is.
 *
 * S6 evolve is the only place where state changes: deciding and storing only carry events.
 */
import type { EventData, LoggedEvent, TurnOutcome } from './events.ts';
import { type CallState, freshTurn, type LiveTurn, maxCallsPerStep, maxUnverified, type SessionState, type SettledTurn } from './state.ts';

const withLive = (state: SessionState, turnId: string, change: (live: LiveTurn) => LiveTurn): SessionState =>
  state.live && state.live.id === turnId ? { ...state, live: change(state.live) } : state;

const setCall = (calls: readonly CallState[], id: string, status: CallState['status']): readonly CallState[] =>
  calls.map((call) => (call.id === id ? { ...call, status } : call));

/**
 * A completed model call or tool: the turn made progress, so earlier losses no longer count. A dispatch is no
 * progress: a tool that kills its process would otherwise reset the count each time it is tried.
 */
const progressed = (live: LiveTurn): LiveTurn => ({ ...live, lostRuns: 0, lostAlone: 0, runsAlone: false });

const settle = (state: SessionState, turnId: string, outcome: TurnOutcome): SessionState => {
  const { live, ...rest } = state;
  if (!live || live.id !== turnId) return { ...state, queue: state.queue.filter((turn) => turn.id !== turnId) };
  const { id, n, runs, items, modelCalls, actions, steps, ranMs, unverified } = live;
  const last: SettledTurn = { id, n, runs, items, modelCalls, actions, steps, ranMs, outcome, unverified };
  return { ...rest, last };
};

/** Turns are numbered as they are accepted: one that is known already is not taken twice. */
const accepted = (state: SessionState, { turn_id: id, n }: EventData<'turn.accepted'>): SessionState =>
  n <= state.turns ? state : { ...state, turns: n, queue: [...state.queue, { id, n }] };

const queued = (state: SessionState, data: EventData<'turn.queued'>): SessionState => {
  if (data.reason === 'accepted') return state;
  if (state.live && state.live.id === data.turn_id) {
    const { notBefore: _, ...live } = state.live;
    const notBefore = data.not_before === undefined ? {} : { notBefore: data.not_before };
    return { ...state, live: { ...live, ...notBefore, status: 'queued' } };
  }
  // Only a failed turn comes back (semantics, section 2).
  if (!state.last || state.last.id !== data.turn_id || state.last.outcome !== 'failed') return state;
  const { last, ...rest } = state;
  const { outcome: _, ...counters } = last;
  return { ...rest, live: { ...freshTurn(last), ...counters, ranMs: 0, steps: 0, status: 'queued' } };
};

const started = (state: SessionState, data: EventData<'turn.running'>): SessionState => {
  if (state.live) return withLive(state, data.turn_id, (live) => ({ ...live, status: 'running' }));
  const turn = state.queue.find((entry) => entry.id === data.turn_id);
  if (!turn) return state;
  return { ...state, queue: state.queue.filter((entry) => entry !== turn), live: { ...freshTurn(turn), status: 'running' } };
};

const runEnded = (live: LiveTurn, data: EventData<'run.ended'>, at: number): LiveTurn => {
  const { runStartedAt, open: _open, ...rest } = live;
  const unknown = new Set(data.unknown_calls);
  const calls = live.calls.map((call): CallState => {
    if (unknown.has(call.id)) return { ...call, status: 'unknown' };
    // What may not be repeated never becomes `requested` again, whatever the event says (S15).
    return call.status === 'dispatched' ? { ...call, status: call.replaySafe ? 'requested' : 'unknown' } : call;
  });
  const lost = data.status === 'lost';
  // The time until somebody found a lost run is no running time (S22).
  const until = data.ran_until ?? at;
  return {
    ...rest,
    calls,
    ranMs: live.ranMs + (runStartedAt === undefined ? 0 : Math.max(0, until - runStartedAt)),
    lostRuns: live.lostRuns + (lost ? 1 : 0),
    lostAlone: live.lostAlone + (lost && live.runsAlone ? 1 : 0),
    runsAlone: false,
  };
};

const modelFailed = (live: LiveTurn, data: EventData<'model.completed'>): LiveTurn => {
  const { open: _open, notBefore: _notBefore, ...rest } = live;
  if (data.status === 'completed') return live;
  if (data.status === 'cancelled') {
    if (live.open) return live.open.modelCallId === data.model_call_id ? rest : live;
    // Stopped before it had an item: its names are used all the same (S1).
    return { ...rest, modelCalls: live.modelCalls + 1, items: live.items + 1 };
  }
  const notBefore = data.retry_at === undefined ? {} : { notBefore: data.retry_at };
  return {
    ...rest,
    ...notBefore,
    modelFailures: live.modelFailures + 1,
    modelCalls: live.modelCalls + (live.open ? 0 : 1),
    items: live.items + (live.open ? 0 : 1),
  };
};

const itemCompleted = (live: LiveTurn, data: EventData<'item.completed'>): LiveTurn => {
  if (data.model_call_id === undefined) return { ...live, items: live.items + 1 };
  const counted = live.open ? live : { ...live, items: live.items + 1, modelCalls: live.modelCalls + 1 };
  const { open: _open, notBefore: _notBefore, ...rest } = counted;
  if (data.item?.status !== 'completed') return rest;
  return progressed({ ...rest, steps: live.steps + 1, calls: [], modelFailures: 0 });
};

/** Folds one committed event into the state. */
export const evolve = (state: SessionState, event: LoggedEvent): SessionState => {
  switch (event.type) {
    case 'turn.accepted':
      return accepted(state, event.data);
    case 'turn.queued':
      return queued(state, event.data);
    case 'turn.running':
      return started(state, event.data);
    case 'turn.requires_action':
      return withLive(state, event.data.turn_id, (live) => ({ ...live, status: 'requires_action' }));
    case 'turn.interrupted':
      return withLive(state, event.data.turn_id, (live) => ({ ...live, status: 'interrupted' }));
    case 'turn.cancel_requested':
      return withLive(state, event.data.turn_id, (live) => ({ ...live, cancelRequested: true }));
    case 'turn.completed':
      return settle(state, event.data.turn_id, 'completed');
    case 'turn.partial_succeeded':
      return settle(state, event.data.turn_id, 'partial_succeeded');
    case 'turn.failed':
      return settle(state, event.data.turn_id, 'failed');
    case 'turn.cancelled':
      return settle(state, event.data.turn_id, 'cancelled');
    case 'turn.timed_out':
      return settle(state, event.data.turn_id, 'timed_out');
    case 'run.started':
      return withLive(state, event.data.turn_id, (live) => ({ ...live, runs: event.data.n, runStartedAt: event.at, runsAlone: event.data.alone === true }));
    case 'run.ended':
      return withLive(state, event.data.turn_id, (live) => runEnded(live, event.data, event.at));
    case 'item.started':
      return withLive(state, event.data.turn_id, (live) => ({
        ...live,
        items: live.items + 1,
        modelCalls: live.modelCalls + 1,
        open: {
          itemId: event.data.item_id,
          modelCallId: event.data.model_call_id,
          ...(event.data.model === undefined ? {} : { model: event.data.model }),
        },
      }));
    case 'item.completed':
      return withLive(state, event.data.turn_id, (live) => itemCompleted(live, event.data));
    case 'model.completed':
      return withLive(state, event.data.turn_id, (live) => modelFailed(live, event.data));
    case 'tool.requested':
      return withLive(state, event.data.turn_id, (live) => ({ ...live, calls: withCall(live.calls, event.data) }));
    case 'tool.dispatched':
      return withLive(state, event.data.turn_id, (live) => ({ ...live, calls: setCall(live.calls, event.data.tool_call_id, 'dispatched') }));
    case 'tool.completed':
      return withLive(state, event.data.turn_id, (live) => toolCompleted(live, event.data));
    case 'required_action.created':
      return withLive(state, event.data.turn_id, (live) => actionCreated(live, event.data));
    case 'required_action.resolved':
      return withLive(state, event.data.turn_id, (live) => actionResolved(live, event.data));
    case 'session.status_archived':
      return { ...state, archived: true };
    case 'session.status_terminated':
      return { ...state, terminated: true, queue: [] };
    case 'session.status_idle':
      return { ...state, status: 'idle', archived: event.data['unarchived'] === true ? false : state.archived };
    case 'session.status_running':
      return { ...state, status: 'running', archived: event.data['unarchived'] === true ? false : state.archived };
    case 'session.status_requires_action':
      return { ...state, status: 'requires_action', archived: event.data['unarchived'] === true ? false : state.archived };
    case 'session.status_created':
    case 'item.delta':
    case 'tool.delta':
    case 'usage.recorded':
    case 'required_action.accepted':
    case 'required_action.rejected':
    case 'command.accepted':
    case 'command.completed':
    case 'command.failed':
    case 'budget.exceeded':
    case 'session.error':
      return state;
  }
  // An event of a newer version: unknown types change nothing (semantics, section 5).
  return state;
};

const withCall = (calls: readonly CallState[], data: EventData<'tool.requested'>): readonly CallState[] =>
  calls.length < maxCallsPerStep ? [...calls, requestedCall(data)] : calls;

const requestedCall = (data: EventData<'tool.requested'>): CallState => ({
  id: data.tool_call_id,
  name: data.name,
  status: 'requested',
  executor: data.executor,
  replaySafe: data.replay_safe,
});

const toolCompleted = (live: LiveTurn, data: EventData<'tool.completed'>): LiveTurn => {
  const unverified = data.status === 'unknown' ? [...live.unverified, data.tool_call_id].slice(-maxUnverified) : live.unverified;
  return progressed({ ...live, unverified, calls: setCall(live.calls, data.tool_call_id, 'done') });
};

const actionCreated = (live: LiveTurn, data: EventData<'required_action.created'>): LiveTurn => {
  const call = data.tool_call;
  const expires = data.expires_at === undefined ? {} : { expiresAt: data.expires_at };
  const of = call === undefined ? {} : { callId: call.id };
  const waits = data.kind !== 'reconciliation';
  return {
    ...live,
    actions: live.actions + 1,
    openActions: [...live.openActions, { id: data.request_id, kind: data.kind, version: data.version, ...of, ...expires }],
    calls: call && waits ? setCall(live.calls, call.id, 'waiting') : live.calls,
  };
};

const actionResolved = (live: LiveTurn, data: EventData<'required_action.resolved'>): LiveTurn => {
  const action = live.openActions.find((entry) => entry.id === data.request_id);
  const allowed = data.kind === 'confirmation' && data.resolution === 'answered';
  return {
    ...live,
    openActions: live.openActions.filter((entry) => entry !== action),
    calls: allowed && action?.callId ? setCall(live.calls, action.callId, 'requested') : live.calls,
  };
};

/** The state after a whole run of events. */
export const fold = (state: SessionState, events: readonly LoggedEvent[]): SessionState => events.reduce(evolve, state);
