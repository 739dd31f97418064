/**
 * A workflow's turn: what its graph asks for, step by step.
 *
 * Owns: which moves of a plan become facts. What is to be done next follows from the spec and these facts, and is planned outside
 * (core/workflow): a move that the state does not allow any more is passed over, for the plan was made of an older one.
 *
 * WF3 A node is begun once an attempt, and its next attempt only after one that failed.
 * WF4 A step that has ended is routed once: which edges it takes is a fact, and follows from how it ended. One that ended otherwise than
 *     planned, for its child or a person was first, is routed by the next plan.
 * WF5 A turn finishes when every step has ended and is routed; what is open when it ends otherwise is cancelled before the outcome (S10).
 * WF6 What a child, a person or a signal brings ends the step that waits for it, once.
 */
import { cutText, type OutputBlock } from '../../protocol/content.ts';
import { type Refusal, refuse } from '../../protocol/errors.ts';
import type { Json, JsonObject } from '../../protocol/json.ts';
import { textOf } from '../../protocol/text-of.ts';
import type { ChildReport } from '../child-report.ts';
import type { AnswerPayload, Command } from '../commands.ts';
import { type Decision, type Draft, draft } from '../decision.ts';
import { childrenCounted } from '../evolve-children.ts';
import type { FailedStep, StepFacts } from '../family-events.ts';
import { type Flow, type FlowMove, type FlowStep, isEnd, mapOf, type StepEnd, type StepRef, stepOf } from '../flow.ts';
import { flowDueOf } from '../flow-due.ts';
import { childSessionId, itemId, requestId, runId, type SessionId, stepId, type TurnId } from '../ids.ts';
import { type LiveTurn, maxChildren, type OpenAction, type SessionState } from '../state.ts';
import { closeActions, closeTurn, endRun, resolved } from './closing.ts';
import { rejectInputs } from './inputs.ts';
import { askedFor } from './inquiries.ts';
import { openAction } from './open-action.ts';
import { checked } from './outcome.ts';
import { settleStep } from './waiting.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;
type Move<Do extends FlowMove['do']> = Extract<FlowMove, { do: Do }>;

const closed = () => refuse('turn_closed', 'No workflow runs here.');

const isFailure = (status: StepEnd): status is FailedStep => status === 'failed' || status === 'timed_out' || status === 'rejected';

type Told = Partial<StepFacts> & Pick<StepFacts, 'key' | 'attempt'>;

const idOf = (out: Draft, key: string): string => stepId(out.live().id, key, out.live().flow?.tries);

const factsOf = (out: Draft, { key, attempt, ...more }: Told): StepFacts & { readonly turn_id: LiveTurn['id'] } => ({
  turn_id: out.live().id,
  step_id: idOf(out, key),
  ...{ key, attempt },
  ...more,
});

type End = { readonly status: StepEnd; readonly output?: Json; readonly errorCode?: string; readonly errorMessage?: string };

/** The end of a step, whoever brings it. */
const endStep = (out: Draft, step: Told, { status, output, errorCode, errorMessage }: End): void => {
  const facts = factsOf(out, { ...step, ...(output === undefined ? {} : { output }) });
  if (!isFailure(status)) {
    out.emit({ type: 'step.updated', data: { ...facts, status } });
    return;
  }
  const error = { ...(errorCode === undefined ? {} : { error_code: errorCode }), ...(errorMessage === undefined ? {} : { error_message: errorMessage }) };
  out.emit({ type: 'step.failed', data: { ...facts, status, ...error } });
};

const flowOf = (out: Draft): Flow | undefined => out.live().flow;
const known = ({ key, attempt }: FlowStep): Told => ({ key, attempt });

