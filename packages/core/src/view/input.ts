/** Inputs in the view: what was said to a turn, or injected, and whether it was used. Times are Unix milliseconds. */
import type { UserMessage } from '../protocol/content.ts';
import type { EventData, InputKind, InputRejection } from '../session/events.ts';

export type InputBody = {
  readonly input_id: string;
  /** The turn that was steered; of an inject the turn that used it, once one has. */
  readonly turn_id?: string;
  readonly kind: InputKind;
  /** `applied`: the model is shown it from the next call on. `accepted` says only that it is stored. */
  readonly status: 'accepted' | 'applied' | 'rejected';
  readonly command_id?: string;
  readonly input: readonly UserMessage[];
  readonly created_at: number;
  readonly applied_at?: number;
  /** The items that it became. */
  readonly item_ids?: readonly string[];
  readonly rejected_at?: number;
  readonly reason?: InputRejection;
};

export const inputAccepted = (data: EventData<'input.accepted'>, at: number): InputBody => {
  const { turn_id, command_id, input_id, kind, input } = data;
  const turn = turn_id === undefined ? {} : { turn_id };
  return { ...turn, input_id, kind, status: 'accepted', ...(command_id === undefined ? {} : { command_id }), input, created_at: at };
};

export const inputApplied = (body: InputBody, data: EventData<'input.applied'>, at: number): InputBody => ({
  ...body,
  turn_id: data.turn_id,
  status: 'applied',
  applied_at: at,
  item_ids: data.item_ids,
});

export const inputRejected = (body: InputBody, data: EventData<'input.rejected'>, at: number): InputBody => ({
  ...body,
  status: 'rejected',
  rejected_at: at,
  reason: data.reason,
});
