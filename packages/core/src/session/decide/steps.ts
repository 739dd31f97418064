/**
 * The steps of a run: a model call, then the tools that it asked for, then the next.
 *
 * S14 A step is a completed model call; the model is called again only when all calls of the step are done. A step makes
 *     at most 64 calls: what the model asks beyond them is refused, each with a result.
 * S15 A tool of the server runs only after `tool.dispatched` is durable, and only once unless it is replay-safe.
 * S16 A turn without calls to make, that has heard all that was said to it (IN3), is complete; its last assistant text is its
 *     output.
 * S23 A call that asks people, or waits for a signal (executor `person`), waits for its action from the moment it is made: it is
 *     never confirmed, dispatched or repeated, and its answer is its result.
 */

import { cutText } from '../../protocol/content.ts';
import { refuse } from '../../protocol/errors.ts';
import { textOf } from '../../protocol/text-of.ts';
import type { Command, JudgedOutput, RequestedCall, SessionRules } from '../commands.ts';
import type { ContextEntry } from '../context.ts';
import { type Decision, type Draft, draft } from '../decision.ts';
import { itemId, runId } from '../ids.ts';
import type { Concluded } from '../outcome.ts';
import { isHeldBack, openPieces } from '../pieces.ts';
import { type CallState, currentModelCall, type LiveTurn, maxCallsPerStep, type SessionState } from '../state.ts';
import { atModel } from './at-model.ts';
import { delegate } from './children.ts';
import { closeActions, closeForms, closeTurn, completeCall, endRun } from './closing.ts';
import { mayCompact } from './compaction.ts';
import { hasWaitingSteer, rejectInputs } from './inputs.ts';
import { asksNothing } from './inquiries.ts';
import { askedBy, execution, mustAsk, openAction } from './open-action.ts';
import { checked, decideConclude as concludes } from './outcome.ts';
import { refuseOutput, repairOf } from './output.ts';
import { closePieces } from './pieces.ts';
import { settleStep } from './waiting.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

const closed = () => refuse('turn_closed', 'No run is open for this.');
const running = (state: SessionState): LiveTurn | undefined => (state.live?.status === 'running' ? state.live : undefined);

/** The live turn at a model call: one that has answered hears first what was said to it (IN3, C1). */
const mayCall = (state: SessionState): LiveTurn | undefined => {
  const live = atModel(state);
  return live?.answered && hasWaitingSteer(state, live.id) ? undefined : live;
};

type ModelCallRef = { readonly turn_id: LiveTurn['id']; readonly run_id: string; readonly item_id: string; readonly model_call_id: string };

/** Names the model call that is open, or the next one where it has not begun to stream. */
const modelCall = (live: LiveTurn): ModelCallRef => ({
  turn_id: live.id,
  run_id: runId(live.id, live.runs),
  item_id: live.open?.itemId ?? itemId(live.id, live.items + 1),
  model_call_id: currentModelCall(live),
});