/** Whether this step may begin now: for the first time, or again after its delay (WF3). */
const mayBegin = (out: Draft, { key }: StepRef): FlowStep | 'first' | undefined => {
  const step = stepOf(flowOf(out), key);
  if (step) return step.status === 'delayed' && (step.until ?? 0) <= out.at ? step : undefined;
  const map = mapOf(key);
  if (map === undefined) return 'first';
  const of = stepOf(flowOf(out), map);
  return of?.status === 'running' && of.map !== undefined && key === `${map}.${of.map.begun}` && of.map.begun < of.map.total ? 'first' : undefined;
};

/** As its attempt is told; undefined where it may not begin. */
const attemptOf = (out: Draft, { key, type, name }: StepRef): Told | undefined => {
  const before = mayBegin(out, { key, type });
  if (before === undefined) return undefined;
  return { key, type, ...(name === undefined ? {} : { name }), attempt: before === 'first' ? 1 : before.attempt + 1 };
};

const begin = (out: Draft, move: Move<'begin'>): void => {
  const step = attemptOf(out, move);
  if (!step || childrenCounted(out.state()) >= maxChildren) return;
  const child_session_id = childSessionId(out.live().id, (out.state().spawned ?? 0) + 1);
  out.emit({ type: 'step.updated', data: { ...factsOf(out, { ...step, input: move.input, child_session_id }), status: 'running' } });
};

const beginMap = (out: Draft, move: Move<'begin_map'>): void => {
  const step = attemptOf(out, move);
  const map = { total: move.total, parallel: move.parallel, begun: 0, ended: 0, failed: 0 };
  const until = move.until === undefined ? {} : { until: move.until };
  if (step) out.emit({ type: 'step.updated', data: { ...factsOf(out, { ...step, map, ...until }), status: 'running' } });
};

const ask = (out: Draft, { inquiry, approver, roleOf, expiresAt, ...move }: Move<'ask'>): void => {
  const step = attemptOf(out, move);
  if (!step) return;
  const { id, actions } = out.live();
  out.emit({ type: 'step.updated', data: { ...factsOf(out, { ...step, request_id: requestId(id, actions + 1) }), status: 'waiting' } });
  const from = { approver, ...(roleOf === undefined ? {} : { roleOf }), ...(expiresAt === undefined ? {} : { expiresAt }) };
  openAction(out, { ...askedFor(inquiry), step_id: idOf(out, step.key) }, undefined, from);
};

const sleep = (out: Draft, move: Move<'sleep'>): void => {
  const step = attemptOf(out, move);
  if (step) out.emit({ type: 'step.updated', data: { ...factsOf(out, { ...step, until: move.until }), status: 'sleeping' } });
};

/** Also of a step that never began: a skipped one, one that ends at once, one that cannot begin. */
const end = (out: Draft, { do: _, key, type, name, ...how }: Move<'end'>): void => {
  const step = stepOf(flowOf(out), key);
  if (step && isEnd(step.status)) return;
  const before = mapOf(key) === undefined || step ? step : mayBegin(out, { key, type });
  if (mapOf(key) !== undefined && before === undefined) return;
  closeAction(out, step);
  const attempt = step ? step.attempt + (step.status === 'delayed' && how.status !== 'cancelled' ? 1 : 0) : how.status === 'skipped' ? 0 : 1;
  const child = step?.childId !== undefined && how.status === 'cancelled' ? { child_session_id: step.childId } : {};
  endStep(out, { key, type, ...(name === undefined ? {} : { name }), attempt, ...child }, how);
};

/** Nobody is asked for a step that is over. */
const closeAction = (out: Draft, step: FlowStep | undefined): void => {
  const action = step?.requestId === undefined ? undefined : out.live().openActions.find(({ id }) => id === step.requestId);
  if (action) out.emit({ type: 'required_action.resolved', data: resolved(out.live().id, action, 'cancelled') });
};

const retry = (out: Draft, { key, type, name, until }: Move<'retry'>): void => {
  const step = stepOf(flowOf(out), key);
  if (!step || step.taken || (step.status !== 'failed' && step.status !== 'timed_out')) return;
  out.emit({ type: 'step.updated', data: { ...factsOf(out, { ...known(step), type, ...(name === undefined ? {} : { name }), until }), status: 'delayed' } });
};

