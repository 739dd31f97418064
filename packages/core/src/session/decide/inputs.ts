/**
 * Inputs: what people say to a turn that is under way (steer), and background for whichever turn comes (inject).
 *
 * IN1 An accepted input is used once, at a step boundary of a turn, or rejected once: never neither, never both.
 * IN2 It is used before a model call is begun, never put into one that was: the runner applies and calls one after the other.
 * IN3 A turn that would end with an unapplied steer takes one more step, unless it has no step left: then the steer is
 *     rejected and the turn ends as it is. An inject makes no step.
 * IN4 However a turn ends, its steers that were not used are rejected before its outcome, and their receipts fail (S10, S11).
 *     Injects outlive turns: only the session's deletion rejects them.
 * IN5 Inputs are used in the order in which they were accepted.
 * IN6 A child session takes no injects: it has one turn, and none comes after it that could still hear them.
 */
import { type Refusal, refuse } from '../../protocol/errors.ts';
import type { Command } from '../commands.ts';
import { type Decision, type Draft, draft } from '../decision.ts';
import type { EventData, InputRejection } from '../events.ts';
import { runId, type TurnId } from '../ids.ts';
import { maxWaitingInputs, type SessionState, type WaitingInput } from '../state.ts';
import { atModel } from './at-model.ts';
import { addUserItems, nextItemIds } from './user-items.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

const inputsRetryAfterMs = 1000;

const kindOf = ({ turnId, ofChild }: WaitingInput) => (ofChild ? 'subagent' : turnId === undefined ? 'inject' : 'steer');
const isSteerOf =
  (turnId: TurnId) =>
  (input: WaitingInput): boolean =>
    input.turnId === turnId;

/** True when something was said to this turn, or a child has a result for it, that it has not heard yet. */
export const hasWaitingSteer = (state: SessionState, turnId: TurnId): boolean =>
  state.inputs?.some((input) => input.ofChild === true || isSteerOf(turnId)(input)) === true;

/** What the next step of this turn is to hear, in order. */
export const inputsFor = (state: SessionState, turnId: TurnId): readonly WaitingInput[] =>
  state.inputs?.filter((input) => input.turnId === undefined || input.turnId === turnId) ?? [];

/** Results of children are not counted among what people say. */
const fullRefusal = ({ inputs = [] }: SessionState): Refusal | undefined => {
  const waiting = inputs.filter(({ ofChild }) => ofChild !== true).length;
  return waiting < maxWaitingInputs
    ? undefined
    : refuse('inputs_full', `${waiting} inputs wait to be used; the limit is ${maxWaitingInputs}.`, {
        limit: maxWaitingInputs,
        pending_count: waiting,
        retry_after_ms: inputsRetryAfterMs,
      });
};

/** Why a turn cannot be steered now, or undefined. Also what `available_commands` asks. */
export const steerRefusal = (state: SessionState, turnId: TurnId): Refusal | undefined => {
  const live = state.live?.id === turnId ? state.live : undefined;
  if (!live && !state.queue.some((turn) => turn.id === turnId)) return refuse('turn_closed', 'The turn has already ended.');
  if (live?.cancelRequested) return refuse('turn_closed', 'The turn is being cancelled.');
  return fullRefusal(state);
};

export const decideSteer = (state: SessionState, command: Of<'steer'>): Decision => {
  const refusal = steerRefusal(state, command.turnId);
  if (refusal) return refusal;
  const { turnId: turn_id, commandId: command_id, inputId: input_id, input } = command;
  const out = draft(state, command.at);
  out.emit({ type: 'command.accepted', data: { turn_id, command_id, kind: 'steer' } });
  out.emit({ type: 'input.accepted', data: { turn_id, input_id, kind: 'steer', command_id, input } });
  return out.done();
};

export const decideInject = (state: SessionState, command: Of<'inject'>): Decision => {
  const refusal = injectRefusal(state);
  if (refusal) return refusal;
  const out = draft(state, command.at);
  out.emit({ type: 'input.accepted', data: { input_id: command.inputId, kind: 'inject', input: command.input } });
  return out.done();
};

const injectRefusal = (state: SessionState): Refusal | undefined => {
  if (state.parent) return refuse('not_supported', 'A child session has one turn: steer that, or add to the session that it belongs to.');
  return state.archived ? refuse('session_archived', 'The session is archived: restore it to add to it.') : fullRefusal(state);
};

/** Inputs become messages of the user: items of the history, and what the next model call is shown. */
export const decideApplyInputs = (state: SessionState, command: Of<'apply_inputs'>): Decision => {
  const live = atModel(state);
  if (!live || live.open || live.cancelRequested) return refuse('turn_closed', 'The turn is at no step boundary.');
  const given = new Map(command.inputs.map(({ id, input }) => [id, input]));
  // The first ones, none left out (IN5).
  const waiting = inputsFor(state, live.id).slice(0, command.inputs.length);
  if (given.size === 0 || waiting.length !== given.size || !waiting.every(({ id }) => given.has(id)))
    return refuse('turn_closed', 'These are not the inputs that this turn is to hear next.');
  const out = draft(state, command.at);
  for (const entry of waiting) applyInput(out, entry, given.get(entry.id) ?? []);
  return out.done();
};

const applyInput = (out: Draft, entry: WaitingInput, input: Of<'apply_inputs'>['inputs'][number]['input']): void => {
  const { id, runs, items } = out.live();
  const data: EventData<'input.applied'> = {
    ...{ turn_id: id, run_id: runId(id, runs), input_id: entry.id, kind: kindOf(entry) },
    item_ids: nextItemIds(id, items, input.length),
  };
  out.emit({ type: 'input.applied', data });
  addUserItems(out, input);
  if (entry.commandId !== undefined) out.emit({ type: 'command.completed', data: { turn_id: id, command_id: entry.commandId, kind: 'steer' } });
};

/** Closes what was said to a turn that ends, or was said to a session that is deleted. */
export const rejectInputs = (out: Draft, of: TurnId | 'session', reason: InputRejection): void => {
  // What a member found is of no use to another turn of its team.
  const team = out.state().target === 'team';
  const rejected = (out.state().inputs ?? []).filter((input) => of === 'session' || input.turnId === of || (team && input.ofChild === true));
  for (const entry of rejected) {
    const turn = entry.turnId === undefined ? {} : { turn_id: entry.turnId };
    out.emit({ type: 'input.rejected', data: { ...turn, input_id: entry.id, kind: kindOf(entry), reason } });
    if (entry.turnId === undefined || entry.commandId === undefined) continue;
    out.emit({ type: 'command.failed', data: { turn_id: entry.turnId, command_id: entry.commandId, kind: 'steer', error_code: 'turn_closed' } });
  }
};
