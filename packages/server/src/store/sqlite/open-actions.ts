/**
 * The open actions of many sessions.
 *
 * Each filter is a range or a few of an index, read from its beginning on: what does not fit is never walked over, and what
 * fits no further than to the end of the page.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { ActionFilter, ActionPlace, OpenActionRow, SessionStore } from '../../ports/session-store.ts';
import { type SqliteRow, sessionColumns, sessionOf } from './session-rows.ts';

type Query = Parameters<SessionStore['openActions']>[0];

const beginning: ActionPlace = { openedAt: 0, sid: 0, n: 0 };

const placeOf = (row: SqliteRow): ActionPlace => ({ openedAt: Number(row['opened_at']), sid: Number(row['sid']), n: Number(row['n']) });

const inOrder = (a: ActionPlace, b: ActionPlace): number => a.openedAt - b.openedAt || a.sid - b.sid || a.n - b.n;

/** To be called inside a transaction: places and bodies are of one moment. */
export const createOpenActionsReader = (db: DatabaseSync): ((query: Query) => OpenActionRow[]) => {
  const range = (table: string, filter: string) =>
    db.prepare(`SELECT opened_at, sid, n FROM ${table} WHERE ${filter} AND (opened_at, sid, n) > (?, ?, ?) ORDER BY opened_at, sid, n LIMIT ?`);
  const on = {
    ofOwner: range('open_actions', 'named = 0 AND owner = ? AND kind = ?'),
    ofKind: range('open_actions', 'named = 0 AND kind = ?'),
    naming: range('action_approvers', 'user_id = ?'),
    one: db.prepare(
      `SELECT resources.body AS body, ${sessionColumns} FROM sessions JOIN resources INDEXED BY resources_by_place ON resources.sid = sessions.sid
         WHERE sessions.sid = ? AND resources.kind = 'required_action' AND resources.n = ?`,
    ),
  };

  const places = (filter: ActionFilter, { openedAt, sid, n }: ActionPlace, limit: number): ActionPlace[] => {
    const page = [openedAt, sid, n, limit] as const;
    if ('approver' in filter) return on.naming.all(filter.approver, ...page).map(placeOf);
    const { owner, kinds } = filter;
    return kinds.flatMap((kind) => (owner === undefined ? on.ofKind.all(kind, ...page) : on.ofOwner.all(owner, kind, ...page)).map(placeOf));
  };

  return ({ among, after = beginning, limit }) => {
    const found = new Map<string, ActionPlace>();
    for (const place of among.flatMap((filter) => places(filter, after, limit))) found.set(`${place.sid}.${place.n}`, place);
    const page = [...found.values()].sort(inOrder).slice(0, limit);
    return page.flatMap((place) => {
      const row = on.one.get(place.sid, place.n);
      return row ? [{ ...place, body: String(row['body']), row: sessionOf(row) }] : [];
    });
  };
};
