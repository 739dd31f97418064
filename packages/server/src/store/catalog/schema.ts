/**
 * The catalog's tables, the same in both stores: their migrations create them from here.
 *
 * Owns: names and columns. What a released migration uses is frozen: a later change is a new migration in each store.
 * JSON members (roles, definition, scopes, targets, details) are text; times are Unix milliseconds.
 */
export type CatalogTables = {
  agents: { id: string; key: string; display_name: string; description: string; space: string; version: number; created_at: number; updated_at: number };
  agent_versions: { agent_id: string; version: number; definition: string; created_at: number; created_by: string };
  teams: { id: string; name: string; description: string; space: string; version: number; created_at: number; updated_at: number };
  team_versions: { team_id: string; version: number; definition: string; created_at: number; created_by: string };
  workflows: {
    id: string;
    name: string;
    space: string;
    draft_spec: string;
    faults: string;
    version: number;
    revisions: number;
    created_at: number;
    updated_at: number;
  };
  workflow_revisions: { id: string; workflow_id: string; n: number; spec: string; created_at: number; created_by: string };
  users: {
    id: string;
    username: string;
    display_name: string;
    roles: string;
    created_at: number;
    status: string;
    password_hash: string | null;
  };
  tokens: { id: string; user_id: string; name: string; hash: string; created_at: number; expires_at: number | null; last_used_at: number | null };
  spaces: { id: string; name: string; created_at: number };
  space_members: { space_id: string; user_id: string; role: string };
  applications: {
    id: string;
    name: string;
    description: string;
    status: string;
    max_concurrent: number | null;
    token_budget: number | null;
    max_unfinished: number | null;
    owner_id: string;
    version: number;
    created_at: number;
    updated_at: number;
  };
  /** `place`: from 0, in the order in which the members were given. */
  application_members: { application_id: string; user_id: string; roles: string; place: number };
  credentials: {
    id: string;
    application_id: string;
    name: string;
    prefix: string;
    hash: string;
    scopes: string;
    targets: string;
    created_at: number;
    expires_at: number | null;
    last_used_at: number | null;
    revoked_at: number | null;
    rotated_from: string | null;
  };
  secrets: { name: string; ciphertext: string; updated_at: number; updated_by: string };
  sign_in_links: { hash: string; user_id: string; expires_at: number };
  client_tokens: {
    id: string;
    hash: string;
    issuer_hash: string;
    sid: number;
    session_id: string;
    scopes: string;
    created_at: number;
    expires_at: number;
  };
  tool_lists: { key: string; body: string; at: number };
  /** Written with sessions too: each store's own migrations create it. */
  audit: {
    id: string;
    at: number;
    actor: string;
    actor_name: string;
    credential_id: string | null;
    address: string | null;
    action: string;
    subject: string;
    session_id: string | null;
    details: string;
  };
  settings: { name: string; value: string };
  /** Whole in the store of mini-tools; here for who may use them. */
  minitools: { id: string; users: string };
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

/** Understood by SQLite and PostgreSQL alike. */
export const catalogTablesV2: readonly string[] = [
  `ALTER TABLE users ADD COLUMN status TEXT NOT NULL DEFAULT 'active'`,
  `ALTER TABLE users ADD COLUMN password_hash TEXT`,
  `CREATE UNIQUE INDEX users_by_name ON users (lower(username))`,
  `CREATE TABLE spaces (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at BIGINT NOT NULL)`,
  `CREATE TABLE space_members (space_id TEXT NOT NULL REFERENCES spaces (id), user_id TEXT NOT NULL, role TEXT NOT NULL, PRIMARY KEY (space_id, user_id))`,
  `CREATE INDEX space_members_by_user ON space_members (user_id)`,
  `CREATE TABLE applications (id TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL, status TEXT NOT NULL, max_concurrent BIGINT,
    token_budget BIGINT, max_unfinished BIGINT, owner_id TEXT NOT NULL, version BIGINT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
  `CREATE INDEX applications_by_owner ON applications (owner_id)`,
  `CREATE TABLE application_members (application_id TEXT NOT NULL REFERENCES applications (id), user_id TEXT NOT NULL, roles TEXT NOT NULL,
    place BIGINT NOT NULL, PRIMARY KEY (application_id, user_id))`,
  `CREATE INDEX application_members_by_user ON application_members (user_id)`,
  `CREATE TABLE credentials (id TEXT PRIMARY KEY, application_id TEXT NOT NULL REFERENCES applications (id), name TEXT NOT NULL, prefix TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE, scopes TEXT NOT NULL, targets TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT, last_used_at BIGINT,
    revoked_at BIGINT, rotated_from TEXT)`,
  `CREATE INDEX credentials_by_application ON credentials (application_id)`,
  `CREATE TABLE secrets (name TEXT PRIMARY KEY, ciphertext TEXT NOT NULL, updated_at BIGINT NOT NULL, updated_by TEXT NOT NULL)`,
  `CREATE TABLE tool_lists (key TEXT PRIMARY KEY, body TEXT NOT NULL, at BIGINT NOT NULL)`,
];

/** Understood by SQLite and PostgreSQL alike. */
export const catalogTablesV3: readonly string[] = [`CREATE TABLE sign_in_links (hash TEXT PRIMARY KEY, user_id TEXT NOT NULL, expires_at BIGINT NOT NULL)`];

/**
 * The space that is there from the beginning, and those that agents and sessions of earlier releases stand in. `now`
 * is the database's expression for its time in Unix milliseconds.
 */
export const firstSpaces = (now: string): readonly string[] => [
  `INSERT INTO spaces (id, name, created_at) VALUES ('default', 'Default', ${now})`,
  `INSERT INTO spaces (id, name, created_at) SELECT DISTINCT space, space, ${now} FROM agents WHERE space <> '' ON CONFLICT DO NOTHING`,
  `INSERT INTO spaces (id, name, created_at) SELECT DISTINCT substr(placement, 7), substr(placement, 7), ${now} FROM sessions
    WHERE placement LIKE 'space:_%' ON CONFLICT DO NOTHING`,
];