const route = (out: Draft, { key, taken }: Move<'route'>): void => {
  const step = stepOf(flowOf(out), key);
  if (!step || !isEnd(step.status) || step.taken) return;
  out.emit({ type: 'step.updated', data: { ...factsOf(out, { ...known(step), taken }), status: step.status } });
};

const isOver = ({ steps }: Flow): boolean => steps.length > 0 && steps.every(({ status, taken }) => isEnd(status) && taken !== undefined);

/** Code points of the output that the outcome repeats. */
const outputCharacters = 100_000;

const finish = (out: Draft, { outcome, outputText, result, verdict }: Move<'finish'>): void => {
  const { flow } = out.live();
  const text = cutText(outputText, outputCharacters);
  if (!flow || !isOver(flow) || checked(out, verdict, { outputText: text, result }) === 'goes on') return;
  // Of children that lost a race: what they still ask is over with the turn (S10).
  closeActions(out);
  const { id, runs, items } = out.live();
  const item = { id: itemId(id, items + 1), type: 'message', role: 'assistant', content: [{ type: 'text', text }], status: 'completed' } as const;
  out.emit({ type: 'item.completed', data: { turn_id: id, run_id: runId(id, runs), item_id: item.id, item, final_output: true } });
  rejectInputs(out, id, 'max_steps');
  endRun(out, 'completed');
  out.emit({ type: `turn.${outcome}`, data: { turn_id: id, output_text: text, result } });
};

const applyMove = (out: Draft, move: FlowMove): void => {
  switch (move.do) {
    case 'begin':
      begin(out, move);
      break;
    case 'begin_map':
      beginMap(out, move);
      break;
    case 'ask':
      ask(out, move);
      break;
    case 'sleep':
      sleep(out, move);
      break;
    case 'end':
      end(out, move);
      break;
    case 'retry':
      retry(out, move);
      break;
    case 'route':
      route(out, move);
      break;
    case 'finish':
      finish(out, move);
      break;
    case 'fail':
      closeTurn(out, { outcome: 'failed', partialText: '', errorCode: move.errorCode, errorMessage: move.errorMessage, retryable: false });
      break;
  }
};

const isOverAlready = (out: Draft, key: string): boolean => {
  const step = stepOf(flowOf(out), key);
  return step !== undefined && isEnd(step.status);
};

export const decideAdvanceFlow = (state: SessionState, { moves, at }: Of<'advance_flow'>): Decision => {
  const { live } = state;
  if (live?.status !== 'running' || !live.flow || live.flow.paused || live.cancelRequested) return closed();
  const out = draft(state, at);
  const endedBefore = new Set<string>();
  for (const move of moves) {
    if (out.state().live?.id !== live.id) break;
    if (move.do === 'end' && mapOf(move.key) === undefined && isOverAlready(out, move.key)) endedBefore.add(move.key);
    if (move.do !== 'route' || !endedBefore.has(move.key)) applyMove(out, move);
  }
  if (out.state().live?.id === live.id) settleStep(out);
  return out.done();
};

/** A parked workflow goes on: a timer, or the time of a further attempt, is due. */
export const decideWakeFlow = (state: SessionState, { at }: Of<'wake_flow'>): Decision => {
  const { live } = state;
  const due = flowDueOf(state);
  if (live?.status !== 'requires_action' || due === undefined || due > at) return closed();
  const out = draft(state, at);
  out.emit({ type: 'turn.queued', data: { turn_id: live.id, reason: 'timer', queue_position: 0 } });
  return out.done();
};

