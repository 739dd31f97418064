/** What goes on between the statements of a write, where the database lets others in (PostgreSQL). */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { workspaceUse } from '../../ports/file-index.ts';
import type { SqlStatement } from '../catalog/catalog-database.ts';
import { createFileIndex } from '../catalog/files.ts';
import { applySql } from './apply-sql.ts';
import { migrate } from './migrate.ts';

const rows = `INSERT INTO sessions (sid, id, owner, root, path, placement, config_ref, title, metadata, status, created_at, updated_at)
  VALUES (SID, 'ses_SID', 'user:ann', 'ses_SID', '', 'space:default', 'c', '', '{}', 'idle', 1, 1)`;

test('FB10 bytes of a session whose workspace somebody begins to work in while files are dropped are not loose', async () => {
  const db = new DatabaseSync(':memory:');
  migrate(db);
  for (const sid of ['1', '2']) db.exec(rows.replaceAll('SID', sid));
  db.exec(`UPDATE sessions SET deleted_at = 5 WHERE sid = 1`);
  db.exec(`INSERT INTO files (id, session_id, name, media_type, size, sha256, blob, path, source, created_at)
    VALUES ('file_1', 'ses_1', 'a', 'text/plain', 1, 'x', 'ses_1/a', 'a', 'workspace', 1)`);
  const begun = { scope: workspaceUse('ses_1'), key: 'ses_2' };
  const between = (): void => {
    db.prepare(`INSERT INTO receipts (sid, scope, key, hash, answer, at) VALUES (2, ?, ?, '', '{}', 1) ON CONFLICT DO NOTHING`).run(begun.scope, begun.key);
  };
  const read = async (statement: SqlStatement) => applySql(db, [statement])[0] ?? [];
  const write = async (statements: readonly SqlStatement[]) =>
    statements.map((statement, n) => {
      if (n > 0) between();
      return applySql(db, [statement])[0] ?? [];
    });
  const files = createFileIndex({ dialect: 'sqlite', read, write });
  await files.dropDeleted(0);
  expect(await files.fileAt('ses_1', 'a')).toMatchObject({ blob: 'ses_1/a' });
  expect(await files.loose(1, 10)).toEqual([]);
  db.close();
});

test('FB5 bytes of a session that is deleted while files of others are dropped are noted before their file goes', async () => {
  const db = new DatabaseSync(':memory:');
  migrate(db);
  db.exec(`INSERT INTO sessions (sid, id, owner, root, path, placement, config_ref, title, metadata, status, created_at, updated_at)
    VALUES (1, 'ses_1', 'user:ann', 'ses_1', '', 'space:default', 'c', '', '{}', 'idle', 1, 1)`);
  db.exec(`INSERT INTO files (id, session_id, name, media_type, size, sha256, blob, source, created_at)
    VALUES ('file_1', 'ses_1', 'a', 'text/plain', 1, 'x', 'ses_1/a', 'upload', 1)`);
  let between = (): void => db.exec(`UPDATE sessions SET deleted_at = 5`);
  const read = async (statement: SqlStatement) => applySql(db, [statement])[0] ?? [];
  const write = async (statements: readonly SqlStatement[]) =>
    statements.map((statement, n) => {
      if (n > 0) between();
      return applySql(db, [statement])[0] ?? [];
    });
  const files = createFileIndex({ dialect: 'sqlite', read, write });
  await files.dropDeleted(0);
  expect(await files.file('ses_1', 'file_1')).toMatchObject({ blob: 'ses_1/a' });
  between = () => {};
  await files.dropDeleted(0);
  expect(await files.file('ses_1', 'file_1')).toBeUndefined();
  expect(await files.loose(1, 10)).toEqual(['ses_1/a']);
  db.close();
});
