/**
 * Required actions: answers, and what happens when none comes.
 *
 * S17 An action is resolved once: by an answer, by its expiry, or by the end of its turn.
 * S18 Answers of one request are taken together or not at all.
 */
import { type Refusal, refuse } from '../../protocol/errors.ts';
import type { Answer, AnswerPayload, Command } from '../commands.ts';
import { type Decision, type Draft, draft } from '../decision.ts';
import type { EventData } from '../events.ts';
import { isAllowed, maxAllowedTools, type OpenAction, type SessionState } from '../state.ts';
import { completeCall, resolved } from './closing.ts';
import { stepAnswered, stepExpired } from './flow.ts';
import { expiredEnd, resultOf, saysNo } from './inquiries.ts';
import { goOn } from './waiting.ts';

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
  if (action?.childId !== undefined) return refuse('not_supported', `The action ${action.id} is answered in the session ${action.childId}.`);
  if (!action) return refuse('action_resolved', `The action ${answer.requestId} is not open.`, { action_id: answer.requestId });
  if (action.expiresAt !== undefined && action.expiresAt <= at) {
    return refuse('action_resolved', `The action ${action.id} has expired.`, { action_id: action.id, expired: true });
  }
  if (answer.expectedVersion !== undefined && answer.expectedVersion !== action.version) {
    return refuse('action_version_conflict', `The action is at version ${action.version}.`, { action_id: action.id, version: action.version });
  }
  if (answer.payload.kind !== action.kind) {
    return refuse('validation_failed', `The action is of kind ${action.kind}: the payload does not fit it.`, { action_id: action.id, kind: action.kind });
  }
  const wrong = rememberFault(state, action, answer.payload);
  return wrong === undefined
    ? undefined
    : refuse('validation_failed', wrong, { action_id: action.id, errors: [{ pointer: '/payload/remember', detail: wrong }] });
};

/** Why an answer cannot be remembered, if that is what it asks. */
const rememberFault = (state: SessionState, action: OpenAction, payload: AnswerPayload): string | undefined => {
  if (payload.kind !== 'confirmation' || payload.remember === undefined) return undefined;
  if (!payload.allow) return 'only what is allowed can be remembered';
  if (action.canRemember !== true) return 'this tool asks every time: its answer cannot be remembered';
  const name = state.live?.calls.find((call) => call.id === action.callId)?.name ?? '';
  const isFull = !isAllowed(state, name) && (state.allowedTools?.length ?? 0) >= maxAllowedTools;
  return isFull ? `the session remembers ${maxAllowedTools} tools already` : undefined;
};

const applyAnswer = (out: Draft, answer: Answer, by: string): void => {
  const live = out.live();
  const action = live.openActions.find((entry) => entry.id === answer.requestId);
  const call = live.calls.find((entry) => entry.id === action?.callId);
  if (!action) return;
  const { payload } = answer;
  out.emit({
    type: 'required_action.resolved',
    data: { ...resolved(live.id, action, saysNo(payload) ? 'denied' : 'answered'), resolved_by: by, ...allowedWith(payload, call?.name), ...sealedOf(payload) },
  });
  // The call that asked goes on with what was answered (RN1).
  if (action.whileRunning) return;
  stepAnswered(out, action, payload, by);
  const result = resultOf(payload);
  if (call && result) completeCall(out, call, result.status, result.output);
};

/** What was allowed, beyond the call as the model made it. Other open actions of the tool stay open: they were asked. */
const allowedWith = (payload: AnswerPayload, tool: string | undefined): Pick<EventData<'required_action.resolved'>, 'input' | 'remembered_tool'> => {
  if (payload.kind !== 'confirmation' || !payload.allow) return {};
  return { ...(payload.input ? { input: payload.input } : {}), ...(payload.remember && tool !== undefined ? { remembered_tool: tool } : {}) };
};

const sealedOf = (payload: AnswerPayload): Pick<EventData<'required_action.resolved'>, 'sealed'> =>
  payload.kind === 'form' && payload.submitted && payload.sealed !== undefined ? { sealed: payload.sealed } : {};

/** An action that nobody answered in time resolves as expired, once. */
export const decideExpire = (state: SessionState, command: Of<'expire'>): Decision => {
  const action = openAction(state, command.requestId);
  if (!state.live || !action || action.expiresAt === undefined || action.expiresAt > command.at) {
    return refuse('action_resolved', 'The action is not open or has not expired.');
  }
  const out = draft(state, command.at);
  out.emit({ type: 'required_action.resolved', data: resolved(state.live.id, action, 'expired') });
  const call = action.whileRunning ? undefined : out.live().calls.find((entry) => entry.id === action.callId);
  const { status, output } = expiredEnd(action.kind, command.otherwise);
  if (call) completeCall(out, call, status, output);
  stepExpired(out, action);
  goOn(out);
  return out.done();
};