/** Why a turn cannot be paused now, or undefined. Also what `available_commands` asks. `ofParent`: with its parent's turn (PZ1). */
export const pauseRefusal = ({ target, live, parent }: SessionState, turnId: TurnId, ofParent = false): Refusal | undefined => {
  if (target !== 'workflow') return refuse('not_supported', 'Only the turns of workflows are paused.');
  // Its parent would let it go on at once (PZ2).
  if (parent && !ofParent) return refuse('not_supported', 'A child session is paused with the session that it belongs to.');
  if (live?.id !== turnId) return refuse('turn_closed', 'The turn does not run.');
  return live.status === 'interrupted' || live.cancelRequested ? refuse('turn_closed', 'The turn is interrupted already, or being cancelled.') : undefined;
};

/** Nothing new of it begins until it is resumed; what children do meanwhile is kept. */
export const decidePause = (state: SessionState, command: Of<'pause'>): Decision => {
  const refusal = pauseRefusal(state, command.turnId, command.ofParent);
  const { live } = state;
  if (refusal || !live) return refusal ?? closed();
  const receipt = { turn_id: live.id, command_id: command.commandId, kind: 'pause' as const };
  const out = draft(state, command.at);
  out.emit({ type: 'command.accepted', data: receipt });
  if (live.status === 'running') endRun(out, 'interrupted');
  out.emit({ type: 'turn.interrupted', data: { turn_id: live.id, reason: 'paused', error_code: 'paused' } });
  out.emit({ type: 'command.completed', data: receipt });
  return out.done();
};

/** The step knows its action, and not the other way round: a key may be long, and stands in the state once. None of an action of anything else. */
const stepWaitingFor = (out: Draft, { id }: OpenAction): FlowStep | undefined =>
  out.state().live?.flow?.steps.find(({ status, requestId: asked }) => status === 'waiting' && asked === id);

/** What an answer makes of the step that waits for it (WF6). */
export const stepAnswered = (out: Draft, action: OpenAction, payload: AnswerPayload, by: string): void => {
  const step = stepWaitingFor(out, action);
  if (!step) return;
  const reason: JsonObject = payload.kind === 'approval' && payload.reason !== undefined ? { reason: payload.reason } : {};
  if (payload.kind === 'approval' && !payload.approved) {
    const errorMessage = payload.reason ?? 'It was not approved.';
    endStep(out, known(step), { status: 'rejected', output: { approved: false, by, ...reason }, errorCode: 'rejected', errorMessage });
  } else if (payload.kind === 'approval') endStep(out, known(step), { status: 'succeeded', output: { approved: true, by, ...reason } });
  else if (payload.kind === 'signal') endStep(out, known(step), { status: 'succeeded', output: payload.payload });
};

/** Nobody answered in time. */
export const stepExpired = (out: Draft, action: OpenAction): void => {
  const step = stepWaitingFor(out, action);
  if (step) endStep(out, known(step), { status: 'timed_out', errorCode: 'timed_out', errorMessage: 'Nobody answered in time.' });
};

type Ended = Extract<ChildReport['is'], { readonly output: readonly OutputBlock[] }>;

/** What a child's outcome makes of the step that it works on (WF6). Nothing where it is no step's. */
export const stepOfChildEnded = (out: Draft, childId: SessionId, { status, output, result, errorCode }: Ended): void => {
  const step = out.state().live?.flow?.steps.find((entry) => entry.childId === childId && entry.status === 'running');
  if (!step) return;
  const text = textOf(output);
  const failure = { errorMessage: cutText(text, 2_000), ...(errorCode === undefined ? {} : { errorCode }) };
  switch (status) {
    case 'completed':
    case 'partial_succeeded':
      endStep(out, known(step), { status: 'succeeded', output: result === undefined ? text : result });
      break;
    case 'timed_out':
      endStep(out, known(step), { status: 'timed_out', ...failure });
      break;
    case 'cancelled':
      // As the turn was asked to; nobody else cancels a step's child.
      if (out.live().cancelRequested) endStep(out, known(step), { status: 'cancelled' });
      else endStep(out, known(step), { status: 'failed', errorCode: errorCode ?? status, ...failure });
      break;
    case 'failed':
    case 'gone':
      endStep(out, known(step), { status: 'failed', errorCode: errorCode ?? status, ...failure });
      break;
  }
};
