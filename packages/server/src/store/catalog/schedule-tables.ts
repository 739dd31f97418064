/**
 * The tables of schedules and of clients' tokens, the same in both stores: their migrations create them from here.
 *
 * `next_at`: the slot that is owed next; NULL = none, because the schedule is off, over or deleted.
 */

/** Understood by SQLite and PostgreSQL alike. */
export const scheduleTables: readonly string[] = [
  `CREATE TABLE schedules (id TEXT PRIMARY KEY, sid BIGINT NOT NULL, session_id TEXT NOT NULL, input TEXT NOT NULL, cron TEXT, timezone TEXT NOT NULL,
    once_at BIGINT, on_missed TEXT NOT NULL, enabled BIGINT NOT NULL, next_at BIGINT, lease_until BIGINT NOT NULL, version BIGINT NOT NULL,
    created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, created_by TEXT NOT NULL, deleted_at BIGINT, key_scope TEXT NOT NULL, key_text TEXT NOT NULL,
    key_hash TEXT NOT NULL)`,
  'CREATE UNIQUE INDEX schedules_by_key ON schedules (key_scope, key_text)',
  'CREATE INDEX schedules_by_session ON schedules (sid, created_at, id)',
  'CREATE INDEX schedules_due ON schedules (next_at) WHERE next_at IS NOT NULL',
  `CREATE TABLE schedule_runs (id TEXT PRIMARY KEY, schedule_id TEXT NOT NULL, sid BIGINT NOT NULL, slot BIGINT NOT NULL, slot_until BIGINT,
    asked_by TEXT NOT NULL, outcome TEXT NOT NULL, code TEXT, turn_id TEXT, at BIGINT NOT NULL)`,
  'CREATE INDEX schedule_runs_newest ON schedule_runs (schedule_id, at, id)',
  'CREATE INDEX schedule_runs_by_session ON schedule_runs (sid, id)',
];

/** Understood by SQLite and PostgreSQL alike. `issuer_hash`: of the token or key that it was made with, and ends with. */
export const clientTokenTables: readonly string[] = [
  `CREATE TABLE client_tokens (id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, issuer_hash TEXT NOT NULL, sid BIGINT NOT NULL, session_id TEXT NOT NULL,
    scopes TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)`,
  'CREATE INDEX client_tokens_by_session ON client_tokens (sid, id)',
  'CREATE INDEX client_tokens_by_expiry ON client_tokens (expires_at)',
];
