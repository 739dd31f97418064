/** How much a model may say in one answer. An answer stands whole in its item and in every later prompt. */
import { ModelError } from '../ports/model.ts';

/** UTF-16 units of text and of the arguments of tool calls together. */
export const longestAnswer = 1_000_000;

const tooLong = (): ModelError => new ModelError("The model's answer is longer than 1,000,000 characters.", { retryable: false });

export type AnswerLimit = {
  readonly text: (piece: string) => void;
  /** A piece of a call's arguments. */
  readonly delta: (callId: string, piece: string) => void;
  /** The whole arguments: what no delta carried counts too. */
  readonly call: (callId: string, whole: string) => void;
};

/** Each throws a `ModelError` with what would go beyond the limit. */
export const createAnswerLimit = (): AnswerLimit => {
  const sent = new Map<string, number>();
  let said = 0;
  const add = (units: number): void => {
    said += units;
    if (said > longestAnswer) throw tooLong();
  };
  return {
    text: (piece) => add(piece.length),
    delta: (callId, piece) => {
      sent.set(callId, (sent.get(callId) ?? 0) + piece.length);
      add(piece.length);
    },
    call: (callId, whole) => {
      add(Math.max(0, whole.length - (sent.get(callId) ?? 0)));
      sent.delete(callId);
    },
  };
};
