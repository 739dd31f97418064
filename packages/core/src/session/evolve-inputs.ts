/** The fold of what is said to turns that are under way, or for the next one. */
import type { EventData } from './events.ts';
import { childrenCounted } from './evolve-children.ts';
import { maxChildren, maxWaitingInputs, type SessionState } from './state.ts';

/** Once each, no more than may wait, and of a turn only while it is unfinished: nothing that a log could say waits for ever. */
export const inputAccepted = (state: SessionState, data: EventData<'input.accepted'>): SessionState => {
  const waiting = state.inputs ?? [];
  const { turn_id } = data;
  if (turn_id !== undefined && state.live?.id !== turn_id && !state.queue.some(({ id }) => id === turn_id)) return state;
  if (waiting.some(({ id }) => id === data.input_id)) return state;
  if (data.kind === 'subagent') {
    const isFull = childrenCounted(state) >= maxChildren;
    return isFull ? state : { ...state, inputs: [...waiting, { id: data.input_id, ofChild: true }] };
  }
  if (waiting.filter(({ ofChild }) => ofChild !== true).length >= maxWaitingInputs) return state;
  const turn = turn_id === undefined ? {} : { turnId: turn_id };
  const command = data.command_id === undefined ? {} : { commandId: data.command_id };
  return { ...state, inputs: [...waiting, { id: data.input_id, ...turn, ...command }] };
};

export const withoutInput = (state: SessionState, inputId: string): SessionState => {
  const { inputs, ...rest } = state;
  const left = inputs?.filter(({ id }) => id !== inputId) ?? [];
  if (left.length === (inputs?.length ?? 0)) return state;
  return left.length > 0 ? { ...rest, inputs: left } : rest;
};
