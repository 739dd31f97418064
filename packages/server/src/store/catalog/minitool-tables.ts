/**
 * The tables of mini-tools, the same in both stores: their migrations create them from here.
 *
 * `minitools.events`: the number of the newest event, whether it is still kept or not. `minitool_follows.place`: how far the log of a
 * session was read. `budget_links`: whose limits hold for a session that was made with a caller's context, beside its own tree's.
 * `minitool_ingress.waiting`: 1 until it was delivered; then only its key is kept. `bytes`: of its headers and body, as they are kept.
 */

/** Understood by SQLite and PostgreSQL alike. */
export const minitoolTables: readonly string[] = [
  `CREATE TABLE minitools (id TEXT PRIMARY KEY, version TEXT NOT NULL, source TEXT NOT NULL, folder TEXT NOT NULL, manifest TEXT NOT NULL,
    status TEXT NOT NULL, reason TEXT, settings TEXT NOT NULL, consent TEXT, users TEXT NOT NULL, container_agents TEXT NOT NULL, events BIGINT NOT NULL,
    installed_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
  `CREATE TABLE minitool_values (minitool_id TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, bytes BIGINT NOT NULL, PRIMARY KEY (minitool_id, name))`,
  `CREATE TABLE minitool_secrets (minitool_id TEXT NOT NULL, name TEXT NOT NULL, ciphertext TEXT NOT NULL, updated_at BIGINT NOT NULL,
    PRIMARY KEY (minitool_id, name))`,
  'CREATE TABLE minitool_follows (sid BIGINT PRIMARY KEY, place BIGINT NOT NULL)',
  `CREATE TABLE minitool_events (minitool_id TEXT NOT NULL, sequence BIGINT NOT NULL, session_id TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL,
    at BIGINT NOT NULL, PRIMARY KEY (minitool_id, sequence))`,
  'CREATE INDEX minitool_events_by_session ON minitool_events (minitool_id, session_id, sequence)',
  'CREATE INDEX minitool_events_by_time ON minitool_events (minitool_id, at)',
  `CREATE TABLE minitool_cursors (minitool_id TEXT NOT NULL, consumer TEXT NOT NULL, session_id TEXT NOT NULL, place BIGINT NOT NULL,
    PRIMARY KEY (minitool_id, consumer, session_id))`,
  'CREATE INDEX minitool_cursors_by_session ON minitool_cursors (session_id)',
  `CREATE TABLE minitool_ingress (id TEXT PRIMARY KEY, minitool_id TEXT NOT NULL, hook TEXT NOT NULL, key_text TEXT NOT NULL, order_key TEXT NOT NULL,
    headers TEXT NOT NULL, body TEXT NOT NULL, received_at BIGINT NOT NULL, attempts BIGINT NOT NULL, not_before BIGINT NOT NULL, waiting BIGINT NOT NULL,
    bytes BIGINT NOT NULL)`,
  'CREATE UNIQUE INDEX minitool_ingress_by_key ON minitool_ingress (minitool_id, hook, key_text)',
  // The lookups of what waits: what stands before a message in its lane; all of a hook in their order, with what they take.
  'CREATE INDEX minitool_ingress_lanes ON minitool_ingress (minitool_id, hook, order_key, received_at, id) WHERE waiting = 1',
  'CREATE INDEX minitool_ingress_waiting ON minitool_ingress (minitool_id, hook, received_at, id, not_before, bytes) WHERE waiting = 1',
  'CREATE INDEX minitool_ingress_done ON minitool_ingress (received_at) WHERE waiting = 0',
  'CREATE TABLE minitool_slots (minitool_id TEXT NOT NULL, schedule TEXT NOT NULL, slot BIGINT NOT NULL, PRIMARY KEY (minitool_id, schedule))',
  `CREATE TABLE minitool_marks (sid BIGINT PRIMARY KEY, session_id TEXT NOT NULL, minitool_id TEXT NOT NULL, container TEXT NOT NULL,
    unread_since BIGINT NOT NULL)`,
  'CREATE INDEX minitool_marks_by_minitool ON minitool_marks (minitool_id)',
  `CREATE TABLE budget_links (session_id TEXT NOT NULL, root TEXT NOT NULL, path TEXT NOT NULL, turn_id TEXT NOT NULL, PRIMARY KEY (session_id, root, path))`,
  'CREATE INDEX budget_links_by_root ON budget_links (root)',
];

/** What of a mini-tool goes with it. */
export const tablesOfMinitool = [
  'minitool_values',
  'minitool_secrets',
  'minitool_events',
  'minitool_cursors',
  'minitool_ingress',
  'minitool_slots',
  'minitool_marks',
] as const;

/** What is compared and sorted, by table: byte by byte, whatever the locale. */
export const minitoolKeyTexts: Readonly<Record<string, readonly string[]>> = {
  minitools: ['id'],
  minitool_values: ['minitool_id', 'name'],
  minitool_secrets: ['minitool_id', 'name'],
  minitool_events: ['minitool_id', 'session_id'],
  minitool_cursors: ['minitool_id', 'consumer', 'session_id'],
  minitool_ingress: ['id', 'minitool_id', 'hook', 'key_text', 'order_key'],
  minitool_slots: ['minitool_id', 'schedule'],
  minitool_marks: ['session_id', 'minitool_id'],
  budget_links: ['session_id', 'root', 'path', 'turn_id'],
};
