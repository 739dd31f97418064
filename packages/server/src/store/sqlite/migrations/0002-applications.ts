/**
 * What applications need: three counters an owner, open actions across sessions, the audit log.
 *
 * Open actions are a table of their own: found in `resources`, each step's rewrite of a body would have to be looked at
 * for an index. It is written only with an action, and holds no content: the body is read from its resource. `named`: it
 * names its approvers, who are a table of their own, so that what waits for somebody is found without all that does not.
 */
export const name = '0002-applications';

export const statements: readonly string[] = [
  'ALTER TABLE quotas RENAME COLUMN count TO unfinished',
  'ALTER TABLE quotas ADD COLUMN running INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE quotas ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0',
  `CREATE TABLE open_actions (sid INTEGER NOT NULL, n INTEGER NOT NULL, owner TEXT NOT NULL, kind TEXT NOT NULL, opened_at INTEGER NOT NULL,
    named INTEGER NOT NULL, PRIMARY KEY (sid, n)) STRICT, WITHOUT ROWID`,
  'CREATE INDEX open_actions_by_owner ON open_actions (owner, kind, opened_at, sid, n) WHERE named = 0',
  'CREATE INDEX open_actions_by_kind ON open_actions (kind, opened_at, sid, n) WHERE named = 0',
  `CREATE TABLE action_approvers (sid INTEGER NOT NULL, n INTEGER NOT NULL, user_id TEXT NOT NULL, opened_at INTEGER NOT NULL,
    PRIMARY KEY (sid, n, user_id), FOREIGN KEY (sid, n) REFERENCES open_actions (sid, n) ON DELETE CASCADE) STRICT, WITHOUT ROWID`,
  'CREATE INDEX action_approvers_by_user ON action_approvers (user_id, opened_at, sid, n)',
  `INSERT INTO open_actions (sid, n, owner, kind, opened_at, named)
    SELECT resources.sid, n, owner, ifnull(json_extract(body, '$.kind'), ''), last_at, json_type(body, '$.approver') = 'array'
      FROM resources JOIN sessions ON sessions.sid = resources.sid
      WHERE resources.kind = 'required_action' AND json_extract(body, '$.status') = 'open' AND deleted_at IS NULL`,
  `INSERT OR IGNORE INTO action_approvers (sid, n, user_id, opened_at)
    SELECT sid, n, value, opened_at FROM open_actions JOIN resources USING (sid, n) JOIN json_each(body, '$.approver')
      WHERE named = 1 AND resources.kind = 'required_action'`,
  `CREATE TABLE audit (id TEXT PRIMARY KEY, at BIGINT NOT NULL, actor TEXT NOT NULL, actor_name TEXT NOT NULL, credential_id TEXT, address TEXT,
    action TEXT NOT NULL, subject TEXT NOT NULL, session_id TEXT, details TEXT NOT NULL)`,
  'CREATE INDEX audit_by_subject ON audit (subject, id)',
  'CREATE INDEX audit_by_session ON audit (session_id, id) WHERE session_id IS NOT NULL',
  'CREATE INDEX audit_by_actor ON audit (actor, id)',
];
