/**
 * The reading half: this thread's own connection, prepared statements.
 *
 * W9 SQLite shows a commit to other connections only after it is synced, and a read of several statements is one
 * transaction. All of it is synchronous, so that no read spans a turn of the event loop and holds up a checkpoint.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import { firstFormat } from '@turnkeeper/core/session/state';
import type { Loaded, Quota, SessionStore } from '../../ports/session-store.ts';
import { checkpointOf, idRange, type StoredCheckpoint } from '../shared/checkpoint-pointer.ts';
import { createItemReader, createNewestReader, listDescendants, listSessions } from './lists.ts';
import { reading } from './medium-errors.ts';
import { createMoment } from './moment.ts';
import { createOpenActionsReader } from './open-actions.ts';
import { createResourceReader } from './resource-reader.ts';
import { latest, loadedOf, logRowOf, receiptOf, selectLoaded } from './session-rows.ts';

export type Reads = Pick<
  SessionStore,
  | 'load'
  | 'loadBySid'
  | 'heads'
  | 'config'
  | 'configs'
  | 'receipt'
  | 'payload'
  | 'context'
  | 'checkpoints'
  | 'checkpoint'
  | 'events'
  | 'resources'
  | 'resource'
  | 'resourcesOf'
  | 'list'
  | 'items'
  | 'newest'
  | 'descendants'
  | 'openActions'
  | 'quota'
  | 'quotas'
  | 'nextDue'
  | 'lowestReads'
  | 'workload'
>;

const noLimit = -1;

/** Reads through `db`, which this thread alone uses. */
export const createReads = (db: DatabaseSync): Reads => {
  // SQLite knows the case of ASCII letters only.
  db.function('folded', { deterministic: true }, (text) => String(text).toLowerCase());
  const on = {
    loadedById: db.prepare(`${selectLoaded} WHERE sessions.id = ?`),
    loadedBySid: db.prepare(`${selectLoaded} WHERE sessions.sid = ?`),
    heads: db.prepare(
      `SELECT heads.sid AS sid, heads.seq AS seq, sessions.deleted_at IS NOT NULL AS deleted
         FROM json_each(?) AS wanted JOIN heads ON heads.sid = wanted.value JOIN sessions ON sessions.sid = heads.sid`,
    ),
    config: db.prepare('SELECT body FROM configs WHERE ref = ?'),
    configs: db.prepare('SELECT ref, body FROM configs WHERE ref IN (SELECT value FROM json_each(?))'),
    receipt: db.prepare('SELECT scope, key, hash, answer, at FROM receipts WHERE scope = ? AND key = ?'),
    payload: db.prepare('SELECT body FROM payloads WHERE sid = ? AND n = ?'),
    context: db.prepare('SELECT n, body FROM context WHERE sid = ? AND n > ? ORDER BY n DESC LIMIT ?'),
    checkpoints: db.prepare(
      `SELECT id, upto, turn, reason, at FROM checkpoints WHERE sid = ?1 AND (?2 IS NULL OR turn = ?2) AND (?3 IS NULL OR (upto, id) < (?3, ?4))
         ORDER BY upto DESC, id DESC LIMIT ?5`,
    ),
    checkpoint: db.prepare(`SELECT id, upto, turn, reason, at FROM checkpoints WHERE sid = ? AND (id = ? OR (id >= ? AND id < ?)) ORDER BY upto DESC LIMIT 1`),
    events: db.prepare('SELECT sid, seq, turn, type, at, data FROM events WHERE sid = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?'),
    eventsOfTurn: db.prepare('SELECT sid, seq, turn, type, at, data FROM events WHERE sid = ? AND seq > ? AND seq <= ? AND turn = ? ORDER BY seq LIMIT ?'),
    quota: db.prepare('SELECT unfinished, running, tokens FROM quotas WHERE owner = ?'),
    workload: db.prepare(
      `SELECT count(*) FILTER (WHERE node IS NULL AND due <= ?) AS queued, count(node) AS running, (SELECT count(*) FROM open_actions) AS waiting
         FROM heads INDEXED BY heads_due WHERE due IS NOT NULL`,
    ),
    // A node that is gone holds nothing.
    nextDue: db.prepare(
      `SELECT min(min(due), ${latest}) AS due FROM heads INDEXED BY heads_due WHERE due IS NOT NULL AND due > ?
         AND (node IS NULL OR node NOT IN (SELECT id FROM nodes WHERE lost = 0)) AND v <= ?`,
    ),
    lowestReads: db.prepare(`SELECT min(reads) AS reads FROM nodes WHERE lost = 0`),
  };
  const moment = createMoment(db);
  const resources = createResourceReader(db, moment);
  const openActions = createOpenActionsReader(db);
  const items = createItemReader(db);
  const newest = createNewestReader(db);
  const loaded = (row: Record<string, unknown> | undefined): Loaded | undefined => row && loadedOf(row);
  const body = (row: Record<string, unknown> | undefined): string | undefined => row?.['body'] as string | undefined;

  return {
    load: async (id) => reading(() => loaded(on.loadedById.get(id))),
    loadBySid: async (sid) => reading(() => loaded(on.loadedBySid.get(sid))),
    heads: async (sids) =>
      reading(() => on.heads.all(JSON.stringify(sids)).map((row) => ({ sid: Number(row['sid']), seq: Number(row['seq']), deleted: row['deleted'] === 1 }))),
    config: async (ref) => reading(() => body(on.config.get(ref))),
    configs: async (refs) => reading(() => new Map(on.configs.all(JSON.stringify(refs)).map((row) => [String(row['ref']), String(row['body'])]))),
    receipt: async (scope, key) =>
      reading(() => {
        const row = on.receipt.get(scope, key);
        return row && receiptOf(row);
      }),
    payload: async (sid, n) => reading(() => body(on.payload.get(sid, n))),
    context: async (sid, last, after = 0) =>
      reading(() =>
        on.context
          .all(sid, after, last ?? noLimit)
          .map((row) => ({ n: Number(row['n']), body: String(row['body']) }))
          .reverse(),
      ),
    checkpoints: async ({ sid, limit, turn, before }) =>
      reading(() =>
        on.checkpoints.all(sid, turn ?? null, before?.at ?? null, before?.id ?? null, limit).map((row) => checkpointOf(row as unknown as StoredCheckpoint)),
      ),
    checkpoint: async (sid, id) =>
      reading(() => {
        const { from, end } = idRange(id);
        const row = on.checkpoint.get(sid, id, from, end);
        return row && checkpointOf(row as unknown as StoredCheckpoint);
      }),
    events: async ({ sid, after, upto = Number.MAX_SAFE_INTEGER, limit, turn, maxBytes = Number.POSITIVE_INFINITY }) =>
      reading(() => {
        const found = turn === undefined ? on.events.iterate(sid, after, upto, limit) : on.eventsOfTurn.iterate(sid, after, upto, turn, limit);
        return filled(found, maxBytes);
      }),
    resources: async (sid, queries) => reading(() => resources.pages(sid, queries)),
    resource: async (sid, id) => reading(() => resources.one(sid, id)),
    resourcesOf: async (sid, ids) => reading(() => resources.of(sid, ids)),
    descendants: async (query) => reading(() => listDescendants(db, query)),
    list: async (query) => reading(() => listSessions(db, query)),
    items: async (query) => reading(() => moment(() => items(query))),
    newest: async (query) => reading(() => moment(() => newest(query))),
    openActions: async (query) => reading(() => moment(() => openActions(query))),
    quota: async (owner) => reading(() => quotaOf(on.quota.get(owner))),
    quotas: async (owners) => reading(() => moment(() => owners.map((owner) => quotaOf(on.quota.get(owner))))),
    workload: async (now) =>
      reading(() => {
        const row = on.workload.get(now);
        return { queued: Number(row?.['queued'] ?? 0), running: Number(row?.['running'] ?? 0), waiting: Number(row?.['waiting'] ?? 0) };
      }),
    nextDue: async (now, reads = firstFormat) => reading(() => (on.nextDue.get(now, reads)?.['due'] as number | null | undefined) ?? null),
    lowestReads: async () => reading(() => Number(on.lowestReads.get()?.['reads'] ?? firstFormat)),
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

const quotaOf = (row: Record<string, unknown> | undefined): Quota => ({
  unfinished: Number(row?.['unfinished'] ?? 0),
  running: Number(row?.['running'] ?? 0),
  tokens: Number(row?.['tokens'] ?? 0),
});
