/**
 * The tables of webhooks and of what the store forgets, the same in both stores: their migrations create them from here.
 *
 * `subject_sid` is 0 for an application's subscription, `turn` 0 for all but a turn's. A lane has a row from its
 * registration on; a session that an application made later gets one with its first delivery, from position 0.
 */

/** Understood by SQLite and PostgreSQL alike. */
export const webhookTables: readonly string[] = [
  `CREATE TABLE webhooks (id TEXT PRIMARY KEY, owner TEXT NOT NULL, kind TEXT NOT NULL, subject_sid BIGINT NOT NULL, session_id TEXT, turn BIGINT NOT NULL,
    turn_id TEXT, application_id TEXT, url TEXT NOT NULL, event_types TEXT NOT NULL, secrets TEXT NOT NULL, status TEXT NOT NULL, failures BIGINT NOT NULL,
    failing_sid BIGINT, next_at BIGINT, note TEXT, created_at BIGINT NOT NULL, created_by TEXT NOT NULL, deleted_at BIGINT, key_scope TEXT NOT NULL,
    key_text TEXT NOT NULL, key_hash TEXT NOT NULL)`,
  'CREATE UNIQUE INDEX webhooks_by_key ON webhooks (key_scope, key_text)',
  'CREATE INDEX webhooks_by_session ON webhooks (subject_sid, created_at, id) WHERE subject_sid > 0',
  'CREATE INDEX webhooks_by_application ON webhooks (application_id, created_at, id) WHERE application_id IS NOT NULL',
  'CREATE INDEX webhooks_waiting ON webhooks (next_at) WHERE next_at IS NOT NULL',
  `CREATE TABLE webhook_lanes (webhook_id TEXT NOT NULL, sid BIGINT NOT NULL, seq BIGINT NOT NULL, fence BIGINT NOT NULL, node TEXT,
    lease_until BIGINT NOT NULL, PRIMARY KEY (webhook_id, sid))`,
  'CREATE INDEX webhook_lanes_by_session ON webhook_lanes (sid)',
  'CREATE INDEX webhook_lanes_held ON webhook_lanes (lease_until) WHERE lease_until > 0',
  `CREATE TABLE webhook_deliveries (webhook_id TEXT NOT NULL, sid BIGINT NOT NULL, seq BIGINT NOT NULL, id TEXT NOT NULL, session_id TEXT NOT NULL,
    turn_id TEXT, event_id TEXT NOT NULL, event_type TEXT NOT NULL, status TEXT NOT NULL, attempts BIGINT NOT NULL, response_status BIGINT, error TEXT,
    first_at BIGINT NOT NULL, last_at BIGINT NOT NULL, PRIMARY KEY (webhook_id, sid, seq))`,
  'CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, last_at, id)',
  'CREATE INDEX webhook_deliveries_by_session ON webhook_deliveries (sid)',
];

/** Understood by SQLite and PostgreSQL alike. */
export const retentionTables: readonly string[] = [
  'CREATE TABLE retention (sid BIGINT PRIMARY KEY, pruned BIGINT NOT NULL, deltas BIGINT NOT NULL, next_at BIGINT NOT NULL)',
  'CREATE TABLE leases (name TEXT PRIMARY KEY, node TEXT NOT NULL, lease_until BIGINT NOT NULL)',
  'CREATE INDEX sessions_deleted ON sessions (deleted_at) WHERE deleted_at IS NOT NULL',
];
