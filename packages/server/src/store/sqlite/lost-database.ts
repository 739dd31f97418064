/**
 * A folder whose database was lost: without a word it would begin a new life as an empty store.
 *
 * LD1 An empty or missing database beside what only an earlier life can have left there is refused, and left as it is:
 *     SQLite throws away a log whose database is empty.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';

const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size;

/**
 * What lies there and cannot be of a new folder. Beside a database that is missing altogether the other files prove
 * nothing: a server that keeps its sessions in PostgreSQL leaves them too.
 */
const tracesIn = (folder: string, file: string, missing: boolean): readonly string[] => {
  const kept = missing ? [] : ['cli-token', 'server.json'].filter((name) => sizeOf(join(folder, name)) !== undefined);
  return [...((sizeOf(`${file}-wal`) ?? 0) > 0 ? ['turnkeeper.db-wal'] : []), ...kept];
};

/** Throws `storage_unavailable` for a database that was lost. Called under the folder's lock, before it is opened. */
export const refuseLostDatabase = (folder: string, file: string): void => {
  const size = sizeOf(file);
  if (size !== undefined && size > 0) return;
  const traces = tracesIn(folder, file, size === undefined);
  if (traces.length === 0) return;
  throw new TurnkeeperError(
    'storage_unavailable',
    `The database ${file} is ${size === undefined ? 'missing' : 'empty'}, but ${traces.join(' and ')} beside it ${traces.length > 1 ? 'are' : 'is'} of an earlier life. ` +
      `Restore a backup of the whole folder, or move ${folder} away to begin with an empty store.`,
    { folder, reason: 'lost_database' },
  );
};
