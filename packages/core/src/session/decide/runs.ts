/**
 * How runs begin and end: the start of a turn, its next runs, its end, and the loss of a process.
 *
 * S12 A turn starts only when no other is live, and only the first of the queue (in the order of acceptance, unless a person
 *     reordered it: QO1).
 * S13 A lost run never fails its turn by itself: calls that may be repeated are, others become unknown and
 *     wait for a person; only a turn that keeps killing its process while it runs alone fails (`crash_loop`).
 * S21 What a turn waits for (a model's retry) outlives its run: the next one begins no earlier.
 * S22 A lost run counts as running up to its last committed fact: the time until it was found is nobody's.
 */

import { refuse } from '../../protocol/errors.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { Command } from '../commands.ts';
import type { ContextEntry } from '../context.ts';
import { type Decision, type Draft, draft } from '../decision.ts';
import { requestId, runId } from '../ids.ts';
import { losesNothing } from '../pieces.ts';
import type { LiveTurn, SessionState } from '../state.ts';
import { closeForms, closeTurn, closeUnlessCancelled, countAttempt, endRun } from './closing.ts';
import { isSuspect } from './suspect.ts';
import { addUserItems } from './user-items.ts';
import { settleStep } from './waiting.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

/** How long a suspect waits before its next try alone, by how often it was lost alone; beyond them it fails. */
const suspectDelaysMs: readonly number[] = [1_000, 5_000, 30_000];

const startRun = (out: Draft, alone: boolean): void => {
  const { id, runs } = out.live();
  const run = { turn_id: id, run_id: runId(id, runs + 1) };
  out.emit({ type: 'run.started', data: { ...run, n: runs + 1, ...(alone ? { alone: true } : {}) } });
};

/** The first run of the first queued turn: what the user said becomes items of the history and of the context. */
export const decideStart = (state: SessionState, command: Of<'start'>): Decision => {
  const next = state.queue[0];
  if (state.live || !next) return refuse('turn_not_resumable', 'No turn can start now.');
  const out = draft(state, command.at);
  // Turns of a team are separate: nothing of an earlier one is shown.
  const afresh: ContextEntry | undefined = state.target === 'team' ? { kind: 'initial', messages: [] } : undefined;
  out.emit({ type: 'turn.running', data: { turn_id: next.id, run_id: runId(next.id, 1) } }, afresh);
  startRun(out, command.alone === true);
  addUserItems(out, command.message);
  return out.done();
};

/** A further run of the live turn, which waits at the head of the queue. */
export const decideRestart = (state: SessionState, command: Of<'restart'>): Decision => {
  if (state.live?.status !== 'queued') return refuse('turn_not_resumable', 'No turn waits for its next run.');
  const out = draft(state, command.at);
  const { id, runs } = state.live;
  out.emit({ type: 'turn.running', data: { turn_id: id, run_id: runId(id, runs + 1) } });
  startRun(out, command.alone === true);
  // What it waits for may have changed while it was queued: it may have nothing to do (CH6, CH9).
  settleStep(out);
  return out.done();
};

const running = (state: SessionState): LiveTurn | undefined => (state.live?.status === 'running' ? state.live : undefined);
const notRunning = () => refuse('turn_closed', 'No run is open.');

export const decideStopped = (state: SessionState, command: Of<'stopped'>): Decision => {
  const live = running(state);
  if (!live) return notRunning();
  if (command.outcome === 'cancelled' && !live.cancelRequested) return refuse('turn_closed', 'Nobody asked to cancel the turn.');
  const out = draft(state, command.at);
  countAttempt(out, command.attempt);
  closeUnlessCancelled(out, { outcome: command.outcome, partialText: command.partialText });
  return out.done();
};

export const decideFail = (state: SessionState, command: Of<'fail'>): Decision => {
  if (!running(state)) return notRunning();
  const out = draft(state, command.at);
  closeUnlessCancelled(out, {
    outcome: 'failed',
    partialText: command.partialText,
    errorCode: command.errorCode,
    errorMessage: command.errorMessage,
    retryable: command.retryable,
  });
  return out.done();
};

/** The run is over though the turn is not: its process died (`lost`), or stops in good order (`handed_over`). */
export const decideEndRun = (state: SessionState, command: Of<'end_run'>): Decision => {
  const live = running(state);
  if (!live) return notRunning();
  const out = draft(state, command.at);
  countAttempt(out, command.attempt);
  const unknown = live.calls.filter((call) => call.status === 'dispatched' && !call.replaySafe).map((call) => call.id);
  if (live.cancelRequested) closeTurn(out, { outcome: 'cancelled', partialText: '' }, command.cause);
  else if (unknown.length > 0) {
    endRun(out, command.cause, undefined, unknown, command.ranUntil);
    closeForms(out);
    askToReconcile(out, command.inputs ?? {});
  } else if (command.cause === 'lost' && !losesNothing(state, live) && live.runsAlone && live.lostAlone + 1 > suspectDelaysMs.length - 1) {
    const errorMessage = `The turn ended its process ${live.lostRuns + 1} times without finishing a step.`;
    closeTurn(out, { outcome: 'failed', partialText: '', errorCode: 'crash_loop', errorMessage, retryable: false }, 'lost');
  } else {
    endRun(out, command.cause, undefined, [], command.ranUntil);
    closeForms(out);
    queueAgain(out, command);
  }
  return out.done();
};

/** Back to the head of the queue; a suspect waits before its next try alone. */
const queueAgain = (out: Draft, command: Of<'end_run'>): void => {
  const live = out.live();
  const delay = isSuspect(live) ? suspectDelaysMs[live.lostAlone] : undefined;
  // A model call's retry was waited for: its time stands, whichever process makes it.
  const notBefore = Math.max(delay === undefined ? 0 : command.at + delay, live.notBefore ?? 0);
  const wait = notBefore > command.at ? { not_before: notBefore } : {};
  out.emit({ type: 'turn.queued', data: { turn_id: live.id, reason: command.cause === 'lost' ? 'recovered' : 'handed_over', queue_position: 0, ...wait } });
};

/** An unknown result waits for a person who looked outside and says what really happened. */
export const askToReconcile = (out: Draft, inputs: { readonly [callId: string]: JsonObject }): void => {
  const { id, calls } = out.live();
  for (const call of calls.filter((entry) => entry.status === 'unknown')) {
    out.emit({
      type: 'required_action.created',
      data: {
        turn_id: id,
        request_id: requestId(id, out.live().actions + 1),
        kind: 'reconciliation',
        version: 1,
        tool_call: { id: call.id, name: call.name, input: inputs[call.id] ?? {} },
        prompt: `The process ended while "${call.name}" ran. Check what it did, then record its real result.`,
        answer_schema: reconciliationSchema,
        approver: 'owner',
      },
    });
  }
  out.emit({ type: 'turn.interrupted', data: { turn_id: id, reason: 'tool_result_unknown', error_code: 'tool_result_unknown' } });
};

const reconciliationSchema = {
  type: 'object',
  required: ['outcome', 'reason'],
  properties: { outcome: { enum: ['succeeded', 'failed'] }, output: {}, reason: { type: 'string', minLength: 1 } },
} as const;
