/**
 * The first tables. Frozen once released: a change is a new migration.
 *
 * Rows of the log are appended in commit order (rowid) and found by the unique (sid, seq); every index costs row rate,
 * so there are as few as the reads need.
 */
import { catalogTablesV1 } from '../../catalog/schema.ts';

export const name = '0001-initial';

export const statements: readonly string[] = [
  `CREATE TABLE heads (sid INTEGER PRIMARY KEY, seq INTEGER NOT NULL, state_seq INTEGER NOT NULL, horizon INTEGER NOT NULL, fence INTEGER NOT NULL,
    node TEXT, wn INTEGER NOT NULL, due INTEGER, owner TEXT NOT NULL, gone INTEGER NOT NULL) STRICT`,
  // Covers the search for what can be claimed; sessions that need no runner are not in it.
  `CREATE INDEX heads_due ON heads (owner, due, node) WHERE due IS NOT NULL`,
  `CREATE TABLE states (sid INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT`,
  `CREATE TABLE sessions (sid INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, root TEXT NOT NULL, path TEXT NOT NULL,
    placement TEXT NOT NULL, config_ref TEXT NOT NULL, title TEXT NOT NULL, metadata TEXT NOT NULL, status TEXT NOT NULL, archived_at INTEGER,
    deleted_at INTEGER, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT`,
  `CREATE INDEX sessions_by_owner ON sessions (owner)`,
  `CREATE INDEX sessions_by_placement ON sessions (placement)`,
  `CREATE TABLE events (sid INTEGER NOT NULL, seq INTEGER NOT NULL, turn INTEGER NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL) STRICT`,
  `CREATE UNIQUE INDEX events_by_seq ON events (sid, seq)`,
  `CREATE TABLE resources (sid INTEGER NOT NULL, kind TEXT NOT NULL, n INTEGER NOT NULL, id TEXT NOT NULL, last_seq INTEGER NOT NULL, base_seq INTEGER NOT NULL,
    last_at INTEGER NOT NULL, body TEXT NOT NULL) STRICT`,
  `CREATE UNIQUE INDEX resources_by_place ON resources (sid, kind, n)`,
  `CREATE UNIQUE INDEX resources_by_id ON resources (sid, id)`,
  `CREATE TABLE payloads (sid INTEGER NOT NULL, n INTEGER NOT NULL, body TEXT NOT NULL) STRICT`,
  `CREATE UNIQUE INDEX payloads_by_n ON payloads (sid, n)`,
  `CREATE TABLE context (sid INTEGER NOT NULL, n INTEGER NOT NULL, body TEXT NOT NULL) STRICT`,
  `CREATE UNIQUE INDEX context_by_n ON context (sid, n)`,
  `CREATE TABLE checkpoints (sid INTEGER NOT NULL, upto INTEGER NOT NULL, id TEXT NOT NULL, turn INTEGER NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL) STRICT`,
  `CREATE INDEX checkpoints_by_session ON checkpoints (sid, upto)`,
  `CREATE TABLE receipts (sid INTEGER NOT NULL, scope TEXT NOT NULL, key TEXT NOT NULL, hash TEXT NOT NULL, answer TEXT NOT NULL, at INTEGER NOT NULL) STRICT`,
  `CREATE UNIQUE INDEX receipts_by_key ON receipts (scope, key)`,
  // A deleted session frees its keys.
  `CREATE INDEX receipts_by_session ON receipts (sid)`,
  `CREATE TABLE quotas (owner TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE nodes (id TEXT PRIMARY KEY, lease_until INTEGER NOT NULL, lost INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE configs (ref TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE pings (one INTEGER PRIMARY KEY CHECK (one = 1), count INTEGER NOT NULL) STRICT`,
  ...catalogTablesV1,
];
