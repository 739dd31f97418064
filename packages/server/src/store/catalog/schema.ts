/**
 * The catalog's tables, the same in both stores: their first migration creates them from here.
 *
 * Owns: names and columns. `catalogTablesV1` is frozen: a later change is a new migration in each store.
 * JSON members (roles, definition) are text; times are Unix milliseconds.
 */
export type CatalogTables = {
  agents: { id: string; key: string; display_name: string; description: string; space: string; version: number; created_at: number; updated_at: number };
  agent_versions: { agent_id: string; version: number; definition: string; created_at: number; created_by: string };
  users: { id: string; username: string; display_name: string; roles: string; created_at: number };
  tokens: { id: string; user_id: string; name: string; hash: string; created_at: number; expires_at: number | null; last_used_at: number | null };
  settings: { name: string; value: string };
};

/** Understood by SQLite and PostgreSQL alike. */
export const catalogTablesV1: readonly string[] = [
  `CREATE TABLE agents (id TEXT PRIMARY KEY, key TEXT NOT NULL UNIQUE, display_name TEXT NOT NULL, description TEXT NOT NULL, space TEXT NOT NULL,
    version BIGINT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
  `CREATE TABLE agent_versions (agent_id TEXT NOT NULL REFERENCES agents (id), version BIGINT NOT NULL, definition TEXT NOT NULL, created_at BIGINT NOT NULL,
    created_by TEXT NOT NULL, PRIMARY KEY (agent_id, version))`,
  `CREATE TABLE users (id TEXT PRIMARY KEY, username TEXT NOT NULL UNIQUE, display_name TEXT NOT NULL, roles TEXT NOT NULL, created_at BIGINT NOT NULL)`,
  `CREATE TABLE tokens (id TEXT PRIMARY KEY, user_id TEXT NOT NULL, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, created_at BIGINT NOT NULL,
    expires_at BIGINT, last_used_at BIGINT)`,
  `CREATE INDEX tokens_by_user ON tokens (user_id)`,
  `CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
];
