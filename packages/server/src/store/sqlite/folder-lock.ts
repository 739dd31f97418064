/**
 * One process a folder.
 *
 * The lock is a second SQLite file held `BEGIN EXCLUSIVE`: the operating system lets it go with the process, however
 * that ends. The database itself must never be opened by other means: closing such a handle drops SQLite's own locks.
 */
import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { ownerOnly } from './database-file.ts';
import { mediumFault } from './medium-errors.ts';

const busy = 5;

const syncFolder = (folder: string): void => {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** Makes the folder, for its owner only, and makes its name durable. */
export const makeFolder = (folder: string): void => {
  try {
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (made === undefined) return;
    for (let at = resolve(folder); at !== dirname(made); at = dirname(at)) syncFolder(dirname(at));
  } catch (error) {
    throw new TurnkeeperError('storage_unavailable', `The data folder ${folder} cannot be made: ${String(error)}.`, { folder }, { cause: error });
  }
};

/** Takes the folder for this process, or throws `storage_unavailable` saying who is in the way. */
export const lockFolder = (folder: string): { readonly release: () => void } => {
  let lock: DatabaseSync | undefined;
  try {
    const file = join(folder, 'lock.db');
    lock = new DatabaseSync(file, { timeout: 0 });
    ownerOnly(file);
    lock.exec('BEGIN EXCLUSIVE');
    const held = lock;
    return { release: () => held.close() };
  } catch (error) {
    lock?.close();
    const taken = (error as { readonly errcode?: number }).errcode === busy;
    const why = taken ? 'another process uses it' : `it cannot be written to: ${mediumFault(error) ?? String(error)}`;
    throw new TurnkeeperError(
      'storage_unavailable',
      `The data folder ${folder} cannot be used: ${why}.`,
      { folder, reason: taken ? 'in_use' : 'not_writable' },
      { cause: error },
    );
  }
};
