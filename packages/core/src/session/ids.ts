/**
 * Identifiers of a session's parts.
 *
 * Owns: the shape of every id. A session and a turn get theirs from outside (they arrive on the command); all
 * that a turn makes is numbered by the turn itself, so that deciding needs no randomness and a repeated
 * decision names the same things.
 *
 * S1 An id is derived from its turn's id and a counter that never goes back: no two things share one.
 */

/** Opaque outside: `ses_…`. */
export type SessionId = `ses_${string}`;
/** Opaque outside: `turn_…`. */
export type TurnId = `turn_${string}`;

const tail = (turnId: TurnId): string => turnId.slice('turn_'.length);

/** The n-th run (attempt) of a turn; n counts from 1. */
export const runId = (turnId: TurnId, n: number): string => `run_${tail(turnId)}_${n}`;
/** The n-th item (message) of a turn; n counts from 1. */
export const itemId = (turnId: TurnId, n: number): string => `item_${tail(turnId)}_${n}`;
/** The n-th model call (provider attempt) of a turn; n counts from 1. */
export const modelCallId = (turnId: TurnId, n: number): string => `call_${tail(turnId)}_${n}`;
/** The n-th required action of a turn; n counts from 1. */
export const requestId = (turnId: TurnId, n: number): string => `act_${tail(turnId)}_${n}`;

export const isTurnId = (text: string): text is TurnId => text.startsWith('turn_');
export const isSessionId = (text: string): text is SessionId => text.startsWith('ses_');
