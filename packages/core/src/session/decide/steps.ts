/**
 * The steps of a run: a model call, then the tools that it asked for, then the next.
 *
 * S14 A step is a completed model call; the model is called again only when all calls of the step are done. A step makes
 *     at most 64 calls: what the model asks beyond them is refused, each with a result.
 * S15 A tool of the server runs only after `tool.dispatched` is durable, and only once unless it is replay-safe.
 * S16 A turn without calls to make is complete; its last assistant text is its output.
 */

import { cutText, textOf } from '../../protocol/content.ts';
import { refuse } from '../../protocol/errors.ts';
import type { Command, RequestedCall, SessionRules } from '../commands.ts';
import type { ContextEntry } from '../context.ts';
import { type Decision, type Draft, draft } from '../decision.ts';
import type { EventData } from '../events.ts';
import { itemId, modelCallId, requestId, runId } from '../ids.ts';
import { type CallState, type LiveTurn, maxCallsPerStep, type SessionState } from '../state.ts';
import { closeTurn, completeCall, endRun } from './closing.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

const closed = () => refuse('turn_closed', 'No run is open for this.');
const running = (state: SessionState): LiveTurn | undefined => (state.live?.status === 'running' ? state.live : undefined);
/** The live turn while its model may be called: no call of the step before is still to be done (S14). */
const atModel = (state: SessionState): LiveTurn | undefined => {
  const live = running(state);
  return live?.calls.every((call) => call.status === 'done') ? live : undefined;
};

type ModelCallRef = { readonly turn_id: LiveTurn['id']; readonly run_id: string; readonly item_id: string; readonly model_call_id: string };

/** Names the model call that is open, or the next one where it has not begun to stream. */
const modelCall = (live: LiveTurn): ModelCallRef => ({
  turn_id: live.id,
  run_id: runId(live.id, live.runs),
  item_id: live.open?.itemId ?? itemId(live.id, live.items + 1),
  model_call_id: live.open?.modelCallId ?? modelCallId(live.id, live.modelCalls + 1),
});

export const decideOpenItem = (state: SessionState, command: Of<'open_item'>): Decision => {
  const live = atModel(state);
  if (!live || live.open) return closed();
  const out = draft(state, command.at);
  const call = modelCall(live);
  const model = command.model === undefined ? {} : { model: command.model };
  const item = { id: call.item_id, type: 'message', role: 'assistant', content: [], status: 'in_progress' } as const;
  out.emit({ type: 'item.started', data: { ...call, item, ...model } });
  return out.done();
};

export const decideItemDelta = (state: SessionState, command: Of<'item_delta'>): Decision => {
  const live = running(state);
  if (!live?.open) return closed();
  const out = draft(state, command.at);
  out.emit({ type: 'item.delta', data: { ...modelCall(live), position: command.position, content: command.content } });
  return out.done();
};

export const decideModelDone = (state: SessionState, command: Of<'model_done'>, rules: SessionRules): Decision => {
  const live = atModel(state);
  if (!live) return closed();
  if (!callsFit(command)) return decideModelFailed(state, unusable(command), rules);
  const out = draft(state, command.at);
  const call = modelCall(live);
  const last = command.calls.length === 0;
  // Asked to cancel meanwhile: what was said stands in the note of the closed turn, not as an answer of its own (C1).
  const context: ContextEntry | undefined = last && live.cancelRequested ? undefined : answerOf(command);
  const item = { id: call.item_id, type: 'message', role: 'assistant', content: command.content, status: 'completed' } as const;
  out.emit({ type: 'item.completed', data: { ...call, item, ...(last && !live.cancelRequested ? { final_output: true } : {}) } }, context);
  recordModelCall(out, call, command);
  if (last) complete(out, textOf(command.content));
  else useTools(out, call, command.calls, rules);
  return out.done();
};