export const decideOpenItem = (state: SessionState, command: Of<'open_item'>): Decision => {
  const live = mayCall(state);
  if (!live || live.open) return closed();
  const out = draft(state, command.at);
  const call = modelCall(live);
  const model = command.model === undefined ? {} : { model: command.model };
  const item = { id: call.item_id, type: 'message', role: 'assistant', content: [], status: 'in_progress' } as const;
  out.emit({ type: 'item.started', data: { ...call, item, ...model, ...(command.cost ? { cost: command.cost } : {}) } });
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
  const live = mayCall(state);
  if (!live) return closed();
  if (!callsFit(command)) return decideModelFailed(state, unusable(command), rules);
  const out = draft(state, command.at);
  const call = modelCall(live);
  const last = command.calls.length === 0;
  const unheard = hasWaitingSteer(state, live.id) || openPieces(state).length > 0;
  const goesOn = last && !live.cancelRequested && live.steps + 1 < rules.maxSteps && unheard;
  const judged = last && !live.cancelRequested && !goesOn ? command.output : undefined;
  const repair = repairOf(live, judged, rules);
  const final = last && !live.cancelRequested && !goesOn && judged?.ok !== false;
  // Asked to cancel meanwhile: what was said stands in the note of the closed turn, not as an answer of its own (C1).
  const context: ContextEntry | undefined = last && live.cancelRequested ? undefined : answerOf(command);
  const item = { id: call.item_id, type: 'message', role: 'assistant', content: command.content, status: 'completed' } as const;
  out.emit(
    { type: 'item.completed', data: { ...call, item, ...(final ? { final_output: true } : {}), ...(repair ? { output_faults: repair.faults } : {}) } },
    context,
  );
  recordModelCall(out, call, command, repair?.entry);
  if (repair) return out.done();
  // Something was said to it that it has not heard, or will be: it takes one more step (IN3, TQ2).
  if (goesOn) {
    settleStep(out);
    return out.done();
  }
  if (judged?.ok === false) refuseOutput(out, judged);
  else if (last) answered(out, command, judged);
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

const answerOf = ({ parts, usage }: Of<'model_done'>): ContextEntry => {
  const tokens = usage ? { tokens: usage.input_tokens + usage.output_tokens } : {};
  return { kind: 'message', message: { role: 'assistant', content: parts }, ...tokens };
};

/** Each call stands once, and the context asks for exactly these: otherwise a request would stay without its result (C1). */
const callsFit = ({ calls, parts }: Of<'model_done'>): boolean => {
  const ids = new Set(calls.map((call) => call.id));
  const asked = parts.filter((part) => part.type === 'tool_call');
  return ids.size === calls.length && asked.length === calls.length && asked.every((part) => ids.has(part.id));
};

/** `said`: what the model is told behind its answer. */
const recordModelCall = (out: Draft, call: ModelCallRef, { model, usage, cost }: Of<'model_done'>, said?: ContextEntry): void => {
  if (usage) out.emit({ type: 'usage.recorded', data: { ...call, model, usage, ...(cost ? { cost } : {}) } }, said);
  else out.emit({ type: 'model.completed', data: { ...call, model, status: 'completed' } }, said);
};

/** Code points of the output that the outcome repeats: the whole text stands in its item. */
const outputCharacters = 100_000;

/** The answer is the turn's end, unless it is judged first, or found not to be what is asked for (OC1, OC2). */
const answered = (out: Draft, { content, verdict }: Of<'model_done'>, judged?: Extract<JudgedOutput, { ok: true }>): void => {
  const outputText = cutText(textOf(content), outputCharacters);
  const result = judged ? { result: judged.result } : {};
  if (checked(out, verdict, { outputText, ...result }) === 'ends') complete(out, { outputText, ...result });
  else settleStep(out);
};

export const decideConclude = (state: SessionState, command: Of<'conclude'>): Decision => concludes(state, command, (out) => complete(out, command));

const complete = (out: Draft, { outputText, result }: Concluded): void => {
  const { id, cancelRequested } = out.live();
  if (cancelRequested) {
    closeTurn(out, { outcome: 'cancelled', partialText: outputText });
    return;
  }
  rejectInputs(out, id, 'max_steps');
  // What children in the background still ask is found where they ask it.
  closeActions(out);
  const partly = closePieces(out) > 0 || out.live().failedPieces !== undefined;
  endRun(out, 'completed');
  const type = partly ? 'turn.partial_succeeded' : 'turn.completed';
  out.emit({ type, data: { turn_id: id, output_text: outputText, ...(result === undefined ? {} : { result }) } });
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
  const confirmed = mustAsk(out.state(), requested);
  out.emit({ type: 'tool.requested', data: { ...ref, name, input, executor, replay_safe: requested.replaySafe, asks: confirmed } });
  const refusal = requested.refusal ?? (executor === 'person' && asksNothing(requested.inquiry) ? nothingAsked : undefined);
  if (refusal !== undefined) {
    completeCall(out, requested, 'error', [{ type: 'text', text: refusal }]);
    return;
  }
  const asked = asks ? askedBy(out.state(), requested) : undefined;
  if (asked) openAction(out, asked, { id, name, input }, requested);
};

const nothingAsked = 'Nobody was asked: the call holds no question.';

export const decideModelFailed = (state: SessionState, command: Of<'model_failed'>, rules: SessionRules): Decision => {
  const live = mayCall(state);
  if (!live) return closed();
  const out = draft(state, command.at);
  const compacts = command.compacts === true && mayCompact(live);
  const again = (command.retryable || compacts) && live.modelFailures + 1 < rules.maxModelFailures && !live.cancelRequested;
  out.emit({
    type: 'model.completed',
    data: {
      ...modelCall(live),
      model: command.model,
      status: 'failed',
      error_code: command.errorCode,
      error_message: command.errorMessage,
      ...(again ? { retry_at: compacts ? command.at : command.retryAt } : {}),
      ...(command.unused ? { unused: true } : {}),
      ...(command.cost ? { cost: command.cost } : {}),
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
  if (!live || call?.status !== 'requested' || call.executor === 'person' || live.cancelRequested) return closed();
  const out = draft(state, command.at);
  if (call.executor === 'application') {
    // A person allowed it: now the application is asked to execute it.
    const { approver = 'application', expiresAt } = command;
    const from = expiresAt === undefined ? { approver } : { approver, expiresAt };
    openAction(out, execution, { id: call.id, name: call.name, input: command.input }, from);
    settleStep(out);
    return out.done();
  }
  if (call.executor === 'session') {
    if (isHeldBack(state, call)) return closed();
    if (command.refusal === undefined) delegate(out, call, command.input, command.piece);
    else completeCall(out, call, 'error', [{ type: 'text', text: command.refusal }]);
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
  closeForms(out, call.id);
  completeCall(out, call, command.outcome.status, command.outcome.output, command.outcome.found);
  settleStep(out);
  return out.done();
};
