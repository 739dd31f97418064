/**
 * The bytes of files in a backup: a table of its own beside the rows that name them.
 *
 * BF4 What a folder holds goes along: each blob that a file of the backup names. One that is gone by then (its session was
 *     deleted meanwhile) is left out. What is kept in S3-compatible storage stays there.
 * BF5 Bytes are put back before the store that names them has its name: a restore that is broken off leaves no file without
 *     its bytes.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { checkedName } from '../ports/blobs.ts';

/** In the file of a backup alone: no store has it. */
const table = 'blobs';

const hasTable = (db: DatabaseSync, name: string): boolean =>
  db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined;

const bytesIn = (folder: string, blob: string): Uint8Array | undefined => {
  try {
    return readFileSync(join(folder, checkedName(blob)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
};

/** Adds the bytes that the folder has of the backup's files (BF4). */
export const addFileBytes = (db: DatabaseSync, folder: string): void => {
  const names = db
    .prepare('SELECT blob FROM files ORDER BY blob')
    .all()
    .map((row) => String(row['blob']));
  db.exec(`CREATE TABLE ${table} (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT`);
  const put = db.prepare(`INSERT INTO ${table} (name, bytes) VALUES (?, ?)`);
  for (const name of names) {
    const bytes = bytesIn(folder, name);
    if (bytes) put.run(name, bytes);
  }
};

const sync = (path: string): void => {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** Writes the backup's bytes into a folder for files, each whole or not at all (BF5); gives how many there were. */
export const restoreFileBytes = (db: DatabaseSync, folder: string): number => {
  if (!hasTable(db, table)) return 0;
  const made = new Set<string>();
  let count = 0;
  for (const { name, bytes } of db.prepare(`SELECT name, bytes FROM ${table}`).iterate() as Iterable<unknown> as Iterable<{
    name: string;
    bytes: Uint8Array;
  }>) {
    const target = join(folder, checkedName(name));
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    const draft = `${target}.restoring-${process.pid}`;
    writeFileSync(draft, bytes, { mode: 0o600, flush: true });
    renameSync(draft, target);
    made.add(dirname(target));
    count += 1;
  }
  for (const path of made) sync(path);
  if (count > 0) sync(folder);
  return count;
};

/** Takes the bytes out of what is to be a store. */
export const dropFileBytes = (db: DatabaseSync): void => {
  if (!hasTable(db, table)) return;
  db.exec(`DROP TABLE ${table}; VACUUM`);
};
