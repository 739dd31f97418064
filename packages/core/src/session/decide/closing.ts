/**
 * Closing a turn: everything that is open in it is closed before its outcome, and the context stays valid.
 *
 * S10 Before an outcome: open actions are resolved, unapplied inputs rejected, open calls completed, open steps cancelled, the open
 *     model call and the open run ended, in this order; each once.
 * S11 Nothing of a turn follows its outcome but the announcement of the session's status.
 * C1  Each tool request has one result, also when the turn was stopped between them; a turn without an answer
 *     leaves a note in the context, so that roles go on alternating.
 */
import type { OutputBlock } from '../../protocol/content.ts';
import type { ModelAttempt } from '../commands.ts';
import { type ContextEntry, unansweredNote } from '../context.ts';
import type { Draft } from '../decision.ts';
import type { ActionResolution, EventData, RunEnd, ToolEnd } from '../events.ts';
import { isEnd } from '../flow.ts';
import { itemId, modelCallId, runId, stepId, type TurnId } from '../ids.ts';
import type { CallState, OpenAction } from '../state.ts';
import { rejectInputs } from './inputs.ts';
import { closePieces } from './pieces.ts';

export type Closing =
  | { readonly outcome: 'cancelled' | 'timed_out'; readonly partialText: string }
  | { readonly outcome: 'failed'; readonly partialText: string; readonly errorCode: string; readonly errorMessage: string; readonly retryable: boolean };

const text = (value: string): readonly OutputBlock[] => [{ type: 'text', text: value }];

/** Writes the end of one tool call: the event, and its result for the model. */
export const completeCall = (
  out: Draft,
  call: Pick<CallState, 'id' | 'name'>,
  status: ToolEnd,
  output: readonly OutputBlock[],
  found: readonly string[] = [],
): void => {
  const { id: turnId } = out.live();
  const data: EventData<'tool.completed'> = {
    turn_id: turnId,
    execution_id: turnId,
    tool_call_id: call.id,
    name: call.name,
    status,
    result: { type: 'tool_result', id: call.id, name: call.name, output, state: status },
    ...(found.length > 0 ? { found_tools: found } : {}),
  };
  out.emit({ type: 'tool.completed', data }, { kind: 'tool_result', result: { callId: call.id, name: call.name, output, isError: status !== 'success' } });
};

const closeCall = (out: Draft, call: CallState, outcome: string): void => {
  switch (call.status) {
    case 'requested':
    case 'waiting':
      completeCall(out, call, 'cancelled', text(`Not run: the turn was closed (${outcome}).`));
      break;
    case 'dispatched':
    case 'unknown':
      // Whether it had its effect cannot be told any more: say so, never claim that it did not run.
      completeCall(out, call, call.replaySafe ? 'cancelled' : 'unknown', text(`Stopped (${outcome}): its outcome is unknown.`));
      break;
    case 'delegated':
      completeCall(out, call, 'cancelled', text(`Not waited for any more: the turn was closed (${outcome}).`));
      break;
    case 'done':
      break;
  }
};

export const closeActions = (out: Draft): void => {
  for (const action of out.live().openActions) {
    out.emit({ type: 'required_action.resolved', data: resolved(out.live().id, action, 'cancelled') });
  }
};

/** The steps of a workflow that are open are over with it; whoever worked on them is cancelled. */
const closeSteps = (out: Draft): void => {
  const { id, flow } = out.live();
  for (const { key, status, attempt, childId } of flow?.steps ?? []) {
    if (isEnd(status)) continue;
    const child = childId === undefined ? {} : { child_session_id: childId };
    out.emit({ type: 'step.updated', data: { turn_id: id, step_id: stepId(id, key, flow?.tries), key, attempt, ...child, status: 'cancelled' } });
  }
};

/** The data of a resolution: which action, of which kind, about which call. */
export const resolved = (turnId: TurnId, action: OpenAction, resolution: ActionResolution): EventData<'required_action.resolved'> => ({
  turn_id: turnId,
  request_id: action.id,
  kind: action.kind,
  resolution,
  ...(action.callId === undefined ? {} : { tool_call_id: action.callId }),
  ...(action.whileRunning ? { while_running: true } : {}),
});

