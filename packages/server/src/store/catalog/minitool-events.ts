/**
 * Events of mini-tools, how far logs were read for them, and how far consumers got (MS3, MS4).
 *
 * An event's number is given by the mini-tool's own row, which stays locked until the event is committed: so numbers have no gap, and
 * whoever reads an event finds all before it that are still kept.
 */
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { ConsumerCursor, FollowedSession, MinitoolEventRow, MinitoolStore, NewMinitoolEvent } from '../../ports/minitools.ts';
import type { SqlRow, SqlStatement } from './catalog-database.ts';
import { number, text } from './columns.ts';
import type { Ask } from './statements.ts';

type Names = 'behind' | 'followed' | 'addEvents' | 'events' | 'oldestEvent' | 'newestEvent' | 'pruneEvents' | 'cursors' | 'moveCursor' | 'dropCursors';

const eventOf = (row: SqlRow): MinitoolEventRow => ({
  sequence: number(row, 'sequence'),
  sessionId: text(row, 'session_id') as SessionId,
  type: text(row, 'type'),
  body: text(row, 'body'),
  at: number(row, 'at'),
});

const prefix = 'minitool:';
const followedOf = (row: SqlRow): FollowedSession => ({
  sid: number(row, 'sid'),
  sessionId: text(row, 'id') as SessionId,
  minitoolId: text(row, 'owner').slice(prefix.length),
  after: number(row, 'place'),
});

const cursorOf = (row: SqlRow): ConsumerCursor => ({
  name: text(row, 'consumer'),
  sessionId: text(row, 'session_id') as SessionId,
  after: number(row, 'place'),
});

const following = 'SELECT s.sid, s.id, s.owner, coalesce(f.place, 0) AS place FROM sessions s LEFT JOIN minitool_follows f ON f.sid = s.sid';

/** A window over an owner's sessions, by an index alone: where it ends. */
const sessionsAhead = 'SELECT max(sid) AS last, count(*) AS n FROM (SELECT sid FROM sessions WHERE owner = ? AND sid > ? ORDER BY sid LIMIT ?) AS ahead';
/** Within the window. */
const findBehind = `${following} JOIN heads h ON h.sid = s.sid
  WHERE s.owner = ? AND s.sid > ? AND s.sid <= ? AND s.root = s.id AND s.deleted_at IS NULL AND h.seq > coalesce(f.place, 0) ORDER BY s.sid`;

export const createMinitoolEvents = ({ all, one, statement, write }: Ask): Pick<MinitoolStore, Names> => {
  const gone = async (sql: string, ...params: readonly (string | number)[]): Promise<number> => (await write(statement(sql, ...params)))[0]?.length ?? 0;
  const numbered = (minitoolId: string, { sessionId, type, body, at }: NewMinitoolEvent, back: number): SqlStatement => ({
    ...statement(
      `INSERT INTO minitool_events (minitool_id, sequence, session_id, type, body, at)
        SELECT id, events - cast(? AS bigint), ?, ?, ?, cast(? AS bigint) FROM minitools WHERE id = ? RETURNING sequence, session_id, type, body, at`,
      back,
      sessionId,
      type,
      body,
      at,
      minitoolId,
    ),
    needs: 2,
  });
  return {
    behind: async (minitoolId, { after, most }) => {
      const owner = prefix + minitoolId;
      const window = await one(sessionsAhead, owner, after, most);
      const last = Number(window?.['last'] ?? after);
      const rows = await all(findBehind, owner, after, last);
      return { sessions: rows.map(followedOf), next: Number(window?.['n'] ?? 0) < most ? undefined : last };
    },
    followed: async (sid) => {
      const row = await one(`${following} WHERE s.sid = ? AND s.owner LIKE '${prefix}%'`, sid);
      return row && followedOf(row);
    },
    addEvents: async ({ sid, minitoolId, after }, to, events) => {
      const [, moved, , ...added] = await write(
        statement('INSERT INTO minitool_follows (sid, place) VALUES (?, 0) ON CONFLICT DO NOTHING', sid),
        statement('UPDATE minitool_follows SET place = ? WHERE sid = ? AND place = ? RETURNING sid', to, sid, after),
        { ...statement('UPDATE minitools SET events = events + cast(? AS bigint) WHERE id = ? RETURNING id', events.length, minitoolId), needs: 1 },
        ...events.map((event, n) => numbered(minitoolId, event, events.length - 1 - n)),
      );
      return (moved?.length ?? 0) > 0 ? added.flat().map(eventOf) : undefined;
    },
    events: async (minitoolId, { sessionId, after, limit }) =>
      (sessionId === undefined
        ? await all('SELECT * FROM minitool_events WHERE minitool_id = ? AND sequence > ? ORDER BY sequence LIMIT ?', minitoolId, after, limit)
        : await all(
            'SELECT * FROM minitool_events WHERE minitool_id = ? AND session_id = ? AND sequence > ? ORDER BY sequence LIMIT ?',
            minitoolId,
            sessionId,
            after,
            limit,
          )
      ).map(eventOf),
    oldestEvent: async (minitoolId) => {
      const row = await one('SELECT sequence FROM minitool_events WHERE minitool_id = ? ORDER BY sequence LIMIT 1', minitoolId);
      return row && number(row, 'sequence');
    },
    newestEvent: async (minitoolId) => {
      const row = await one('SELECT events FROM minitools WHERE id = ?', minitoolId);
      return row ? number(row, 'events') : 0;
    },
    pruneEvents: async (most, before) => {
      let went = 0;
      for (const row of await all('SELECT id, events FROM minitools WHERE events > 0 ORDER BY id')) {
        const id = text(row, 'id');
        // Always the oldest numbers: what is kept has no gap, whatever the times of its events.
        const young = await one('SELECT min(sequence) AS first FROM minitool_events WHERE minitool_id = ? AND at >= ?', id, before);
        const first = Math.max(young?.['first'] == null ? number(row, 'events') + 1 : Number(young['first']), number(row, 'events') - most + 1);
        went += await gone('DELETE FROM minitool_events WHERE minitool_id = ? AND sequence < ? RETURNING sequence', id, first);
      }
      return went;
    },
    cursors: async (minitoolId, consumer) =>
      (await all('SELECT * FROM minitool_cursors WHERE minitool_id = ? AND consumer = ? ORDER BY session_id', minitoolId, consumer)).map(cursorOf),
    moveCursor: async (minitoolId, { name, sessionId, after }) => {
      await write(
        statement(
          `INSERT INTO minitool_cursors (minitool_id, consumer, session_id, place) SELECT id, ?, ?, cast(? AS bigint) FROM minitools WHERE id = ?
            ON CONFLICT (minitool_id, consumer, session_id) DO UPDATE SET place = excluded.place WHERE minitool_cursors.place < excluded.place`,
          name,
          sessionId,
          after,
          minitoolId,
        ),
      );
    },
    dropCursors: async (minitoolId, consumer, upto) => {
      await write(
        statement(`DELETE FROM minitool_cursors WHERE minitool_id = ? AND consumer = ? AND session_id <> '' AND place <= ?`, minitoolId, consumer, upto),
      );
    },
  };
};
