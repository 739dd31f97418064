/** The writer's prepared statements. */
import type { DatabaseSync } from 'node:sqlite';
import { headColumns, selectLoaded } from './session-rows.ts';

export const writeStatements = (db: DatabaseSync) => ({
  head: db.prepare(`SELECT ${headColumns}, heads.gone FROM heads WHERE sid = ?`),
  loaded: db.prepare(`${selectLoaded} WHERE sessions.sid = ?`),
  sidOf: db.prepare('SELECT sid FROM sessions WHERE id = ?'),
  // Columns of an index are written only when they move: the others are written with each batch of deltas.
  moveHead: db.prepare('UPDATE heads SET seq = ?, state_seq = ?, fence = ?, wn = ? WHERE sid = ?'),
  placeHead: db.prepare('UPDATE heads SET due = ?, node = ?, gone = ? WHERE sid = ?'),
  insertHead: db.prepare('INSERT INTO heads (sid, seq, state_seq, horizon, fence, node, wn, due, owner, gone) VALUES (?, 0, 0, 0, 0, NULL, 0, NULL, ?, 0)'),
  raiseFormat: db.prepare('UPDATE heads SET v = ? WHERE sid = ? AND v < ?'),
  insertSession: db.prepare(
    `INSERT INTO sessions (id, owner, root, path, placement, config_ref, title, metadata, status, archived_at, deleted_at, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  session: db.prepare('SELECT title, metadata, status, archived_at, deleted_at, updated_at FROM sessions WHERE sid = ?'),
  updateSession: db.prepare('UPDATE sessions SET title = ?, metadata = ?, status = ?, archived_at = ?, deleted_at = ?, updated_at = ? WHERE sid = ?'),
  insertConfig: db.prepare('INSERT INTO configs (ref, body) VALUES (?, ?) ON CONFLICT DO NOTHING'),
  putState: db.prepare('INSERT INTO states (sid, body) VALUES (?, ?) ON CONFLICT (sid) DO UPDATE SET body = excluded.body'),
  insertEvent: db.prepare('INSERT INTO events (sid, seq, turn, type, at, data) VALUES (?, ?, ?, ?, ?, ?)'),
  putResource: db.prepare(
    `INSERT INTO resources (sid, kind, n, id, last_seq, base_seq, last_at, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (sid, id) DO UPDATE SET last_seq = excluded.last_seq, base_seq = excluded.base_seq, last_at = excluded.last_at, body = excluded.body`,
  ),
  insertContext: db.prepare('INSERT INTO context (sid, n, body) VALUES (?, ?, ?)'),
  putPayload: db.prepare('INSERT INTO payloads (sid, n, body) VALUES (?, ?, ?) ON CONFLICT (sid, n) DO UPDATE SET body = excluded.body'),
  insertCheckpoint: db.prepare('INSERT INTO checkpoints (sid, upto, id, turn, reason, at) VALUES (?, ?, ?, ?, ?, ?)'),
  receipt: db.prepare('SELECT scope, key, hash, answer, at FROM receipts WHERE scope = ? AND key = ?'),
  insertReceipt: db.prepare('INSERT INTO receipts (sid, scope, key, hash, answer, at) VALUES (?, ?, ?, ?, ?, ?)'),
  freeReceipts: db.prepare('DELETE FROM receipts WHERE sid = ?'),
  quota: db.prepare('SELECT unfinished, running FROM quotas WHERE owner = ?'),
  moveQuota: db.prepare(
    `INSERT INTO quotas (owner, unfinished, running, tokens) VALUES (?, ?, ?, ?) ON CONFLICT (owner) DO UPDATE SET
       unfinished = unfinished + excluded.unfinished, running = running + excluded.running, tokens = tokens + excluded.tokens`,
  ),
  openAction: db.prepare(
    `INSERT INTO open_actions (sid, n, owner, kind, opened_at, named) SELECT sid, n, (SELECT owner FROM heads WHERE heads.sid = resources.sid), ?, last_at, ?
       FROM resources WHERE sid = ? AND id = ? ON CONFLICT DO NOTHING`,
  ),
  nameApprover: db.prepare(
    `INSERT INTO action_approvers (sid, n, user_id, opened_at) SELECT sid, n, ?, opened_at FROM open_actions
       WHERE sid = ? AND n = (SELECT n FROM resources WHERE sid = ? AND id = ?) ON CONFLICT DO NOTHING`,
  ),
  // Who was named goes along.
  closeAction: db.prepare('DELETE FROM open_actions WHERE sid = ? AND n = (SELECT n FROM resources WHERE sid = ? AND id = ?)'),
  closeActions: db.prepare('DELETE FROM open_actions WHERE sid = ?'),
  insertAudit: db.prepare(
    `INSERT INTO audit (id, at, actor, actor_name, credential_id, address, action, subject, session_id, details) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  // Reads the index alone: owner by owner, of an owner the one that is due first.
  nextClaim: db.prepare(
    `SELECT sid, owner, node FROM heads INDEXED BY heads_due WHERE due IS NOT NULL AND owner > ? AND due <= ?
       AND (node IS NULL OR (node <> ? AND node NOT IN (SELECT id FROM nodes WHERE lost = 0)))
       AND (due > 0 OR node IS NOT NULL OR owner NOT IN (SELECT value FROM json_each(?))
         OR EXISTS (SELECT 1 FROM sessions WHERE sessions.sid = heads.sid AND path <> '')) AND v <= ?
       AND (? = 0 OR NOT (owner LIKE 'minitool:%' OR EXISTS (SELECT 1 FROM sessions JOIN configs ON configs.ref = sessions.config_ref
         WHERE sessions.sid = heads.sid AND instr(configs.body, '"type":"minitool"') > 0))) ORDER BY owner, due LIMIT 1`,
  ),
  claim: db.prepare('UPDATE heads SET fence = fence + 1, wn = 0, node = ? WHERE sid = ?'),
  loseNodes: db.prepare('UPDATE nodes SET lost = 1 WHERE lost = 0 AND lease_until < ? AND id <> ?'),
  node: db.prepare('SELECT lost FROM nodes WHERE id = ?'),
  renewNode: db.prepare(
    'INSERT INTO nodes (id, lease_until, lost, reads) VALUES (?, ?, 0, ?) ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until, reads = excluded.reads',
  ),
  deleteNode: db.prepare('DELETE FROM nodes WHERE id = ?'),
  forgetNodes: db.prepare('DELETE FROM nodes'),
  // Under another name, so that a node that starts again under its old one does not seem to hold them still.
  orphanAll: db.prepare("UPDATE heads SET node = 'lost:' || node WHERE node IS NOT NULL AND node NOT LIKE 'lost:%'"),
  dropAll: db.prepare('UPDATE heads SET node = ? || node WHERE node = ?'),
  ping: db.prepare('INSERT INTO pings (one, count) VALUES (1, 1) ON CONFLICT (one) DO UPDATE SET count = count + 1'),
});

export type WriteStatements = ReturnType<typeof writeStatements>;
