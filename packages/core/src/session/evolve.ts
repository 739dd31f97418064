/**
 * The fold: what a fact makes of the state.
 *
 * Owns: how each event changes `SessionState`, area by area in the files `evolve-…` beside this one. Total: it never refuses
 * and never throws; an event that has nothing to say to the state (or that a newer version wrote) leaves it as it is.
 *
 * S6 evolve is the only place where state changes: deciding and storing only carry events.
 */

import type { LoggedEvent, TurnOutcome } from './events.ts';
import { actionCreated, actionResolved, remembered } from './evolve-actions.ts';
import { budgetChanged, warned } from './evolve-budget.ts';
import { bornOf, childChanged, childIntended, childrenClosing, childrenHolding, parentTold, withNews } from './evolve-children.ts';
import { stepChanged } from './evolve-flow.ts';
import { inputAccepted, withoutInput } from './evolve-inputs.ts';
import { setCall, unanswered, withLive } from './evolve-live.ts';
import { compacted, itemCompleted, itemStarted, modelFailed } from './evolve-model.ts';
import { judged } from './evolve-outcome.ts';
import { pieceChanged } from './evolve-pieces.ts';
import { toolEnded, withCall } from './evolve-tools.ts';
import { accepted, interrupted, queued, runEnded, settle, started } from './evolve-turns.ts';
import { withWaiting } from './evolve-waiting.ts';
import { awaitsPieces, losesNothing } from './pieces.ts';
import type { SessionState, SessionStatus } from './state.ts';

/** No earlier turn may go on in what the context is now (CX3). */
const restored = ({ last: _, ...state }: SessionState): SessionState => state;

type Announced = Extract<LoggedEvent, { type: `session.status_${SessionStatus}` }>;

const announced = (state: SessionState, { type, data }: Announced): SessionState => ({
  ...state,
  status: type.slice('session.status_'.length) as SessionStatus,
  archived: data['unarchived'] === true ? false : state.archived,
});

/** Folds one committed event into the state. */
export const evolve = (state: SessionState, event: LoggedEvent): SessionState => withNews(withWaiting(evolved(state, event), event.at), event);

const evolved = (state: SessionState, event: LoggedEvent): SessionState => {
  switch (event.type) {
    case 'turn.accepted':
      return accepted(state, event.data);
    case 'turn.queued':
      return queued(state, event.data);
    case 'turn.running':
      return started(state, event.data);
    case 'turn.requires_action':
      return withLive(state, event.data.turn_id, ({ overBudget: _, ...live }) => ({ ...live, status: 'requires_action' }));
    case 'turn.interrupted':
      return childrenHolding(withLive(state, event.data.turn_id, (live) => interrupted(live, event.data, awaitsPieces(state))));
    case 'turn.cancel_requested':
      return childrenClosing(
        withLive(state, event.data.turn_id, (live) => ({ ...live, cancelRequested: true })),
        event.data.turn_id,
        true,
      );
    case 'turn.completed':
    case 'turn.partial_succeeded':
    case 'turn.failed':
    case 'turn.cancelled':
    case 'turn.timed_out':
      return settle(state, event.data.turn_id, event.type.slice('turn.'.length) as TurnOutcome);
    case 'run.started':
      return withLive(state, event.data.turn_id, (live) => ({ ...live, runs: event.data.n, runStartedAt: event.at, runsAlone: event.data.alone === true }));
    case 'run.ended':
      return withLive(state, event.data.turn_id, (live) => runEnded(live, event.data, { at: event.at, awaits: losesNothing(state, live) }));
    case 'item.started':
      return withLive(state, event.data.turn_id, (live) => itemStarted(live, event.data));
    case 'item.completed':
      return withLive(state, event.data.turn_id, (live) => itemCompleted(live, event.data));
    case 'model.completed':
      return withLive(state, event.data.turn_id, (live) => modelFailed(live, event.data));
    case 'tool.requested':
      return withLive(state, event.data.turn_id, (live) => ({ ...unanswered(live), calls: withCall(live.calls, event.data) }));
    case 'tool.dispatched':
      if (event.data.child_session_id !== undefined) return childIntended(state, event.data);
      return withLive(state, event.data.turn_id, (live) => ({ ...live, calls: setCall(live.calls, event.data.tool_call_id, 'dispatched') }));
    case 'tool.completed':
      return toolEnded(state, event.data);
    case 'required_action.created':
      return withLive(state, event.data.turn_id, (live) => actionCreated(live, event.data));
    case 'required_action.resolved':
      return remembered(
        withLive(state, event.data.turn_id, (live) => actionResolved(live, event.data)),
        event.data,
      );
    case 'input.accepted':
      return inputAccepted(state, event.data);
    case 'input.applied':
    case 'input.rejected':
      return withoutInput(state, event.data.input_id);
    case 'context.compacted':
      return withLive(state, event.data.turn_id, compacted);
    case 'session.context_initialized':
      return { ...state, contextInitialized: true };
    case 'session.restored':
      return restored(state);
    case 'session.status_archived':
      return { ...state, archived: true };
    case 'session.status_terminated':
      return { ...state, terminated: true, queue: [] };
    case 'session.status_idle':
    case 'session.status_running':
    case 'session.status_requires_action':
      return announced(state, event);
    case 'outcome.judging':
    case 'outcome.checked':
      return judged(state, event);
    case 'step.updated':
    case 'step.failed':
      return state.target === 'team' ? pieceChanged(state, event.data) : stepChanged(state, event.data);
    case 'subagent.started':
    case 'subagent.updated':
    case 'subagent.completed':
      return childChanged(state, event);
    case 'budget.warning':
      return warned(state, event.data);
    case 'budget.changed':
      return budgetChanged(state, event.data);
    case 'session.mode_changed':
      return { ...state, permissionMode: event.data.permission_mode };
    case 'session.parent_told':
      return parentTold(state, event.data);
    case 'session.status_created':
      return bornOf(state, event.data);
    case 'item.delta':
    case 'tool.delta':
    case 'usage.recorded':
    case 'required_action.accepted':
    case 'required_action.rejected':
    case 'command.accepted':
    case 'command.completed':
    case 'command.failed':
    case 'artifact.published':
    case 'artifact.deleted':
    case 'budget.exceeded':
    case 'session.error':
      return state;
  }
  // An event of a newer version: unknown types change nothing (semantics, section 5).
  return state;
};

/** The state after a whole run of events. */
export const fold = (state: SessionState, events: readonly LoggedEvent[]): SessionState => events.reduce(evolve, state);
