/**
 * Connections to the database file, with the settings that the promises rest on.
 *
 * `synchronous=FULL` is set by hand: in WAL mode a driver's default may be NORMAL, with which a power cut takes
 * commits back (W1). Checkpoints are made by the checkpoint thread and the writer, never in the middle of a commit.
 */
import { DatabaseSync } from 'node:sqlite';
import { ownerOnly } from './database-file.ts';

export const busyTimeoutMs = 10_000;

export const openWriteConnection = (file: string): DatabaseSync => {
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    // While a new file is empty and before its log is made: SQLite gives `-wal` and `-shm` the database's mode.
    if (file !== ':memory:') ownerOnly(file, `${file}-wal`, `${file}-shm`);
    const mode = db.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'];
    if (mode !== 'wal' && file !== ':memory:')
      throw new Error(`SQLite cannot use a write-ahead log in this folder (journal mode ${String(mode)}): is it on a network file system?`);
    db.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -16000');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

/** For reading only: a statement that would write is refused by SQLite itself. */
export const openReadConnection = (file: string): DatabaseSync => {
  const db = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
  db.exec('PRAGMA cache_size = -16000');
  return db;
};
