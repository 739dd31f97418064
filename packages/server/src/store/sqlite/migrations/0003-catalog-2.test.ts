import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate, migrations } from '../migrate.ts';
import { name } from './0003-catalog-2.ts';

let db: DatabaseSync;
beforeEach(() => {
  db = new DatabaseSync(':memory:');
});
afterEach(() => db.close());

it('what an earlier release wrote is kept: users are active and without a password, spaces that are in use exist', () => {
  migrate(
    db,
    migrations.filter((migration) => migration.name < name),
  );
  db.exec(`INSERT INTO users (id, username, display_name, roles, created_at) VALUES ('user_1', 'ada', 'Ada', '["admin"]', 1)`);
  for (const [id, space] of [
    ['agent_1', 'default'],
    ['agent_2', 'support'],
    ['agent_3', 'support'],
  ] as const)
    db.prepare(`INSERT INTO agents VALUES (?, ?, 'A', '', ?, 1, 1, 1)`).run(id, id, space);
  for (const [id, placement] of [
    ['ses_1', 'space:default'],
    ['ses_2', 'space:lab'],
    ['ses_3', 'space:support'],
    ['ses_4', 'container:tool/list'],
  ] as const)
    db.prepare(
      `INSERT INTO sessions (id, owner, root, path, placement, config_ref, title, metadata, status, created_at, updated_at)
        VALUES (?, 'user:user_1', ?, '', ?, 'c', '', '{}', 'idle', 1, 1)`,
    ).run(id, id, placement);

  migrate(db);

  expect(db.prepare('SELECT status, password_hash FROM users').all()).toEqual([expect.objectContaining({ status: 'active', password_hash: null })]);
  expect(
    db
      .prepare('SELECT id, name FROM spaces ORDER BY id')
      .all()
      .map((row) => ({ ...row })),
  ).toEqual([
    { id: 'default', name: 'Default' },
    { id: 'lab', name: 'lab' },
    { id: 'support', name: 'support' },
  ]);
});
