/**
 * Which turns a context is made of: a session that was restored went on from an earlier place, and what was left in between
 * is no part of it.
 */
import type { CheckpointResource } from '@turnkeeper/core/protocol/wire/context';

/** `isNewest`: no checkpoint says yet what turns behind them made of it. */
export type Path = { readonly turns: readonly string[]; readonly isNewest: boolean };

const nowhere: readonly string[] = [];

/** Of a checkpoint, of what the context was after a turn, or (without `at`) of what it is now; undefined where there is no such place. */
export const pathTo = (newestFirst: readonly CheckpointResource[], at: string | undefined): Path | undefined => {
  const afterTurn = new Map<string, readonly string[]>();
  const atCheckpoint = new Map<string, readonly string[]>();
  let current = nowhere;
  for (const { checkpoint_id, turn_id, reason } of newestFirst.toReversed()) {
    if (reason === 'session.restored') current = (turn_id === null ? undefined : afterTurn.get(turn_id)) ?? nowhere;
    else if (turn_id === null) current = nowhere;
    else {
      if (current.at(-1) !== turn_id) current = [...current, turn_id];
      afterTurn.set(turn_id, current);
    }
    atCheckpoint.set(checkpoint_id, current);
  }
  if (at === undefined) return { turns: current, isNewest: true };
  const turns = atCheckpoint.get(at) ?? afterTurn.get(at);
  return turns && { turns, isNewest: false };
};

/** A side of a comparison: a session, and where in it; without `at` as it is now. */
export type BranchRef = { readonly sessionId: string; readonly at: string | undefined };

/** `ckpt_…` (of the session that is looked at), `ses_…`, or `ses_…@` and a checkpoint or a turn. */
export const parseRef = (text: string | undefined, sessionId: string): BranchRef | undefined => {
  if (text === undefined || text === '') return undefined;
  if (!text.startsWith('ses_')) return { sessionId, at: text };
  const [id = '', at] = text.split('@');
  return { sessionId: id, at: at === '' ? undefined : at };
};
