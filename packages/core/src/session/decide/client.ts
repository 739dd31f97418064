/**
 * What people and applications ask of a session: submit, cancel, resume, archive, delete.
 *
 * S8 An accepted turn is queued behind all that are queued (FIFO, unless a person reorders them: QO1); a refused one leaves no
 *    trace.
 * S9 A turn is settled once: cancelling or resuming what has ended is refused, never ignored.
 * S25 A turn that is resumed keeps its running time: what it used before it failed or was interrupted counts on.
 * S20 A turn that was asked to cancel ends `cancelled`, whatever its run reports in the meantime: the receipt, the stream
 *     and the store agree.
 */
import { refuse } from '../../protocol/errors.ts';
import type { Command, SessionRules } from '../commands.ts';
import type { ContextEntry } from '../context.ts';
import { type Decision, type Draft, draft } from '../decision.ts';
import type { TurnId } from '../ids.ts';
import { type SessionState, unfinishedTurns } from '../state.ts';
import { closeTurn } from './closing.ts';
import { rejectInputs } from './inputs.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export const retryAfterMs = 1000;

const resumeNudge: ContextEntry = {
  kind: 'message',
  message: { role: 'user', content: [{ type: 'text', text: '[The turn is resumed. Please continue where you stopped.]' }] },
};

export const decideCreate = (state: SessionState, command: Of<'create'>): Decision => {
  const out = draft(state, command.at);
  const { parent, target, maxParallel } = command;
  const of = {
    ...(parent ? { parent: { session_id: parent.sessionId, path: parent.path } } : {}),
    ...(target ? { target } : {}),
    ...(maxParallel === undefined ? {} : { max_parallel: maxParallel }),
  };
  out.emit({ type: 'session.status_created', data: of });
  return out.done();
};

export const decideSubmit = (state: SessionState, command: Of<'submit'>, rules: SessionRules): Decision => {
  if (state.parent && state.turns > 0) return refuse('not_supported', 'A child session has one turn: submit to the session that it belongs to.');
  if (state.archived) return refuse('session_archived', 'The session is archived: restore it to submit new turns.');
  const pending = unfinishedTurns(state);
  if (pending >= rules.maxQueued) {
    return refuse('queue_full', `The session has ${pending} unfinished turns; its limit is ${rules.maxQueued}.`, {
      scope: 'session',
      limit: rules.maxQueued,
      pending_count: pending,
      retry_after_ms: retryAfterMs,
    });
  }
  const out = draft(state, command.at);
  const more = {
    ...(command.metadata === undefined ? {} : { metadata: command.metadata }),
    ...(command.outcome === undefined ? {} : { outcome: command.outcome }),
    ...command.submitter,
  };
  out.emit({ type: 'turn.accepted', data: { turn_id: command.turnId, n: state.turns + 1, preview: command.preview, ...more } });
  out.emit({ type: 'turn.queued', data: { turn_id: command.turnId, reason: 'accepted', queue_position: pending } });
  return out.done();
};

/** Where a turn stands, as far as the state knows it. Turns older than the last one are simply over. */
const standing = (state: SessionState, turnId: TurnId): 'live' | 'queued' | 'last' | 'over' => {
  if (state.live?.id === turnId) return 'live';
  if (state.queue.some((turn) => turn.id === turnId)) return 'queued';
  return state.last?.id === turnId ? 'last' : 'over';
};

export const decideCancel = (state: SessionState, command: Of<'cancel'>): Decision => {
  const where = standing(state, command.turnId);
  if (where === 'last' || where === 'over') return refuse('turn_closed', 'The turn has already ended.');
  const receipt = { turn_id: command.turnId, command_id: command.commandId, kind: 'cancel' as const };
  const out = draft(state, command.at);
  out.emit({ type: 'command.accepted', data: receipt });
  const again = where === 'live' && state.live?.cancelRequested === true;
  if (!again) out.emit({ type: 'turn.cancel_requested', data: { turn_id: command.turnId, command_id: command.commandId } });
  // Before the outcome: a turn's stream ends with it (S11).
  out.emit({ type: 'command.completed', data: receipt });
  if (where === 'live' && state.live?.status === 'running') return out.done();
  if (where === 'live') closeTurn(out, { outcome: 'cancelled', partialText: '' });
  else cancelQueued(out, command.turnId);
  return out.done();
};

