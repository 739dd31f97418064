import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../ports/clock.ts';
import type { OpenedStore } from '../../testing/store-contract/opened-store.ts';
import { describeStoreContract } from '../../testing/store-contract/store-contract.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

const openFolder = async (folder: string): Promise<OpenedStore> => {
  const store = await openSqliteStore({ folder, clock: systemClock });
  return {
    ...store,
    reopen: async () => {
      await store.close();
      return openFolder(folder);
    },
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

describeStoreContract('sqlite in a folder', () => openFolder(mkdtempSync(join(tmpdir(), 'turnkeeper-'))));
describeStoreContract('sqlite in memory', () => openSqliteStore({ folder: ':memory:', clock: systemClock }), { outlives: false });
