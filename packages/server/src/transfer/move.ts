/** Moves an embedded store to PostgreSQL: from the folder of a server that was stopped. */
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type Compared, type Counts, compareSides, copyRows, countAll } from './copy.ts';
import { openCopyTarget } from './copy-target.ts';
import { openTakenStore, takeFolder } from './folder.ts';
import type { Side, Watch } from './side.ts';
import { sqliteSide } from './sqlite-side.ts';

export type MoveResult = {
  readonly target: string;
  readonly tables: readonly Compared[];
  /** False: the target is marked, and no server starts on it. */
  readonly same: boolean;
};

export type MoveOptions = Watch & { readonly url: string; readonly resume?: boolean };

/** Changes with every write to a session, and with every row that comes or goes. */
const fingerprintOf = (db: DatabaseSync, counts: Counts): string => {
  const heads = db.prepare('SELECT total(seq) AS seq, total(state_seq) AS state_seq, total(fence) AS fence, total(wn) AS wn FROM heads').get();
  return hash('sha256', JSON.stringify([[...counts], heads]));
};

/** Copies and compares; the database is nobody else's meanwhile. */
export const copyToPostgres = async (db: DatabaseSync, source: Side, { url, resume = false, ...watch }: MoveOptions): Promise<MoveResult> => {
  const counts = await countAll(source);
  const target = await openCopyTarget({ url, source: source.name, fingerprint: fingerprintOf(db, counts), resume });
  try {
    await copyRows(source, target, { ...watch, counts, from: target.from });
    const compared = await compareSides(source, target, { ...watch, counts });
    const same = compared.every((table) => table.same);
    await (same ? target.release() : target.condemn());
    return { target: target.name, tables: compared, same };
  } finally {
    await target.close().catch(() => {});
  }
};

/**
 * The folder is taken for as long as it lasts, and stays as it is. Rejects with `storage_unavailable` (`reason`: `in_use`,
 * `missing`, `not_empty`, `unfinished_copy`, `changed`, `differs`), and with the signal's reason when that is aborted.
 */
export const moveFolder = async (folder: string, options: MoveOptions): Promise<MoveResult> => {
  const lock = takeFolder(folder);
  try {
    const db = openTakenStore(folder);
    try {
      return await copyToPostgres(db, sqliteSide(db, folder), options);
    } finally {
      db.close();
    }
  } finally {
    lock.release();
  }
};
