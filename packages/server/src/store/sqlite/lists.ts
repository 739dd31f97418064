/** The list of sessions, the items in which words are looked for, and the newest resources of many sessions. */
import type { DatabaseSync } from 'node:sqlite';
import type { ItemRow, ListQuery, NewestRow, SessionRow, SessionStore, TimeRange } from '../../ports/session-store.ts';
import { searchWord } from '../shared/search-word.ts';
import { sessionColumns, sessionOf } from './session-rows.ts';

type Filter = { readonly sql: string; readonly params: readonly (string | number)[] };

const oneOf = (column: string, values: readonly string[]): Filter => ({ sql: `${column} IN (${values.map(() => '?').join(', ')})`, params: values });
const either = (first: Filter, second: Filter): Filter => ({ sql: `(${first.sql} OR ${second.sql})`, params: [...first.params, ...second.params] });

/** What mini-tools put into spaces, of these mini-tools or into these spaces, is found with the owner's own. */
const mineOf = ({ owner, minitools, spaces }: NonNullable<ListQuery['mine']>): Filter => {
  const parts: readonly Filter[] = [oneOf('owner', [owner]), oneOf('owner', minitools), oneOf('placement', spaces)];
  const [own, theirs, there] = parts.map(({ sql }) => sql);
  return {
    sql: `(${own} OR (${theirs} AND substr(placement, 1, 6) = 'space:') OR (${there} AND substr(owner, 1, 9) = 'minitool:'))`,
    params: parts.flatMap(({ params }) => params),
  };
};

const byStatus = { active: ['archived_at IS NULL'], archived: ['archived_at IS NOT NULL'], all: [] } as const;

const contains = (q: string): Filter => {
  const { folded, inJson } = searchWord(q);
  return {
    sql: '(instr(folded(title), ?) > 0 OR instr(folded(metadata), ?) > 0 OR instr(folded(id), ?) = 1)',
    params: [folded, inJson, folded],
  };
};

const within = (column: string, { from, before }: TimeRange): Filter[] => [
  ...(from === undefined ? [] : [{ sql: `${column} >= ?`, params: [from] }]),
  ...(before === undefined ? [] : [{ sql: `${column} < ?`, params: [before] }]),
];

const holdsOne = (texts: readonly string[]): Filter => ({ sql: `(${texts.map(() => 'instr(metadata, ?) > 0').join(' OR ')})`, params: texts });

/** Sids are given out in the order of creation. */
const orders = { created: 'sid DESC', updated: 'updated_at DESC, sid DESC' } as const;

/** `folded` is a function of the connection. */
export const listSessions = (db: DatabaseSync, query: ListQuery): SessionRow[] => {
  const { visible, owner, mine, status, placement, q, activity, metadataHolds = [], configHolds, created = {}, updated = {}, order = 'created' } = query;
  const filters: Filter[] = [
    { sql: "deleted_at IS NULL AND path = ''", params: [] },
    ...byStatus[status].map((sql) => ({ sql, params: [] })),
    ...(visible ? [either(oneOf('owner', visible.owners), oneOf('placement', visible.placements))] : []),
    ...(owner === undefined ? [] : [oneOf('owner', [owner])]),
    ...(mine ? [mineOf(mine)] : []),
    ...(placement === undefined ? [] : [oneOf('placement', [placement])]),
    ...(activity === undefined ? [] : [oneOf('status', [activity])]),
    ...within('created_at', created),
    ...within('updated_at', updated),
    ...(configHolds === undefined ? [] : [{ sql: 'config_ref IN (SELECT ref FROM configs WHERE instr(body, ?) > 0)', params: [configHolds] }]),
    ...metadataHolds.map(holdsOne),
    ...(q === undefined ? [] : [contains(q)]),
  ];
  const where = filters.map(({ sql }) => sql).join(' AND ');
  const params = filters.flatMap((filter) => filter.params);
  // Found and put into order first: whole rows are read of the page alone.
  const page = `SELECT sid FROM sessions WHERE ${where} ORDER BY ${orders[order]} LIMIT ? OFFSET ?`;
  return db
    .prepare(`SELECT ${sessionColumns} FROM sessions WHERE sid IN (${page}) ORDER BY ${orders[order]}`)
    .all(...params, query.limit, query.offset)
    .map(sessionOf);
};

/** Below a path stand those that begin with it and a `/`: up to the character after that. */
export const listDescendants = (db: DatabaseSync, { root, under, after = 0, limit }: Parameters<SessionStore['descendants']>[0]): SessionRow[] => {
  const below = under === '' ? '' : ' AND path > ? AND path < ?';
  return db
    .prepare(`SELECT ${sessionColumns} FROM sessions WHERE root = ? AND path <> '' AND deleted_at IS NULL AND sid > ?${below} ORDER BY sid LIMIT ?`)
    .all(root, after, ...(under === '' ? [] : [`${under}/`, `${under}0`]), limit)
    .map(sessionOf);
};

/** What is not taken is not read either. */
export const createItemReader = (db: DatabaseSync): ((query: Parameters<SessionStore['items']>[0]) => ItemRow[]) => {
  const of = db.prepare("SELECT n, body FROM resources INDEXED BY resources_by_place WHERE sid = ? AND kind = 'item' AND n > ? ORDER BY n");
  return ({ sids, afterN = 0, maxBytes }) => {
    const found: ItemRow[] = [];
    let bytes = 0;
    for (const [place, sid] of sids.entries()) {
      for (const row of of.iterate(sid, place === 0 ? afterN : 0)) {
        const body = String(row['body']);
        found.push({ sid, n: Number(row['n']), body });
        bytes += Buffer.byteLength(body);
        if (bytes >= maxBytes) return found;
      }
    }
    return found;
  };
};

/** To be called inside a transaction. */
export const createNewestReader = (db: DatabaseSync): ((query: Parameters<SessionStore['newest']>[0]) => NewestRow[]) => {
  const trees = db.prepare(
    `SELECT sid, id, root, path FROM sessions WHERE deleted_at IS NULL AND path = '' AND id IN (SELECT value FROM json_each(?1))
       UNION ALL SELECT sid, id, root, path FROM sessions INDEXED BY sessions_by_root WHERE deleted_at IS NULL AND path <> '' AND root IN (SELECT value FROM json_each(?1))`,
  );
  const of = db.prepare('SELECT body FROM resources INDEXED BY resources_by_place WHERE sid = ? AND kind = ? ORDER BY n DESC LIMIT ?');
  return ({ roots, kind, each }) =>
    trees
      .all(JSON.stringify(roots))
      .flatMap(({ sid, id, root, path }) =>
        of
          .all(Number(sid), kind, each)
          .map(({ body }) => ({ id: id as NewestRow['id'], root: root as NewestRow['root'], path: String(path), body: String(body) })),
      );
};