/** A failed attempt rather than a refusal: a runner that is refused would call the model again, without end. */
const unusable = ({ model, at }: Of<'model_done'>): Of<'model_failed'> => ({
  type: 'model_failed',
  at,
  model,
  errorCode: 'model_error',
  errorMessage: 'The answer cannot be used: its tool calls are not told apart by their ids.',
  retryable: true,
  retryAt: at + 1_000,
});

const answerOf = (command: Of<'model_done'>): ContextEntry => ({ kind: 'message', message: { role: 'assistant', content: command.parts } });

/** Each call stands once, and the context asks for exactly these: otherwise a request would stay without its result (C1). */
const callsFit = ({ calls, parts }: Of<'model_done'>): boolean => {
  const ids = new Set(calls.map((call) => call.id));
  const asked = parts.filter((part) => part.type === 'tool_call');
  return ids.size === calls.length && asked.length === calls.length && asked.every((part) => ids.has(part.id));
};

const recordModelCall = (out: Draft, call: ModelCallRef, { model, usage, cost }: Of<'model_done'>): void => {
  if (usage) out.emit({ type: 'usage.recorded', data: { ...call, model, usage, ...(cost ? { cost } : {}) } });
  else out.emit({ type: 'model.completed', data: { ...call, model, status: 'completed' } });
};

/** Code points of the output that the outcome repeats: the whole text stands in its item. */
const outputCharacters = 100_000;

const complete = (out: Draft, outputText: string): void => {
  const { id, cancelRequested } = out.live();
  if (cancelRequested) {
    closeTurn(out, { outcome: 'cancelled', partialText: outputText });
    return;
  }
  endRun(out, 'completed');
  out.emit({ type: 'turn.completed', data: { turn_id: id, output_text: cutText(outputText, outputCharacters) } });
};

const useTools = (out: Draft, call: ModelCallRef, calls: readonly RequestedCall[], rules: SessionRules): void => {
  const { steps, cancelRequested } = out.live();
  const ends = cancelRequested || steps >= rules.maxSteps;
  for (const [index, requested] of calls.entries()) {
    requestCall(out, call, index < maxCallsPerStep ? requested : { ...requested, refusal: tooManyCalls }, !ends);
  }
  if (cancelRequested || !ends) {
    settleStep(out);
    return;
  }
  const errorMessage = `The turn used its ${rules.maxSteps} model calls without coming to an end.`;
  closeTurn(out, { outcome: 'failed', partialText: '', errorCode: 'max_steps', errorMessage, retryable: false });
};

const tooManyCalls = `Not run: one step may make at most ${maxCallsPerStep} tool calls. Ask for the others in the next step.`;

/** One call: refused, or waiting for an answer, or free to run. A turn that ends anyway asks nobody (`asks` false). */
const requestCall = (out: Draft, call: ModelCallRef, requested: RequestedCall, asks: boolean): void => {
  const { id, name, input, executor } = requested;
  const ref = { ...call, execution_id: call.turn_id, tool_call_id: id };
  out.emit({ type: 'tool.requested', data: { ...ref, name, input, executor, replay_safe: requested.replaySafe, asks: requested.asks } });
  if (requested.refusal !== undefined) {
    completeCall(out, requested, 'error', [{ type: 'text', text: requested.refusal }]);
    return;
  }
  const kind = requested.asks ? 'confirmation' : executor === 'application' ? 'external_execution' : undefined;
  if (kind && asks) openAction(out, kind, { id, name, input }, requested);
};

const answerSchemas = {
  confirmation: { type: 'object', required: ['allow'], properties: { allow: { type: 'boolean' }, reason: { type: 'string' }, input: { type: 'object' } } },
  external_execution: { type: 'object', required: ['output'], properties: { output: {}, is_error: { type: 'boolean' } } },
} as const;