/** Closes the forms of calls that run: of one of them, or of all (RN2). */
export const closeForms = (out: Draft, callId?: string): void => {
  for (const action of out.live().openActions) {
    if (action.whileRunning && (callId === undefined || action.callId === callId)) {
      out.emit({ type: 'required_action.resolved', data: resolved(out.live().id, action, 'cancelled') });
    }
  }
};

/**
 * Ends the live turn. `partialText` is what the model had said of an answer that it could not finish; `runEnd` says how
 * the open run ended when it did not end as the turn does (its process died).
 */
export const closeTurn = (out: Draft, closing: Closing, runEnd?: RunEnd): void => {
  const turn = out.live();
  closeActions(out);
  rejectInputs(out, turn.id, closing.outcome === 'failed' && closing.errorCode === 'max_steps' ? 'max_steps' : closing.outcome);
  for (const call of turn.calls) closeCall(out, call, closing.outcome);
  closeSteps(out);
  closePieces(out);
  if (turn.runStartedAt !== undefined) endRun(out, runEnd ?? closing.outcome, closing.outcome === 'failed' ? closing.errorCode : undefined);
  const note = [closing.partialText, unansweredNote(closing.outcome)].filter(Boolean).join('\n');
  const entry: ContextEntry = { kind: 'message', message: { role: 'assistant', content: [{ type: 'text', text: note }] } };
  const unverified = out.live().unverified;
  switch (closing.outcome) {
    case 'cancelled':
      out.emit({ type: 'turn.cancelled', data: { turn_id: turn.id, unverified_calls: unverified } }, entry);
      break;
    case 'timed_out':
      out.emit({ type: 'turn.timed_out', data: { turn_id: turn.id, error_code: 'timed_out', unverified_calls: unverified } }, entry);
      break;
    case 'failed': {
      const { errorCode: error_code, errorMessage: error_message, retryable } = closing;
      const calls = unverified.length > 0 ? { unverified_calls: unverified } : {};
      out.emit({ type: 'turn.failed', data: { turn_id: turn.id, error_code, error_message, retryable, ...calls } }, entry);
      break;
    }
  }
};

/** Ends the turn as its run reported, unless it was asked to cancel: then it ends cancelled, whatever came first. */
export const closeUnlessCancelled = (out: Draft, closing: Closing): void =>
  closeTurn(out, out.live().cancelRequested ? { outcome: 'cancelled', partialText: closing.partialText } : closing);

/**
 * Counts a model call that was stopped before anything of its answer was committed: it was made, and what it used is not
 * known (semantics, section 9: each attempt counts, unknown is never zero).
 */
export const countAttempt = (out: Draft, attempt: ModelAttempt | undefined): void => {
  const { id, runs, items, modelCalls, open, calls } = out.live();
  if (!attempt || open || calls.some((call) => call.status !== 'done')) return;
  const call = { turn_id: id, run_id: runId(id, runs), item_id: itemId(id, items + 1), model_call_id: modelCallId(id, modelCalls + 1) };
  out.emit({ type: 'model.completed', data: { ...call, model: attempt.model, status: 'cancelled', ...(attempt.cost ? { cost: attempt.cost } : {}) } });
};

/**
 * Ends the open run. A model call that was still streaming ends with it: it was made, so it counts, though nobody knows
 * what it used; the view marks its item as incomplete.
 */
export const endRun = (out: Draft, status: RunEnd, errorCode?: string, unknownCalls: readonly string[] = [], ranUntil?: number): void => {
  const { id, runs, open } = out.live();
  const run = { turn_id: id, run_id: runId(id, runs) };
  if (open) {
    const call = { ...run, item_id: open.itemId, model_call_id: open.modelCallId };
    out.emit({ type: 'model.completed', data: { ...call, model: open.model ?? 'unknown', status: 'cancelled', ...(open.cost ? { cost: open.cost } : {}) } });
  }
  out.emit({
    type: 'run.ended',
    data: {
      ...run,
      status,
      ...(open ? { item_id: open.itemId } : {}),
      ...(unknownCalls.length > 0 ? { unknown_calls: unknownCalls } : {}),
      ...(errorCode === undefined ? {} : { error_code: errorCode }),
      ...(ranUntil === undefined ? {} : { ran_until: ranUntil }),
    },
  });
};
