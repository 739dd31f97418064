/** Use cases: the checkpoints of a session's context, and going on from one. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { CheckpointResource, CheckpointsPage, RestoreContextRequest } from '@turnkeeper/core/protocol/wire/context';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { busyRefusal } from '@turnkeeper/core/session/decide/context';
import { checkpointId, type TurnId, turnOfCheckpoint } from '@turnkeeper/core/session/ids';
import type { CheckpointPlace, CheckpointRow } from '../ports/session-store.ts';
import type { App } from './app.ts';
import { auditOf } from './audit.ts';
import { type Caller, ownerOf } from './caller.ts';
import { findSession } from './find-session.ts';
import { earlier, type Keyed, keyedCall, requiredKey } from './idempotency.ts';
import { afterOf, listCursor } from './page-cursors.ts';
import type { findTurn } from './read-turn.ts';
import { runKeyedJob, thrown } from './run-job.ts';
import { sessionResource } from './session-resource.ts';
import { requireSupport } from './target-support.ts';

const checkpointResource = ({ id, at, reason }: CheckpointRow): CheckpointResource => ({
  checkpoint_id: id,
  created_at: at,
  reason,
  turn_id: turnOfCheckpoint(id),
});

const listName = (sid: number): string => `${sid.toString(36)}-checkpoints`;
const placeText = ({ at, id }: CheckpointPlace): string => `${at}.${id}`;
const placeFrom = (text: string): CheckpointPlace | undefined => {
  const found = /^(\d{1,15})\.(.{1,300})$/.exec(text);
  return found ? { at: Number(found[1]), id: String(found[2]) } : undefined;
};

/** Newest first; ids, times and reasons, never what is in them. Throws `not_found`, `invalid_cursor`, `page_expired`. */
export const listCheckpoints = async (
  app: App,
  caller: Caller,
  sessionId: string,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<CheckpointsPage> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  requireSupport(session, 'checkpoints');
  const { sid } = session.head;
  const before = after === undefined ? undefined : afterOf(app, listName(sid), after, placeFrom);
  const rows = await app.sessions.store.checkpoints({ sid, limit: limit + 1, ...(before ? { before } : {}) });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    data: shown.map(checkpointResource),
    next_cursor: last ? listCursor(app, listName(sid), placeText(last.place)) : null,
    has_more: last !== undefined,
  };
};

const noSuchCheckpoint = (detail = 'There is no such checkpoint.'): TurnkeeperError => new TurnkeeperError('not_found', detail);

/** Throws `not_found`. */
export const findCheckpoint = async (app: App, sid: number, id: string): Promise<CheckpointRow> => {
  const row = await app.sessions.store.checkpoint(sid, id);
  if (!row) throw noSuchCheckpoint();
  return row;
};

/** Several may be of one write: the one that holds the most of it. */
const newestOf = (rows: readonly CheckpointRow[]): CheckpointRow | undefined =>
  rows.reduce<CheckpointRow | undefined>((newest, row) => (newest && newest.upto >= row.upto ? newest : row), undefined);
const newestPage = 64;

/** What the context of a session at rest is now. Throws `not_found` where it has none yet. */
export const latestCheckpoint = async (app: App, sid: number): Promise<CheckpointRow> => {
  const newest = newestOf(await app.sessions.store.checkpoints({ sid, limit: newestPage }));
  if (!newest) throw noSuchCheckpoint('The session has no checkpoint yet: nothing was said in it.');
  return newest;
};

/** What the context was when this turn was settled. Throws `not_found`. */
export const checkpointAfterTurn = async (app: App, sid: number, turn: Awaited<ReturnType<typeof findTurn>>): Promise<CheckpointRow> => {
  const rows = await app.sessions.store.checkpoints({ sid, turn: turn.body.n, limit: newestPage });
  const settled = newestOf(rows.filter(({ reason }) => reason.startsWith('turn.')));
  if (!settled) throw noSuchCheckpoint('That turn left no checkpoint: it has not run to an end.');
  return settled;
};

/**
 * Lets the context go on from a checkpoint; the history stays. Throws `idempotency_key_required`, `idempotency_conflict`,
 * `not_found`, `session_busy`; `forbidden`, `scope_missing`.
 */
export const restoreContext = async (
  app: App,
  caller: Caller,
  sessionId: string,
  body: RestoreContextRequest,
  key: string | undefined,
): Promise<Keyed<SessionResource>> => {
  const { lane, session } = await findSession(app, caller, sessionId, 'invoke');
  requireSupport(session, 'checkpoints');
  const { id, owner } = session.row;
  const call = keyedCall(ownerOf(caller), 'restore_context', id, requiredKey(key), body);
  const before = await earlier<SessionResource>(app.sessions.store, call);
  if (before) return before;
  const row = await findCheckpoint(app, session.head.sid, body.checkpoint_id);
  const fromTurn = turnOfCheckpoint(row.id);
  const { reason } = body;
  const audit = auditOf(app, caller, { action: 'session.context_restored', subject: `session:${id}`, sessionId: id, details: { owner, checkpoint: row.id } });
  return runKeyedJob(app, lane, call, (state, now) => {
    const busy = busyRefusal(state);
    if (busy) return busy;
    return {
      plan: {
        asks: [{ type: 'restore_context', checkpointId: row.id, fromTurn, upto: row.upto, reason }],
        checkpoint: { id: freshCheckpointId(app, fromTurn), turn: row.turn, reason: 'session.restored' },
        audit: [audit],
      },
      answer: sessionResource(now, session.config),
    };
  });
};

/** Of a checkpoint that no turn's end is the reason for. */
export const freshCheckpointId = (app: App, turnId: TurnId | null): string => {
  const fresh = app.ids.next('ckpt');
  return turnId === null ? fresh : checkpointId(turnId, fresh.slice('ckpt_'.length));
};

export const refuseBusy = (state: Parameters<typeof busyRefusal>[0], sessionId: string): void => {
  const busy = busyRefusal(state);
  if (busy) throw thrown({ ...busy, details: { ...busy.details, session_id: sessionId } });
};
