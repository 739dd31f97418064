/** The tables of files, the same in both stores: their migrations create them from here, and they are frozen as `schema.ts` says. */

/** Understood by SQLite and PostgreSQL alike. */
export const fileTablesV1: readonly string[] = [
  `CREATE TABLE files (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, name TEXT NOT NULL, media_type TEXT NOT NULL, size BIGINT NOT NULL, sha256 TEXT NOT NULL,
    blob TEXT NOT NULL UNIQUE, path TEXT, source TEXT NOT NULL, key_scope TEXT, key TEXT, key_hash TEXT, created_at BIGINT NOT NULL)`,
  `CREATE INDEX files_by_session ON files (session_id, id)`,
  `CREATE UNIQUE INDEX files_by_path ON files (session_id, path)`,
  `CREATE UNIQUE INDEX files_by_key ON files (key_scope, key)`,
  `CREATE TABLE loose_blobs (blob TEXT PRIMARY KEY, since BIGINT NOT NULL)`,
  `CREATE INDEX loose_blobs_by_age ON loose_blobs (since)`,
];
