/**
 * The file of a backup: a database of the embedded store, whichever store it was made from, with a table `backup` that says
 * what it is.
 *
 * BF1 The table is written last, after all rows: a file that was broken off has none, and is never restored.
 * BF2 It tells the number and the hash of the rows of every table, as they are in the file: what was damaged since is
 *     found, also by a later release.
 * BF3 The key for secrets is in the file only if that was asked for.
 */
import { hash } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { createDigester, type Digest, sameDigest } from './digest.ts';
import { inSqliteWords, openToRead } from './folder.ts';
import { refusal } from './refusal.ts';

export type Manifest = {
  readonly format: 1;
  /** Unix milliseconds. */
  readonly madeAt: number;
  readonly from: 'sqlite' | 'postgres';
  /** The last migration of its tables. */
  readonly schema: string;
  readonly tables: Readonly<Record<string, Digest>>;
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const tablesIn = (db: DatabaseSync): readonly string[] =>
  db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%' AND name <> 'backup' ORDER BY name`)
    .all()
    .map((row) => String(row['name']));

/** Of bytes their hash: as JSON they would be many times as long. */
const digestible = (value: unknown): unknown => {
  if (typeof value === 'bigint') return `${value}n`;
  return value instanceof Uint8Array ? hash('sha256', value) : value;
};

/** Of all columns, whatever they mean: a release that does not know them can check it. */
const digestOf = (db: DatabaseSync, name: string): Digest => {
  const select = db.prepare(`SELECT * FROM ${quoted(name)}`);
  select.setReturnArrays(true);
  // Numbers may be larger than JavaScript's.
  select.setReadBigInts(true);
  const digester = createDigester();
  for (const row of select.iterate() as Iterable<unknown> as Iterable<readonly unknown[]>) digester.add(row.map(digestible));
  return digester.digest();
};

const digests = (db: DatabaseSync): Record<string, Digest> => Object.fromEntries(tablesIn(db).map((name) => [name, digestOf(db, name)]));

const soundness = (db: DatabaseSync): readonly string[] =>
  db
    .prepare('PRAGMA integrity_check(3)')
    .all()
    .map((row) => String(Object.values(row)[0]))
    .filter((line) => line !== 'ok');

const schemaOf = (db: DatabaseSync): string => String(db.prepare('SELECT max(name) AS name FROM migrations').get()?.['name']);

/** Checks the copy, and writes what it is into it (BF1). */
export const signBackup = (
  db: DatabaseSync,
  { from, madeAt, secretKey }: { from: Manifest['from']; madeAt: number; secretKey: string | undefined },
): Manifest => {
  const faults = soundness(db);
  if (faults.length > 0) throw refusal('damaged', `The store is damaged, and so is the copy: ${faults.join('; ')}. It was not kept.`);
  const manifest: Manifest = { format: 1, madeAt, from, schema: schemaOf(db), tables: digests(db) };
  db.exec('BEGIN; CREATE TABLE backup (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
  const put = db.prepare('INSERT INTO backup (name, value) VALUES (?, ?)');
  put.run('manifest', JSON.stringify(manifest));
  if (secretKey !== undefined) put.run('secret_key', secretKey);
  db.exec('COMMIT');
  return manifest;
};

export type Backup = { readonly manifest: Manifest; readonly secretKey: string | undefined };

const readSignature = (db: DatabaseSync, file: string): Backup => {
  const there = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'backup'`).get();
  if (!there) throw refusal('damaged', `${file} is not a backup, or one that was broken off.`, { file });
  const values = new Map(
    db
      .prepare('SELECT name, value FROM backup')
      .all()
      .map((row) => [String(row['name']), String(row['value'])]),
  );
  const manifest = JSON.parse(values.get('manifest') ?? '{}') as Manifest | Partial<Manifest>;
  if (manifest.format !== 1) throw refusal('other_release', `${file} is of a newer release: use that one.`, { file });
  return { manifest: manifest as Manifest, secretKey: values.get('secret_key') };
};

/** Reads all of it and throws `damaged` when it is not what was backed up (BF2). */
export const checkBackup = (file: string): Backup => {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw refusal('missing', `There is no file ${file}.`, { file });
  let db: DatabaseSync | undefined;
  try {
    db = openToRead(file);
    const backup = readSignature(db, file);
    const faults = [...soundness(db)];
    const found = digests(db);
    for (const name of new Set([...Object.keys(backup.manifest.tables), ...Object.keys(found)])) {
      const [should, is] = [backup.manifest.tables[name], found[name]];
      if (!should || !is || !sameDigest(should, is)) faults.push(`table ${name}: ${is?.rows ?? 'no'} rows, ${should?.rows ?? 'none'} were written, or others`);
    }
    if (faults.length > 0) throw refusal('damaged', `${file} is damaged and was not used: ${faults.join('; ')}.`, { file });
    return backup;
  } catch (error) {
    if (error instanceof TurnkeeperError) throw error;
    throw refusal('damaged', `${file} cannot be read and was not used: ${inSqliteWords(error)}.`, { file }, error);
  } finally {
    db?.close();
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

/** Makes the bytes of a file durable, then its name. No connection is open on it. */
export const keepAs = (draft: string, file: string): void => {
  sync(draft);
  renameSync(draft, file);
  sync(dirname(resolve(file)));
};

/** Takes away what a draft left, wherever it was to be. The fault that led here is the one to tell. */
export const removeDraft = (draft: string): void => {
  for (const each of [draft, `${draft}-journal`]) {
    try {
      rmSync(each, { force: true });
    } catch {
      // Its folder is none.
    }
  }
};

/**
 * Makes a file under another name, for its owner only, and gives it its own when it is whole. `make` closes what it opens.
 * What goes wrong leaves nothing behind.
 */
export const writeWhole = async <Made>(file: string, make: (draft: string) => Promise<Made>): Promise<Made> => {
  if (statSync(file, { throwIfNoEntry: false })) throw refusal('exists', `${file} is there already: it is not written over. Choose another name.`, { file });
  const draft = `${file}.partial-${process.pid}`;
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    chmodSync(draft, 0o600);
    const made = await make(draft);
    keepAs(draft, file);
    return made;
  } catch (error) {
    removeDraft(draft);
    if (error instanceof TurnkeeperError || !(error instanceof Error) || (error as NodeJS.ErrnoException).code === 'ABORT_ERR') throw error;
    if (isFault(error)) throw refusal('not_writable', `${file} could not be written: ${inSqliteWords(error)}. Nothing of it was kept.`, { file }, error);
    throw error;
  }
};

const isFault = (error: Error): boolean => 'errcode' in error || 'syscall' in error;
