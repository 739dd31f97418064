/**
 * SQLite's errors told apart: those of the medium (disk full, read-only, I/O), after which a retry can succeed (W8),
 * and those of a statement, which are faults of ours.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { storeClosed } from '../shared/store-closed.ts';
import { fileSizeLimit } from './file-size-limit.ts';

/** Primary result codes of https://www.sqlite.org/rescode.html that speak of the medium. */
const mediumCodes: ReadonlyMap<number, string> = new Map([
  [3, 'access denied'],
  [5, 'the database is locked by another process'],
  [6, 'a table is locked'],
  [7, 'out of memory'],
  [8, 'the database is read-only'],
  [10, 'an input/output error'],
  [11, 'the database file is damaged'],
  [13, 'the disk is full'],
  [14, 'the database file cannot be opened'],
  [15, 'a locking protocol error'],
  [22, 'the file is larger than the host supports'],
  [26, 'the file is not a database'],
]);
const writeFailed = 778;
const diskFull = 13;

type SqliteError = Error & { readonly errcode: number };
const isSqliteError = (error: unknown): error is SqliteError => error instanceof Error && typeof (error as Partial<SqliteError>).errcode === 'number';

/** What is wrong with the medium, or undefined when the error is not about it. */
export const mediumFault = (error: unknown): string | undefined => {
  if (!isSqliteError(error)) return undefined;
  const meaning = mediumCodes.get(error.errcode & 0xff);
  if (meaning === undefined) return undefined;
  // SQLite keeps the system's error code (EFBIG) to itself: a limit that is set is most likely the one that was met.
  const limit = error.errcode === writeFailed ? fileSizeLimit() : undefined;
  const likely = limit === undefined ? '' : `, most likely the limit on the size of files (ulimit -f: ${limit} bytes)`;
  return `${meaning}${likely} (SQLite ${error.errcode}: ${error.message})`;
};

/**
 * Whether a COMMIT that failed may have been written all the same. When the frames could not be written the
 * commit mark, which comes last, was not; when they could not be synced a crash may still bring them back.
 */
export const mayHaveCommitted = (error: unknown): boolean => !isSqliteError(error) || (error.errcode !== writeFailed && (error.errcode & 0xff) !== diskFull);

export const storageUnavailable = (fault: string, details: { readonly outcome?: 'unknown' } = {}, cause?: unknown): TurnkeeperError =>
  new TurnkeeperError('storage_unavailable', `The store cannot be used now: ${fault}.`, details, { cause });

const isClosed = (error: unknown): boolean => error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_INVALID_STATE';

/** Runs a read; what the medium does wrong becomes `storage_unavailable`, and a store that was closed says so. */
export const reading = <Result>(read: () => Result): Result => {
  try {
    return read();
  } catch (error) {
    if (isClosed(error)) throw storeClosed(error);
    const fault = mediumFault(error);
    throw fault === undefined ? error : storageUnavailable(fault, {}, error);
  }
};
