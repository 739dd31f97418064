/**
 * Puts a backup back: into a data folder, or into an empty PostgreSQL database.
 *
 * RE1 Nothing is used before the whole file was checked, and nothing is there under its name before it is whole.
 * RE2 Nothing is deleted: what a folder held is moved aside, and only if that was asked for.
 */
import { constants, copyFileSync, existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { ownerOnly } from '../store/sqlite/database-file.ts';
import { makeFolder } from '../store/sqlite/folder-lock.ts';
import { migrations } from '../store/sqlite/migrate.ts';
import { type Backup, checkBackup, keepAs, type Manifest, removeDraft } from './backup-file.ts';
import { dropFileBytes, restoreFileBytes } from './file-bytes.ts';
import { databaseIn, inSqliteWords, openToRead, takeFolder } from './folder.ts';
import { copyToPostgres, type MoveOptions, type MoveResult } from './move.ts';
import { refusal } from './refusal.ts';
import { sqliteSide } from './sqlite-side.ts';

export type Restored = {
  readonly manifest: Manifest;
  /** Where what the folder held has gone. */
  readonly movedTo?: string;
  /** The key for secrets was in the file, and is in the folder now. */
  readonly secretKey: 'restored' | 'kept' | 'none';
};

/** Of the store that was there: the lock stays, and so does what a person wrote (`turnkeeper.config.json`). */
const belongings = ['turnkeeper.db', 'turnkeeper.db-wal', 'turnkeeper.db-shm', 'server.json', 'cli-token', 'files'];
const store = belongings.slice(0, 2);

const inFolder = (folder: string, names: readonly string[]): readonly string[] => names.filter((name) => existsSync(join(folder, name)));

/** What is in the way. A key is, if another one is to be put in its place. */
const occupied = (folder: string, { secretKey }: Backup): readonly string[] => inFolder(folder, secretKey === undefined ? store : [...store, 'secret.key']);

const moveAside = (folder: string, backup: Backup, now: number): string => {
  const aside = join(folder, `replaced-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`);
  mkdirSync(aside, { mode: 0o700 });
  const moved = inFolder(folder, backup.secretKey === undefined ? belongings : [...belongings, 'secret.key']);
  for (const name of moved) renameSync(join(folder, name), join(aside, name));
  return aside;
};

/** A copy of the file beside its place, checked, without what only a backup has. */
const drafted = (file: string, draft: string): Backup => {
  try {
    copyFileSync(file, draft, constants.COPYFILE_EXCL);
    ownerOnly(draft);
    const backup = checkBackup(draft);
    const db = new DatabaseSync(draft);
    try {
      // A key must not stay behind in pages that are free.
      db.exec('PRAGMA secure_delete = ON; PRAGMA synchronous = OFF; DROP TABLE backup');
    } finally {
      db.close();
    }
    return backup;
  } catch (error) {
    removeDraft(draft);
    if (error instanceof TurnkeeperError) throw error;
    throw refusal('not_writable', `${file} could not be copied to ${draft}: ${inSqliteWords(error)}. Nothing was changed.`, { file }, error);
  }
};

/** The bytes go first (BF5). */
const unpackFiles = (draft: string, folder: string): void => {
  const db = new DatabaseSync(draft);
  try {
    restoreFileBytes(db, folder);
    db.exec('PRAGMA synchronous = OFF');
    dropFileBytes(db);
  } finally {
    db.close();
  }
};

/** `filesFolder`: where the bytes of files are to be; by default in the data folder. */
export type RestoreOptions = { readonly force?: boolean; readonly now: number; readonly filesFolder?: string | undefined };

/** Rejects with `storage_unavailable` (`reason`: `in_use`, `not_empty`, `damaged`, `missing`, `not_writable`); nothing is changed then. */
export const restoreFolder = (file: string, folder: string, { force = false, now, filesFolder = join(folder, 'files') }: RestoreOptions): Restored => {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw refusal('missing', `There is no file ${file}.`, { file });
  makeFolder(folder);
  const lock = takeFolder(folder);
  try {
    if (!force) refuseOccupied(folder, inFolder(folder, store));
    const draft = `${databaseIn(folder)}.restoring-${process.pid}`;
    const backup = drafted(file, draft);
    const found = occupied(folder, backup);
    try {
      if (!force) refuseOccupied(folder, found);
      const aside = found.length > 0 ? { movedTo: moveAside(folder, backup, now) } : {};
      if (backup.secretKey !== undefined) writeFileSync(join(folder, 'secret.key'), `${backup.secretKey}\n`, { mode: 0o600, flush: true });
      unpackFiles(draft, filesFolder);
      keepAs(draft, databaseIn(folder));
      const key = backup.secretKey !== undefined ? 'restored' : existsSync(join(folder, 'secret.key')) ? 'kept' : 'none';
      return { manifest: backup.manifest, secretKey: key, ...aside };
    } finally {
      removeDraft(draft);
    }
  } finally {
    lock.release();
  }
};

const refuseOccupied = (folder: string, found: readonly string[]): void => {
  if (found.length === 0) return;
  throw refusal('not_empty', `The data folder ${folder} is not empty: it has ${found.join(', ')}. With --force it is moved aside; nothing is deleted.`, {
    folder,
    found,
  });
};

/** As a move from a folder; the file must have the tables of this release. */
export const restoreDatabase = async (
  file: string,
  { filesFolder, ...options }: MoveOptions & { readonly filesFolder?: string | undefined },
): Promise<MoveResult & { readonly manifest: Manifest }> => {
  const { manifest } = checkBackup(file);
  const newest = migrations.at(-1)?.name;
  if (manifest.schema !== newest)
    throw refusal(
      'other_release',
      `${file} was made by another release. Restore it into a folder first, then move that: turnkeeper restore --from … --data …, turnkeeper migrate --from … --to ….`,
      { file },
    );
  const db = openToRead(file);
  try {
    if (filesFolder !== undefined) restoreFileBytes(db, filesFolder);
    return { ...(await copyToPostgres(db, sqliteSide(db, file), options)), manifest };
  } finally {
    db.close();
  }
};
