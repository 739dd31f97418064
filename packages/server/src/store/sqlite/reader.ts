/**
 * The reading half: this thread's own connection, prepared statements.
 *
 * W9 SQLite shows a commit to other connections only after it is synced, and a read of several statements is one
 * transaction. All of it is synchronous, so that no read spans a turn of the event loop and holds up a checkpoint.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { Loaded, SessionRow, SessionStore } from '../../ports/session-store.ts';
import { reading } from './medium-errors.ts';
import { createResourceReader } from './resource-reader.ts';
import { latest, loadedOf, logRowOf, receiptOf, selectLoaded, sessionColumns, sessionOf } from './session-rows.ts';

export type Reads = Pick<
  SessionStore,
  'load' | 'loadBySid' | 'heads' | 'config' | 'receipt' | 'payload' | 'context' | 'events' | 'resources' | 'resource' | 'list' | 'nextDue'
>;

const noLimit = -1;

/** Reads through `db`, which this thread alone uses. */
export const createReads = (db: DatabaseSync): Reads => {
  // SQLite knows the case of ASCII letters only.
  db.function('folded', { deterministic: true }, (title) => String(title).toLowerCase());
  const on = {
    loadedById: db.prepare(`${selectLoaded} WHERE sessions.id = ?`),
    loadedBySid: db.prepare(`${selectLoaded} WHERE sessions.sid = ?`),
    heads: db.prepare(
      `SELECT heads.sid AS sid, heads.seq AS seq, sessions.deleted_at IS NOT NULL AS deleted
         FROM json_each(?) AS wanted JOIN heads ON heads.sid = wanted.value JOIN sessions ON sessions.sid = heads.sid`,
    ),
    config: db.prepare('SELECT body FROM configs WHERE ref = ?'),
    receipt: db.prepare('SELECT scope, key, hash, answer, at FROM receipts WHERE scope = ? AND key = ?'),
    payload: db.prepare('SELECT body FROM payloads WHERE sid = ? AND n = ?'),
    context: db.prepare('SELECT n, body FROM context WHERE sid = ? ORDER BY n DESC LIMIT ?'),
    events: db.prepare('SELECT sid, seq, turn, type, at, data FROM events WHERE sid = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?'),
    eventsOfTurn: db.prepare('SELECT sid, seq, turn, type, at, data FROM events WHERE sid = ? AND seq > ? AND seq <= ? AND turn = ? ORDER BY seq LIMIT ?'),
    // A node that is gone holds nothing.
    nextDue: db.prepare(
      `SELECT min(min(due), ${latest}) AS due FROM heads INDEXED BY heads_due WHERE due IS NOT NULL AND due > ?
         AND (node IS NULL OR node NOT IN (SELECT id FROM nodes WHERE lost = 0))`,
    ),
  };
  const resources = createResourceReader(db);
  const loaded = (row: Record<string, unknown> | undefined): Loaded | undefined => row && loadedOf(row);
  const body = (row: Record<string, unknown> | undefined): string | undefined => row?.['body'] as string | undefined;

  return {
    load: async (id) => reading(() => loaded(on.loadedById.get(id))),
    loadBySid: async (sid) => reading(() => loaded(on.loadedBySid.get(sid))),
    heads: async (sids) =>
      reading(() => on.heads.all(JSON.stringify(sids)).map((row) => ({ sid: Number(row['sid']), seq: Number(row['seq']), deleted: row['deleted'] === 1 }))),
    config: async (ref) => reading(() => body(on.config.get(ref))),
    receipt: async (scope, key) =>
      reading(() => {
        const row = on.receipt.get(scope, key);
        return row && receiptOf(row);
      }),
    payload: async (sid, n) => reading(() => body(on.payload.get(sid, n))),
    context: async (sid, last) =>
      reading(() =>
        on.context
          .all(sid, last ?? noLimit)
          .map((row) => ({ n: Number(row['n']), body: String(row['body']) }))
          .reverse(),
      ),
    events: async ({ sid, after, upto = Number.MAX_SAFE_INTEGER, limit, turn, maxBytes = Number.POSITIVE_INFINITY }) =>
      reading(() => {
        const found = turn === undefined ? on.events.iterate(sid, after, upto, limit) : on.eventsOfTurn.iterate(sid, after, upto, turn, limit);
        return filled(found, maxBytes);
      }),
    resources: async (sid, queries) => reading(() => resources.pages(sid, queries)),
    resource: async (sid, id) => reading(() => resources.one(sid, id)),
    list: async (query) => reading(() => list(db, query)),
    nextDue: async (now) => reading(() => (on.nextDue.get(now)?.['due'] as number | null | undefined) ?? null),
  };
};

/** Rows until their data reaches `maxBytes`; what is not taken is not read either. */
const filled = (rows: Iterable<Record<string, unknown>>, maxBytes: number): LogRow[] => {
  const page: LogRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    const taken = logRowOf(row);
    page.push(taken);
    bytes += Buffer.byteLength(taken.data);
    if (bytes >= maxBytes) break;
  }
  return page;
};

/** Sids are given out in the order of creation. */
const list = (db: DatabaseSync, { owners, status, placement, q, offset, limit }: Parameters<SessionStore['list']>[0]): SessionRow[] => {
  const where = ['deleted_at IS NULL'];
  const params: (string | number)[] = [];
  if (owners) {
    where.push(`owner IN (${owners.map(() => '?').join(', ')})`);
    params.push(...owners);
  }
  switch (status) {
    case 'active':
      where.push('archived_at IS NULL');
      break;
    case 'archived':
      where.push('archived_at IS NOT NULL');
      break;
    case 'all':
  }
  if (placement !== undefined) {
    where.push('placement = ?');
    params.push(placement);
  }
  if (q !== undefined) {
    where.push('instr(folded(title), ?) > 0');
    params.push(q.toLowerCase());
  }
  const sql = `SELECT ${sessionColumns} FROM sessions WHERE ${where.join(' AND ')} ORDER BY sid DESC LIMIT ? OFFSET ?`;
  return db
    .prepare(sql)
    .all(...params, limit, offset)
    .map(sessionOf);
};
