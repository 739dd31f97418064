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

/** A step of a team's or a workflow's turn; `key` as in its events, `tries` of the graph as a whole. */
export const stepId = (turnId: TurnId, key: string, tries = 1): string => `step_${tail(turnId)}_${key}${tries > 1 ? `~${tries}` : ''}`;

/** A checkpoint taken in a turn, or of what the context was after it; `suffix` sets those of one turn apart. */
export const checkpointId = (turnId: TurnId, suffix: string): string => `ckpt_${tail(turnId)}_${suffix}`;
/** The turn that a checkpoint is of; null when it is of none. */
export const turnOfCheckpoint = (id: string): TurnId | null => {
  const found = /^ckpt_(.+)_[^_]+$/.exec(id)?.[1];
  return found === undefined ? null : `turn_${found}`;
};

export const isTurnId = (text: string): text is TurnId => text.startsWith('turn_');
export const isSessionId = (text: string): text is SessionId => text.startsWith('ses_');

/** The n-th child of a session, made in this turn; n counts from 1 over all its turns. */
export const childSessionId = (turnId: TurnId, n: number): SessionId => `ses_${tail(turnId)}-${n}`;
/** The one turn of a child session. */
export const childTurnId = (childId: SessionId): TurnId => `turn_${childId.slice('ses_'.length)}`;
/** The turn of the parent in which a child was made. */
export const parentTurnOf = (childId: string): TurnId => `turn_${childId.slice('ses_'.length, childId.lastIndexOf('-'))}`;
/** The input by which a child's result reaches its parent. */
export const childInputId = (childId: SessionId): string => `inp_${childId.slice('ses_'.length)}`;
/** The command that lets a child go on after its n-th run, on behalf of its parent. */
export const childResumeId = (childId: SessionId, runs: number): string => `cmd_${childId.slice('ses_'.length)}_r${runs}`;
/** The command that pauses a child in its n-th run, on behalf of its parent. */
export const childPauseId = (childId: SessionId, runs: number): string => `cmd_${childId.slice('ses_'.length)}_p${runs}`;
/** The command that cancels a child on behalf of its parent. */
export const childCancelId = (childId: SessionId): string => `cmd_${childId.slice('ses_'.length)}`;
