/**
 * Use cases: history in pages, and the position from which a stream begins.
 */
import { cursorOf, type StreamRef, seqOfCursor, seqOfEventId } from '@turnkeeper/core/protocol/cursors';
import { type Envelope, envelopeOf } from '@turnkeeper/core/protocol/envelope';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { Head } from '../ports/session-store.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { FeedRow } from './feed.ts';
import { findSession, sessionGone } from './find-session.ts';
import type { Session } from './lane.ts';
import { readLogPage } from './log-pages.ts';
import { findTurn, isSettled } from './read-turn.ts';

/** A stream to read: the session's, or one turn's. */
export type Opened = {
  readonly session: Session;
  readonly head: Head;
  readonly stream: StreamRef;
  /** The turn is over: its stream ends. */
  readonly settledTurn: boolean;
  /** Nothing of the stream stands at or before this seq. */
  readonly floor: number;
};

/** Finds a stream: of the session, or of one of its turns. Throws `not_found`. */
export const openStream = async (app: App, caller: Caller, sessionId: string, turnId: string | undefined): Promise<Opened> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const { sid } = session.head;
  // The head as it is in the store: another process may have moved on. It is read before the turn, so that the outcome
  // of a turn that is not settled lies behind it.
  const loaded = await app.sessions.newest(sid);
  if (!loaded || loaded.row.deletedAt !== null) throw sessionGone();
  const { head } = loaded;
  if (turnId === undefined) return { session, head, stream: { kind: 'session', sid }, settledTurn: false, floor: head.horizon };
  const { body, firstSeq } = await findTurn(app, session, turnId);
  const floor = Math.max(head.horizon, firstSeq - 1);
  return { session, head, stream: { kind: 'turn', sid, turn: body.n }, settledTurn: isSettled(body.status), floor };
};

/** The position of one cursor in a stream. Throws `invalid_cursor`, `cursor_ahead` or `cursor_expired`. */
const position = (opened: Opened, cursor: string): number => {
  const seq = seqOfCursor(opened.stream, cursor);
  const snapshot = `/api/v1/agent-sessions/${opened.session.row.id}/snapshot`;
  if (seq === undefined)
    throw new TurnkeeperError('invalid_cursor', 'This is not a cursor of this stream. Take one from its events, or the as_of of its snapshot.', {
      snapshot_url: snapshot,
    });
  if (seq > opened.head.seq) throw new TurnkeeperError('cursor_ahead', 'The cursor lies beyond what is committed.', { snapshot_url: snapshot });
  if (seq < opened.head.horizon)
    throw new TurnkeeperError('cursor_expired', 'What follows this cursor is no longer kept. Read the snapshot and go on from its as_of.', {
      snapshot_url: snapshot,
    });
  return seq;
};

/** Where reading begins: after the newer of the given cursors, after what is there now (`latest`), or at the oldest kept. */
export const startOf = (opened: Opened, after: string | undefined, lastEventId?: string): number => {
  const given = [after === 'latest' ? undefined : after, lastEventId].filter((cursor) => cursor !== undefined && cursor !== '');
  if (given.length === 0) return after === 'latest' ? opened.head.seq : opened.floor;
  return Math.max(...given.map((cursor) => position(opened, cursor ?? '')));
};

export type EventPage = { readonly data: readonly Envelope[]; readonly next_cursor: string; readonly has_more: boolean };

/**
 * One page of a stream's history after a cursor, oldest first: `limit` events, or fewer where they are large (B6).
 * Throws `not_found`, `invalid_cursor`, `cursor_ahead`, `cursor_expired`.
 */
export const readEvents = async (
  app: App,
  caller: Caller,
  sessionId: string,
  turnId: string | undefined,
  query: { readonly after?: string | undefined; readonly limit: number },
): Promise<EventPage> => {
  const opened = await openStream(app, caller, sessionId, turnId);
  const from = startOf(opened, query.after);
  const turn = opened.stream.kind === 'turn' ? { turn: opened.stream.turn } : {};
  const { sid } = opened.head;
  const { rows, full } = await readLogPage(app.sessions.store, { sid, after: from, limit: query.limit + 1, ...turn });
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1)?.seq ?? from;
  // A page that is full by its bytes does not show whether something follows.
  const more = rows.length > shown.length || (full && (await app.sessions.store.events({ sid, after: last, limit: 1, ...turn })).length > 0);
  return {
    data: shown.map((row) => envelopeOf(opened.session.row.id, opened.stream, row)),
    next_cursor: cursorOf(opened.stream, last),
    has_more: more,
  };
};

/** What the stream of a settled turn still has after a position, in pages. */
export async function* restOfTurn(app: App, opened: Opened, after: number): AsyncGenerator<readonly FeedRow[], void, undefined> {
  const { session, head, stream } = opened;
  const turn = stream.kind === 'turn' ? { turn: stream.turn } : {};
  for (let at = after; ; ) {
    const { rows, full } = await readLogPage(app.sessions.store, { sid: head.sid, after: at, ...turn });
    if (rows.length > 0) yield rows.map((row) => new FeedRow(session.row.id, row));
    if (!full) return;
    at = rows.at(-1)?.seq ?? at;
  }
}

export const readEvent = async (app: App, caller: Caller, sessionId: string, eventId: string): Promise<Envelope> => {
  const opened = await openStream(app, caller, sessionId, undefined);
  const seq = seqOfEventId(opened.head.sid, eventId);
  const [row] = seq === undefined ? [] : await app.sessions.store.events({ sid: opened.head.sid, after: seq - 1, upto: seq, limit: 1 });
  if (!row) throw new TurnkeeperError('not_found', 'There is no such event.');
  return envelopeOf(opened.session.row.id, opened.stream, row);
};