/** A turn that never ran has nothing to close but what was said to it. */
const cancelQueued = (out: Draft, turnId: TurnId): void => {
  rejectInputs(out, turnId, 'cancelled');
  out.emit({ type: 'turn.cancelled', data: { turn_id: turnId, unverified_calls: [] } });
};

export const decideResume = (state: SessionState, command: Of<'resume'>): Decision => {
  const refusal = resumeRefusal(state, command.turnId, command.ofParent);
  if (refusal) return refusal;
  const receipt = { turn_id: command.turnId, command_id: command.commandId, kind: 'resume' as const };
  const out = draft(state, command.at);
  out.emit({ type: 'command.accepted', data: receipt });
  // A failed turn left its note in the context (C1): the model needs to be told to go on.
  const nudge = state.live ? undefined : resumeNudge;
  out.emit({ type: 'turn.queued', data: { turn_id: command.turnId, reason: 'resumed', queue_position: 0 } }, nudge);
  out.emit({ type: 'command.completed', data: receipt });
  return out.done();
};

/** Why a turn cannot be resumed now, or undefined. Also what `available_commands` asks. `ofParent`: with its parent's turn (PZ1). */
export const resumeRefusal = (state: SessionState, turnId: TurnId, ofParent = false) => {
  switch (standing(state, turnId)) {
    case 'live': {
      const live = state.live;
      if (live?.calls.some((call) => call.status === 'unknown'))
        return refuse('tool_result_unknown', 'A tool result of this turn is unknown: reconcile it first.');
      if (state.parent && live?.flow?.paused && !ofParent)
        return refuse('not_supported', 'A child session that is paused goes on with the session that it belongs to.');
      // One that was paused goes on to wait for them.
      if (live && live.openActions.length > 0 && !live.flow?.paused)
        return refuse('action_pending', 'The turn has an open action: answer it first.', { request_ids: live.openActions.map((action) => action.id) });
      return live?.status === 'interrupted' ? undefined : refuse('turn_not_resumable', 'The turn is queued or running.');
    }
    case 'last':
      if (state.parent) return refuse('turn_not_resumable', 'The parent of this session has been told how it ended.');
      if (state.last?.outcome !== 'failed') return refuse('turn_closed', `The turn has ended: ${state.last?.outcome ?? 'settled'}.`);
      if (state.target === 'workflow') return refuse('turn_not_resumable', 'A workflow that has failed is run again as a new turn.');
      return state.live ? refuse('turn_not_resumable', 'A later turn has started.') : undefined;
    case 'queued':
      return refuse('turn_not_resumable', 'The turn is queued and will start by itself.');
    case 'over':
      return refuse('turn_not_resumable', 'A later turn has started, or the context was restored since.');
  }
};

export const decideArchive = (state: SessionState, command: Of<'archive'>): Decision => {
  const out = draft(state, command.at);
  if (!state.archived) out.emit({ type: 'session.status_archived', data: {} });
  return out.done();
};

export const decideUnarchive = (state: SessionState, command: Of<'unarchive'>): Decision => {
  const out = draft(state, command.at);
  if (state.archived) out.emit({ type: `session.status_${state.status}`, data: { unarchived: true } });
  return out.done();
};

export const decideDelete = (state: SessionState, command: Of<'delete'>): Decision => {
  const out = draft(state, command.at);
  if (state.live) closeTurn(out, { outcome: 'cancelled', partialText: '' });
  for (const turn of out.state().queue) cancelQueued(out, turn.id);
  rejectInputs(out, 'session', 'deleted');
  out.emit({ type: 'session.status_terminated', data: {} });
  return out.done();
};
