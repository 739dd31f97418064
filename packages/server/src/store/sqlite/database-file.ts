/**
 * The database's files as seen from outside: looked at by name only. To open one by other means than SQLite and close it
 * again would drop SQLite's own locks; `stat` and `chmod` open nothing.
 *
 * DF1 What is written to files that no longer lie under their names is lost to the next start, however durable: so it
 *     is not taken (W1).
 * DF2 The files are for their owner only, also in a folder that others may look into.
 */
import { chmodSync, statSync } from 'node:fs';

/** The files of one database, as long as a connection is open always the same: device and inode by file name. */
export type FileIdentity = Readonly<Record<string, string>>;

/** A batch rests on a look that is at most this old. */
const lookEveryMs = 250;

const nameOf = (file: string): string | undefined => {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.dev}:${stat.ino}`;
};

/** Of the database and of its log; taken while a connection is open, and after the first read or write through it. */
export const identityOf = (file: string): FileIdentity => {
  const found: Record<string, string> = {};
  for (const each of [file, `${file}-wal`, `${file}-shm`]) {
    const name = nameOf(each);
    if (name !== undefined) found[each] = name;
  }
  return found;
};

/** What is wrong with the files, or undefined when each is still the one it was. */
export const movedFault = (identity: FileIdentity): string | undefined => {
  for (const [file, name] of Object.entries(identity)) {
    let now: string | undefined;
    try {
      now = nameOf(file);
    } catch (error) {
      return `the database file cannot be looked at: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (now !== name) return `the database file was removed or replaced: ${file}. Put it back, or restart the server (it goes on with what is there then)`;
  }
  return undefined;
};

export interface FileWatch {
  /** `at_once`: looks now; otherwise the last look may be a moment old. */
  fault(when: 'at_once' | 'lately'): string | undefined;
}

export const watchFiles = (identity: FileIdentity, now: () => number = () => performance.now()): FileWatch => {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return {
    fault: (when) => {
      if (when === 'lately' && now() - lookedAt < lookEveryMs) return undefined;
      const fault = movedFault(identity);
      // After a bad look the next batch looks again: files that were put back are used at once.
      lookedAt = fault === undefined ? now() : Number.NEGATIVE_INFINITY;
      return fault;
    },
  };
};

/** Takes others' rights away (DF2). A file system without modes, or a file of another user's, is used as it is. */
export const ownerOnly = (...files: readonly string[]): void => {
  for (const file of files) {
    try {
      chmodSync(file, 0o600);
    } catch {
      // Nothing that the start should fail for; most often the file is not there yet.
    }
  }
};
