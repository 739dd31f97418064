/**
 * What the store forgets, for both stores alike.
 *
 * RT4 A session's tables are listed here; a test of each store compares the list with the tables that name a session.
 */
import type { RetentionStore } from '../../ports/retention.ts';
import type { CatalogDatabase } from './catalog-database.ts';
import { number } from './columns.ts';
import { forgetKeys } from './minitool-ingress.ts';
import { createAsk } from './statements.ts';

type SessionTable = {
  /** Unique within a session. */
  readonly key: string;
  /** Where the session's number stands. */
  readonly sid: string;
};
const by = (key: string, sid = 'sid'): SessionTable => ({ key, sid });

/** Tables of a session by its number; the session itself goes after them. */
export const sessionTables: Readonly<Record<string, SessionTable>> = {
  events: by('seq'),
  resources: by('id'),
  payloads: by('n'),
  context: by('n'),
  checkpoints: by('id'),
  receipts: by('key'),
  action_approvers: by('n'),
  open_actions: by('n'),
  webhook_deliveries: by('seq'),
  webhook_lanes: by('webhook_id'),
  // Of the session itself: an application's have no number (0), and stay.
  webhooks: by('id', 'subject_sid'),
  schedule_runs: by('id'),
  schedules: by('id'),
  client_tokens: by('id'),
  minitool_marks: by('session_id'),
  minitool_follows: by('sid'),
  retention: by('sid'),
  budget_calls: by('sid'),
  budgets: by('sid'),
  states: by('sid'),
  heads: by('sid'),
  sessions: by('sid'),
};

/** Tables that name a session by its id, and where. Of a link: what was made with a caller's context, and the caller's root. */
export const sessionIdPlaces: readonly { readonly table: string; readonly id: string; readonly key: string }[] = [
  { table: 'minitool_cursors', id: 'session_id', key: 'consumer' },
  { table: 'budget_links', id: 'session_id', key: 'path' },
  { table: 'budget_links', id: 'root', key: 'session_id' },
];

/** Of receipts: not of a session's creation, however it was made, nor of its turns. */
const isForgotten = ['create', 'fork', 'submit'].map((operation) => `scope NOT LIKE '%|${operation}|%'`).join(' AND ');

