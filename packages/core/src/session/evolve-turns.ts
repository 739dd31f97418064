/** The fold of turns: how they are accepted, wait, begin, stand still and end, and what of them is over with a run. */
import type { EventData, TurnOutcome } from './events.ts';
import { ofNewTurn } from './evolve-budget.ts';
import { childrenClosing, childrenResuming } from './evolve-children.ts';
import { flowPaused, withFlow } from './evolve-flow.ts';
import { withLive } from './evolve-live.ts';
import { type CallState, freshTurn, type LiveTurn, type SessionState, type SettledTurn } from './state.ts';

export const settle = (state: SessionState, turnId: string, outcome: TurnOutcome): SessionState => {
  const { live, ...rest } = state;
  if (!live || live.id !== turnId) return { ...state, queue: state.queue.filter((turn) => turn.id !== turnId) };
  const { id, n, runs, items, modelCalls, actions, steps, ranMs, unverified } = live;
  const pieces = live.failedPieces && outcome === 'failed' ? { failedPieces: live.failedPieces } : {};
  const last: SettledTurn = {
    id,
    n,
    runs,
    items,
    modelCalls,
    actions,
    steps,
    ranMs,
    outcome,
    unverified,
    ...pieces,
    ...(live.check ? { tries: live.check.maxTries } : {}),
  };
  // What is worked on for a team's turn is of no use to another.
  return childrenClosing({ ...rest, last }, turnId, outcome === 'cancelled' || state.target === 'team');
};

/** Turns are numbered as they are accepted: one that is known already is not taken twice. */
export const accepted = (state: SessionState, { turn_id: id, n, outcome }: EventData<'turn.accepted'>): SessionState =>
  n <= state.turns ? state : { ...state, turns: n, queue: [...state.queue, { id, n, ...(outcome ? { tries: outcome.max_tries } : {}) }] };

export const queued = (state: SessionState, data: EventData<'turn.queued'>): SessionState => {
  if (data.reason === 'accepted') return state;
  if (data.reason === 'reordered') return toTheBack(state, data.turn_id);
  if (state.live && state.live.id === data.turn_id) {
    const { notBefore: _, overBudget: __, ...live } = state.live;
    const notBefore = data.not_before === undefined ? {} : { notBefore: data.not_before };
    const unpaused = data.reason === 'resumed' ? flowPaused(live, false) : live;
    const again: SessionState = { ...state, live: { ...unpaused, ...notBefore, status: 'queued' } };
    return data.reason === 'resumed' ? childrenResuming(again) : again;
  }
  // Only a failed turn comes back (semantics, section 2).
  if (!state.last || state.last.id !== data.turn_id || state.last.outcome !== 'failed') return state;
  const { last, ...rest } = state;
  const { outcome: _, tries: __, ...counters } = last;
  // Its steps begin anew, its running time does not: `timeoutSeconds` counts that over all runs of the turn (S25).
  return { ...rest, live: { ...freshTurn(last), ...counters, steps: 0, status: 'queued' } };
};

const toTheBack = (state: SessionState, turnId: string): SessionState => {
  const turn = state.queue.find((entry) => entry.id === turnId);
  return turn ? { ...state, queue: [...state.queue.filter((entry) => entry !== turn), turn] } : state;
};

export const started = (state: SessionState, data: EventData<'turn.running'>): SessionState => {
  if (state.live) return withLive(state, data.turn_id, (live) => ({ ...live, status: 'running' }));
  const turn = state.queue.find((entry) => entry.id === data.turn_id);
  if (!turn) return state;
  return withFlow(ofNewTurn({ ...passed(state), queue: state.queue.filter((entry) => entry !== turn), live: { ...freshTurn(turn), status: 'running' } }));
};

/** The turn before cannot be resumed any more: that it was the last one is all that is still asked. */
const passed = (state: SessionState): SessionState =>
  state.last && state.last.unverified.length > 0 ? { ...state, last: { ...state.last, unverified: [] } } : state;

export const interrupted = (live: LiveTurn, { reason }: EventData<'turn.interrupted'>, awaits: boolean): LiveTurn => ({
  ...flowPaused(live, reason === 'paused'),
  status: 'interrupted',
  ...(reason === 'budget_exceeded' ? { overBudget: isAtModel(live) && !awaits ? ('here' as const) : ('below' as const) } : {}),
});

const isAtModel = ({ flow, check, calls }: LiveTurn): boolean => !flow && check?.judge === undefined && calls.every(({ status }) => status === 'done');

export const runEnded = (live: LiveTurn, data: EventData<'run.ended'>, { at, awaits }: { readonly at: number; readonly awaits: boolean }): LiveTurn => {
  const { runStartedAt, waitingSince = Infinity, open: _open, ...rest } = live;
  const unknown = new Set(data.unknown_calls);
  const calls = live.calls.map((call): CallState => {
    if (unknown.has(call.id)) return { ...call, status: 'unknown' };
    // What may not be repeated never becomes `requested` again, whatever the event says (S15).
    return call.status === 'dispatched' ? { ...call, status: call.replaySafe ? 'requested' : 'unknown' } : call;
  });
  // What ended while it waited for children was nobody's crash: tried alone it would hold the slot that they need.
  const lost = data.status === 'lost' && !awaits;
  // The time until somebody found a lost run is no running time (S22), nor is that in which it waited for people (RN4).
  const until = Math.min(data.ran_until ?? at, waitingSince);
  return {
    ...rest,
    calls,
    ranMs: live.ranMs + (runStartedAt === undefined ? 0 : Math.max(0, until - runStartedAt)),
    lostRuns: live.lostRuns + (lost ? 1 : 0),
    lostAlone: live.lostAlone + (lost && live.runsAlone ? 1 : 0),
    runsAlone: false,
  };
};
