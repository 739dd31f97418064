/** The tables of teams and workflows, the same in both stores: their migrations create them from here. */

/** Understood by SQLite and PostgreSQL alike. `workflows.revisions`: the number of the newest one, 0 = none. */
export const targetTables: readonly string[] = [
  `CREATE TABLE teams (id TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL, space TEXT NOT NULL, version BIGINT NOT NULL,
    created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
  `CREATE TABLE team_versions (team_id TEXT NOT NULL REFERENCES teams (id), version BIGINT NOT NULL, definition TEXT NOT NULL, created_at BIGINT NOT NULL,
    created_by TEXT NOT NULL, PRIMARY KEY (team_id, version))`,
  `CREATE TABLE workflows (id TEXT PRIMARY KEY, name TEXT NOT NULL, space TEXT NOT NULL, draft_spec TEXT NOT NULL, faults TEXT NOT NULL,
    version BIGINT NOT NULL, revisions BIGINT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
  `CREATE TABLE workflow_revisions (id TEXT PRIMARY KEY, workflow_id TEXT NOT NULL REFERENCES workflows (id), n BIGINT NOT NULL, spec TEXT NOT NULL,
    created_at BIGINT NOT NULL, created_by TEXT NOT NULL)`,
  'CREATE UNIQUE INDEX workflow_revisions_in_order ON workflow_revisions (workflow_id, n)',
];

/** What is compared and sorted, by table: byte by byte, whatever the locale. */
export const targetKeyTexts: Readonly<Record<string, readonly string[]>> = {
  teams: ['id', 'space'],
  team_versions: ['team_id'],
  workflows: ['id', 'space'],
  workflow_revisions: ['id', 'workflow_id'],
};
