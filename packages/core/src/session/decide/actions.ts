/**
 * Required actions: answers, and what happens when none comes.
 *
 * S17 An action is resolved once: by an answer, by its expiry, or by the end of its turn.
 * S18 Answers of one request are taken together or not at all.
 * S19 A parked turn goes on as soon as one of its calls may run, or nothing is left to wait for; an unknown result holds
 *     it until a person has said what happened.
 */
import { type Refusal, refuse } from '../../protocol/errors.ts';
import type { Answer, AnswerPayload, Command } from '../commands.ts';
import { type Decision, type Draft, draft } from '../decision.ts';
import type { OpenAction, SessionState } from '../state.ts';
import { completeCall, resolved } from './closing.ts';
import { openIds, settleStep } from './steps.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export const decideAnswer = (state: SessionState, command: Of<'answer'>): Decision => {
  if (state.live?.id !== command.turnId) return refuse('action_resolved', 'The turn has no open action.');
  const refusal = command.answers.map((answer) => answerRefusal(state, answer, command.at)).find((entry) => entry !== undefined);
  if (refusal) return refusal;
  const ids = command.answers.map((answer) => answer.requestId);
  if (new Set(ids).size !== ids.length) return refuse('validation_failed', 'An action is answered twice in one request.');
  const receipt = { turn_id: command.turnId, command_id: command.commandId, kind: 'actions' as const };
  const out = draft(state, command.at);
  out.emit({ type: 'command.accepted', data: receipt });
  for (const answer of command.answers) {
    out.emit({
      type: 'required_action.accepted',
      data: { turn_id: command.turnId, request_id: answer.requestId, command_id: command.commandId, answered_by: command.answeredBy },
    });
    applyAnswer(out, answer, command.answeredBy);
  }
  goOn(out);
  out.emit({ type: 'command.completed', data: receipt });
  return out.done();
};

const openAction = (state: SessionState, id: string): OpenAction | undefined => state.live?.openActions.find((action) => action.id === id);

const answerRefusal = (state: SessionState, answer: Answer, at: number): Refusal | undefined => {
  const action = openAction(state, answer.requestId);
  if (!action) return refuse('action_resolved', `The action ${answer.requestId} is not open.`, { request_id: answer.requestId });
  if (action.expiresAt !== undefined && action.expiresAt <= at) {
    return refuse('action_resolved', `The action ${action.id} has expired.`, { request_id: action.id, expired: true });
  }
  if (answer.expectedVersion !== undefined && answer.expectedVersion !== action.version) {
    return refuse('action_version_conflict', `The action is at version ${action.version}.`, { request_id: action.id, version: action.version });
  }
  if (answer.payload.kind !== action.kind) {
    return refuse('validation_failed', `The action is of kind ${action.kind}: the payload does not fit it.`, { request_id: action.id, kind: action.kind });
  }
  return undefined;
};

const applyAnswer = (out: Draft, answer: Answer, by: string): void => {
  const live = out.live();
  const action = live.openActions.find((entry) => entry.id === answer.requestId);
  const call = live.calls.find((entry) => entry.id === action?.callId);
  if (!action) return;
  const { payload } = answer;
  const denied = payload.kind === 'confirmation' && !payload.allow;
  const edited = payload.kind === 'confirmation' && payload.allow && payload.input ? { input: payload.input } : {};
  out.emit({
    type: 'required_action.resolved',
    data: { ...resolved(live.id, action, denied ? 'denied' : 'answered'), resolved_by: by, ...edited },
  });
  const result = resultOf(payload);
  if (call && result) completeCall(out, call, result.status, result.output);
};

/** What an answer makes of its tool call at once; nothing for a confirmation, which lets it run. */
const resultOf = (payload: AnswerPayload) => {
  switch (payload.kind) {
    case 'external_execution':
      return { status: payload.isError ? 'error' : 'success', output: payload.output } as const;
    case 'reconciliation':
      return { status: payload.outcome === 'succeeded' ? 'success' : 'error', output: payload.output } as const;
    case 'confirmation':
      if (payload.allow) return undefined;
      return { status: 'denied', output: [{ type: 'text', text: payload.reason ? `Denied: ${payload.reason}` : 'Denied by the user.' }] } as const;
  }
};

/** Takes a parked turn up again when something can run, or when nothing is left to wait for (S19). */
const goOn = (out: Draft): void => {
  const live = out.live();
  if (live.status === 'running') {
    settleStep(out);
    return;
  }
  if (live.status !== 'requires_action' && live.status !== 'interrupted') return;
  if (live.calls.some((call) => call.status === 'unknown')) return;
  const runnable = live.calls.some((call) => call.status === 'requested');
  const waits = live.calls.some((call) => call.status === 'waiting');
  if (runnable || !waits) out.emit({ type: 'turn.queued', data: { turn_id: live.id, reason: 'answered', queue_position: 0 } });
  // Its last unknown result is known, other answers are still missing: an ordinary wait from now on.
  else if (live.status === 'interrupted') out.emit({ type: 'turn.requires_action', data: { turn_id: live.id, request_ids: openIds(live) } });
};

/** An action that nobody answered in time resolves as denied, once. */
export const decideExpire = (state: SessionState, command: Of<'expire'>): Decision => {
  const action = openAction(state, command.requestId);
  if (!state.live || !action || action.expiresAt === undefined || action.expiresAt > command.at) {
    return refuse('action_resolved', 'The action is not open or has not expired.');
  }
  const out = draft(state, command.at);
  out.emit({ type: 'required_action.resolved', data: resolved(state.live.id, action, 'expired') });
  const call = out.live().calls.find((entry) => entry.id === action.callId);
  if (call) completeCall(out, call, 'denied', [{ type: 'text', text: 'Nobody answered in time.' }]);
  goOn(out);
  return out.done();
};
