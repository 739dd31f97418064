/** PostgreSQL passes the suite that every store passes. */
import { afterAll, beforeAll } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../../testing/private-postgres.ts';
import type { OpenedStore } from '../../testing/store-contract/opened-store.ts';
import { describeStoreContract } from '../../testing/store-contract/store-contract.ts';
import { openPostgresStore } from './open-postgres-store.ts';

let server: PrivatePostgres;

beforeAll(async () => {
  server = await startPrivatePostgres();
});
afterAll(() => server?.stop());

const openOn = async (url: string): Promise<OpenedStore> => {
  const store = await openPostgresStore({ url, clock: systemClock });
  return {
    sessions: store.sessions,
    catalog: store.catalog,
    close: () => store.close(),
    reopen: async () => {
      await store.close();
      return openOn(url);
    },
  };
};

describeStoreContract('postgres', async () => openOn(await server.freshDatabase()));