export const openAction = (
  out: Draft,
  kind: 'confirmation' | 'external_execution',
  toolCall: EventData<'required_action.created'>['tool_call'],
  from: Pick<RequestedCall, 'approver' | 'expiresAt'>,
): void => {
  const { id, actions } = out.live();
  out.emit({
    type: 'required_action.created',
    data: {
      turn_id: id,
      request_id: requestId(id, actions + 1),
      kind,
      version: 1,
      ...(toolCall ? { tool_call: toolCall } : {}),
      answer_schema: answerSchemas[kind],
      approver: from.approver,
      ...(from.expiresAt === undefined ? {} : { expires_at: from.expiresAt }),
    },
  });
};

export const decideModelFailed = (state: SessionState, command: Of<'model_failed'>, rules: SessionRules): Decision => {
  const live = atModel(state);
  if (!live) return closed();
  const out = draft(state, command.at);
  const again = command.retryable && live.modelFailures + 1 < rules.maxModelFailures && !live.cancelRequested;
  out.emit({
    type: 'model.completed',
    data: {
      ...modelCall(live),
      model: command.model,
      status: 'failed',
      error_code: command.errorCode,
      error_message: command.errorMessage,
      ...(again ? { retry_at: command.retryAt } : {}),
    },
  });
  if (!again && !live.cancelRequested) {
    closeTurn(out, { outcome: 'failed', partialText: '', errorCode: command.errorCode, errorMessage: command.errorMessage, retryable: command.retryable });
  }
  return out.done();
};

const callOf = (live: LiveTurn | undefined, id: string): CallState | undefined => live?.calls.find((call) => call.id === id);
const toolRef = (live: LiveTurn, callId: string) => ({ turn_id: live.id, execution_id: live.id, tool_call_id: callId });

export const decideDispatch = (state: SessionState, command: Of<'dispatch'>): Decision => {
  const live = running(state);
  const call = callOf(live, command.callId);
  if (!live || call?.status !== 'requested' || live.cancelRequested) return closed();
  const out = draft(state, command.at);
  if (call.executor === 'application') {
    // A person allowed it: now the application is asked to execute it.
    const { approver = 'application', expiresAt } = command;
    const from = expiresAt === undefined ? { approver } : { approver, expiresAt };
    openAction(out, 'external_execution', { id: call.id, name: call.name, input: command.input }, from);
    settleStep(out);
    return out.done();
  }
  out.emit({ type: 'tool.dispatched', data: { ...toolRef(live, call.id), run_id: runId(live.id, live.runs), name: call.name, input: command.input } });
  return out.done();
};

export const decideToolDelta = (state: SessionState, command: Of<'tool_delta'>): Decision => {
  const live = running(state);
  if (!live || callOf(live, command.callId)?.status !== 'dispatched') return closed();
  const out = draft(state, command.at);
  out.emit({ type: 'tool.delta', data: { ...toolRef(live, command.callId), run_id: runId(live.id, live.runs), output: command.output } });
  return out.done();
};

export const decideToolDone = (state: SessionState, command: Of<'tool_done'>): Decision => {
  const live = running(state);
  const call = callOf(live, command.callId);
  if (!live || call?.status !== 'dispatched') return closed();
  const out = draft(state, command.at);
  completeCall(out, call, command.outcome.status, command.outcome.output);
  settleStep(out);
  return out.done();
};

/** The actions that a turn waits for. */
export const openIds = (live: LiveTurn): readonly string[] => live.openActions.map((action) => action.id);

/**
 * Parks the turn when nothing is left to run but answers: the run ends `suspended` and no process is held. While
 * a call may still run, or all are done, the run goes on.
 */
export const settleStep = (out: Draft): void => {
  const live = out.live();
  if (live.status !== 'running' || live.cancelRequested) return;
  const waiting = live.calls.some((call) => call.status === 'waiting');
  const busy = live.calls.some((call) => call.status === 'requested' || call.status === 'dispatched');
  if (!waiting || busy) return;
  endRun(out, 'suspended');
  out.emit({ type: 'turn.requires_action', data: { turn_id: live.id, request_ids: openIds(live) } });
};
