/** Folders for tests of the store, removed after each test with the stores that were opened in them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import { openSqliteStore, type SqliteStore } from './open-sqlite-store.ts';

export type TestFolders = { readonly make: () => string; readonly open: (folder: string) => Promise<SqliteStore> };

export const useTestFolders = (): TestFolders => {
  const folders: string[] = [];
  const stores: SqliteStore[] = [];
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  return {
    make: () => {
      const folder = mkdtempSync(join(tmpdir(), 'turnkeeper-'));
      folders.push(folder);
      return folder;
    },
    open: async (folder) => {
      const store = await openSqliteStore({ folder, clock: systemClock });
      stores.push(store);
      return store;
    },
  };
};