export const createRetentionStore = (database: CatalogDatabase): RetentionStore => {
  const { all, one, statement, write } = createAsk(database);
  const gone = async (sql: string, ...params: readonly (string | number)[]): Promise<number> => (await write(statement(sql, ...params)))[0]?.length ?? 0;
  return {
    lease: async (name, node, now, until) => {
      const [, rows] = await write(
        statement(`INSERT INTO leases (name, node, lease_until) VALUES (?, '', 0) ON CONFLICT DO NOTHING`, name),
        statement('UPDATE leases SET node = ?, lease_until = ? WHERE name = ? AND (node = ? OR lease_until <= ?) RETURNING name', node, until, name, node, now),
      );
      return (rows?.length ?? 0) > 0;
    },
    candidates: async ({ after, span, now }) => {
      const rows = await all(
        `SELECT h.sid, h.seq, h.horizon, coalesce(r.pruned, 0) AS pruned, coalesce(r.deltas, 0) AS deltas
          FROM heads h JOIN sessions s ON s.sid = h.sid LEFT JOIN retention r ON r.sid = h.sid
          WHERE h.sid > ? AND h.sid <= ? AND s.deleted_at IS NULL AND coalesce(r.next_at, 0) <= ? ORDER BY h.sid`,
        after,
        after + span,
        now,
      );
      return rows.map((row) => ({
        sid: number(row, 'sid'),
        seq: number(row, 'seq'),
        horizon: number(row, 'horizon'),
        pruned: number(row, 'pruned'),
        deltas: number(row, 'deltas'),
      }));
    },
    lastSid: async () => Number((await one('SELECT max(sid) AS last FROM heads'))?.['last'] ?? 0),
    nextSid: async (after) => {
      const row = await one('SELECT sid FROM heads WHERE sid > ? ORDER BY sid LIMIT 1', after);
      return row && number(row, 'sid');
    },
    lastOlder: async (sid, after, upto, before) => {
      // The first that is not older, then the one in front of it: gaps are legal (deltas go earlier).
      const young = await one('SELECT seq FROM events WHERE sid = ? AND seq > ? AND seq <= ? AND at >= ? ORDER BY seq LIMIT 1', sid, after, upto, before);
      const end = young ? number(young, 'seq') - 1 : upto;
      const last = await one('SELECT seq FROM events WHERE sid = ? AND seq > ? AND seq <= ? ORDER BY seq DESC LIMIT 1', sid, after, end);
      return last ? number(last, 'seq') : after;
    },
    owedFloor: async (sid) => {
      const row = await one(
        `SELECT min(l.seq) AS floor FROM webhook_lanes l JOIN webhooks w ON w.id = l.webhook_id WHERE l.sid = ? AND w.status = 'active' AND w.deleted_at IS NULL`,
        sid,
      );
      return row?.['floor'] == null ? undefined : Number(row['floor']);
    },
    raise: async (sid, horizon) => (await gone('UPDATE heads SET horizon = ? WHERE sid = ? AND horizon < ? RETURNING sid', horizon, sid, horizon)) > 0,
    prune: (sid, upto, limit) =>
      gone(
        'DELETE FROM events WHERE sid = ? AND seq IN (SELECT seq FROM events WHERE sid = ? AND seq <= ? ORDER BY seq LIMIT ?) RETURNING seq',
        sid,
        sid,
        upto,
        limit,
      ),
    pruneDeltas: (sid, after, upto, limit) =>
      gone(
        `DELETE FROM events WHERE sid = ? AND seq IN (SELECT seq FROM events WHERE sid = ? AND seq > ? AND seq <= ? AND type IN ('item.delta', 'tool.delta')
          ORDER BY seq LIMIT ?) RETURNING seq`,
        sid,
        sid,
        after,
        upto,
        limit,
      ),
    pruneReceipts: (sid, before, limit) =>
      gone(
        `DELETE FROM receipts WHERE sid = ? AND key IN (SELECT key FROM receipts WHERE sid = ? AND at < ? AND ${isForgotten} LIMIT ?) AND at < ?
          AND ${isForgotten} RETURNING key`,
        sid,
        sid,
        before,
        limit,
        before,
      ),
    pruneAudit: (before, limit) => gone('DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < ? ORDER BY id LIMIT ?) RETURNING id', before, limit),
    forgetHookKeys: (before, limit) => gone(forgetKeys, before, limit),
    looked: async (sid, { pruned, deltas, nextAt }) => {
      await write(
        statement(
          `INSERT INTO retention (sid, pruned, deltas, next_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (sid) DO UPDATE SET pruned = excluded.pruned, deltas = excluded.deltas, next_at = excluded.next_at`,
          sid,
          pruned,
          deltas,
          nextAt,
        ),
      );
    },
    deletedBefore: async (before, limit) => {
      const due = 'SELECT sid, id FROM sessions WHERE deleted_at IS NOT NULL AND deleted_at < ? ORDER BY deleted_at, sid LIMIT ?';
      const below = `SELECT s.sid FROM (${due}) r JOIN sessions s ON s.root = r.id AND s.path <> '' ORDER BY s.sid LIMIT ?`;
      const first = await all(below, before, limit, limit);
      return (first.length > 0 ? first : await all(due, before, limit)).map((row) => number(row, 'sid'));
    },
    purge: async (sid, limit) => {
      for (const { table, id, key } of sessionIdPlaces) {
        const isOf = `${id} = (SELECT id FROM sessions WHERE sid = ?)`;
        const went = await gone(
          `DELETE FROM ${table} WHERE ${isOf} AND ${key} IN (SELECT ${key} FROM ${table} WHERE ${isOf} LIMIT ?) RETURNING ${key}`,
          sid,
          sid,
          limit,
        );
        if (went >= limit) return false;
      }
      for (const [table, { key, sid: place }] of Object.entries(sessionTables)) {
        const went = await gone(
          `DELETE FROM ${table} WHERE ${place} = ? AND ${key} IN (SELECT ${key} FROM ${table} WHERE ${place} = ? LIMIT ?) RETURNING ${key}`,
          sid,
          sid,
          limit,
        );
        if (went >= limit) return false;
      }
      return true;
    },
  };
};
