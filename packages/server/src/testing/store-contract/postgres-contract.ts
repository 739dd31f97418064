/** The contract suite on a private PostgreSQL. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import { openPostgresStore } from '../../store/postgres/open-postgres-store.ts';
import { type PostgresSource, type PrivatePostgres, startPrivatePostgres } from '../private-postgres.ts';
import type { OpenedStore } from './opened-store.ts';
import { describeStoreContract } from './store-contract.ts';

const openOn = async (url: string): Promise<Omit<OpenedStore, 'reopen'>> => {
  const store = await openPostgresStore({ url, clock: systemClock });
  return {
    sessions: store.sessions,
    catalog: store.catalog,
    files: store.files,
    webhooks: store.webhooks,
    retention: store.retention,
    archive: store.archive,
    budgets: store.budgets,
    schedules: store.schedules,
    minitools: store.minitools,
    close: () => store.close(),
  };
};

/** Empties every table, gives back what a new database holds, and counts from the beginning again. */
const emptying = async (client: pg.Client): Promise<string> => {
  const { rows: tables } = await client.query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'");
  const { rows: sequences } = await client.query<{ name: string }>("select sequencename as name from pg_sequences where schemaname = 'public'");
  await client.query('create schema as_new');
  const refill: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await client.query(`create table as_new.${name} as select * from public.${name}`);
    if (rowCount) refill.push(`insert into public.${name} select * from as_new.${name}`);
  }
  return [
    'set session_replication_role = replica',
    ...tables.map(({ name }) => `delete from public.${name}`),
    ...refill,
    ...sequences.map(({ name }) => `alter sequence public.${name} restart`),
  ].join(';');
};

/** Databases as new, one for each store that is open: to empty one takes a tenth of the time that making one takes. */
const createDatabases = (server: PrivatePostgres) => {
  const unused: { readonly url: string; readonly client: pg.Client; readonly empty: string }[] = [];
  const make = async () => {
    const url = await server.freshDatabase();
    await (await openOn(url)).close();
    const client = new pg.Client({ connectionString: url });
    // The server ends before it does.
    client.on('error', () => {});
    await client.connect();
    return { url, client, empty: await emptying(client) };
  };
  return {
    open: async (): Promise<OpenedStore> => {
      const database = unused.pop() ?? (await make());
      await database.client.query(database.empty);
      const openIt = async (): Promise<OpenedStore> => {
        const store = await openOn(database.url);
        return {
          ...store,
          close: async () => {
            await store.close();
            unused.push(database);
          },
          reopen: async () => {
            await store.close();
            return openIt();
          },
        };
      };
      return openIt();
    },
    close: () => Promise.all(unused.map(({ client }) => client.end())),
  };
};

/** `source`: whose PostgreSQL; undefined (there is none) fails. */
export const describePostgresContract = (source: PostgresSource | undefined): void => {
  describe(`PostgreSQL of ${source}`, () => {
    let server: PrivatePostgres;
    let databases: ReturnType<typeof createDatabases>;
    beforeAll(async () => {
      server = await startPrivatePostgres({ durable: false, ...(source ? { source } : {}) });
      databases = createDatabases(server);
    });
    afterAll(async () => {
      await databases?.close();
      await server?.stop();
    });

    it('says which release it is', ({ annotate }) =>
      annotate(execFileSync(join(server.programs, 'postgres'), ['--version'], { encoding: 'utf8' }).trim()).then(() => {}));

    describeStoreContract('postgres', () => databases.open());
  });
};
