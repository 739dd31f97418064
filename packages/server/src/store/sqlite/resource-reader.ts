/**
 * Pages of resources with the deltas that their bodies do not hold yet, all of one moment (W9).
 */
import type { DatabaseSync } from 'node:sqlite';
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { ResourcePage, ResourceQuery, ResourceRow } from '../../ports/session-store.ts';
import { openResources, ownDeltas } from '../shared/open-deltas.ts';
import type { Moment } from './moment.ts';
import { loadedOf, logRowOf, resourceOf, selectLoaded } from './session-rows.ts';

export interface ResourceReader {
  pages(sid: number, queries: readonly ResourceQuery[]): ResourcePage | undefined;
  one(sid: number, id: string): ResourceRow | undefined;
  of(sid: number, ids: readonly string[]): readonly ResourceRow[];
}

const columns = 'kind, id, n, last_seq, base_seq, last_at, body';
/** Sorts behind every id that begins with the text before it. */
const afterAll = '\u{10FFFF}';

const pageStatements = (db: DatabaseSync) => {
  const byPlace = `SELECT ${columns} FROM resources INDEXED BY resources_by_place WHERE sid = ? AND kind = ? AND n > ? AND n < ?`;
  const byId = `SELECT ${columns} FROM resources INDEXED BY resources_by_id WHERE sid = ? AND kind = ? AND n > ? AND n < ? AND id >= ? AND id < ?`;
  const ends = { oldest: 'ORDER BY n LIMIT ? OFFSET ?', newest: 'ORDER BY n DESC LIMIT ? OFFSET ?' } as const;
  return {
    place: { oldest: db.prepare(`${byPlace} ${ends.oldest}`), newest: db.prepare(`${byPlace} ${ends.newest}`) },
    prefix: { oldest: db.prepare(`${byId} ${ends.oldest}`), newest: db.prepare(`${byId} ${ends.newest}`) },
  };
};

/** `moment` makes one transaction of several reads. */
export const createResourceReader = (db: DatabaseSync, moment: Moment): ResourceReader => {
  const page = pageStatements(db);
  const on = {
    loaded: db.prepare(`${selectLoaded} WHERE sessions.sid = ?`),
    one: db.prepare(`SELECT ${columns} FROM resources WHERE sid = ? AND id = ?`),
    some: db.prepare(`SELECT ${columns} FROM resources WHERE sid = ? AND id IN (SELECT value FROM json_each(?))`),
    deltas: db.prepare(
      "SELECT sid, seq, turn, type, at, data FROM events WHERE sid = ? AND seq > ? AND seq <= ? AND type IN ('item.delta', 'tool.delta') ORDER BY seq",
    ),
  };

  const rows = (sid: number, query: ResourceQuery): ResourceRow[] => {
    const { kind, limit, newest = false, afterN = 0, beforeN = Number.MAX_SAFE_INTEGER, idPrefix, offset = 0 } = query;
    const end = newest ? 'newest' : 'oldest';
    const found =
      idPrefix === undefined
        ? page.place[end].all(sid, kind, afterN, beforeN, limit, offset)
        : page.prefix[end].all(sid, kind, afterN, beforeN, idPrefix, idPrefix + afterAll, limit, offset);
    const inOrder = newest ? found.reverse() : found;
    return inOrder.map(resourceOf);
  };

  /** One range of the log, from the oldest body that is open. */
  const deltasOf = (sid: number, resources: readonly ResourceRow[], asOf: number): LogRow[] => {
    const open = openResources(resources.filter((row) => row.baseSeq < asOf));
    if (open.length === 0) return [];
    const from = Math.min(...open.map((row) => row.baseSeq));
    return ownDeltas(open, on.deltas.all(sid, from, asOf).map(logRowOf));
  };

  const read = (sid: number, queries: readonly ResourceQuery[]): ResourcePage | undefined => {
    const found = on.loaded.get(sid);
    if (!found) return undefined;
    const { head, row, state } = loadedOf(found);
    const resources = queries.map((query) => rows(sid, query));
    return { asOf: head.seq, head, state, row, resources, deltas: deltasOf(sid, resources.flat(), head.seq) };
  };

  return {
    pages: (sid, queries) => moment(() => read(sid, queries)),
    one: (sid, id) => {
      const row = on.one.get(sid, id);
      return row && resourceOf(row);
    },
    of: (sid, ids) => on.some.all(sid, JSON.stringify(ids)).map(resourceOf),
  };
};
