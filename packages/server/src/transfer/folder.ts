/** The folder of an embedded store, from outside: taken for oneself, and opened without a server. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { readMarker } from '../store/shared/server-marker.ts';
import { openWriteConnection } from '../store/sqlite/connection.ts';
import { lockFolder } from '../store/sqlite/folder-lock.ts';
import { mediumFault } from '../store/sqlite/medium-errors.ts';
import { migrate } from '../store/sqlite/migrate.ts';
import { refusal } from './refusal.ts';

export const databaseIn = (folder: string): string => join(folder, 'turnkeeper.db');

/** Takes the folder, as a server does; the error names the server that has it. */
export const takeFolder = (folder: string): { readonly release: () => void } => {
  try {
    return lockFolder(folder);
  } catch (error) {
    if (!(error instanceof TurnkeeperError) || error.details['reason'] !== 'in_use') throw error;
    const marker = readMarker(folder);
    const who = marker ? `a server uses it (by its server.json: pid ${marker.pid}, ${marker.url})` : 'another process uses it';
    throw refusal('in_use', `The data folder ${folder} cannot be used: ${who}. Stop it first.`, { folder, ...marker }, error);
  }
};

/** Throws when there is no database: to open it would make one. */
export const refuseMissing = (folder: string): void => {
  if ((statSync(databaseIn(folder), { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  throw refusal('missing', `There is no store in ${folder}: turnkeeper.db is missing or empty. Name the data folder of a server.`, { folder });
};

/** What SQLite says of a file, in words. */
export const inSqliteWords = (error: unknown): string => mediumFault(error) ?? (error instanceof Error ? error.message : String(error));

/** The store of a folder that is taken, with this release's tables, as a start would have made them. */
export const openTakenStore = (folder: string): DatabaseSync => {
  refuseMissing(folder);
  try {
    const db = openWriteConnection(databaseIn(folder));
    try {
      migrate(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof TurnkeeperError) throw error;
    throw refusal('damaged', `The store in ${folder} cannot be read: ${inSqliteWords(error)}.`, { folder }, error);
  }
};

/** For reading alone. */
export const openToRead = (file: string): DatabaseSync => new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
