/** The database that a bench runs on: a given one, or a private PostgreSQL of its own. */
import { startPrivatePostgres } from '@turnkeeper/server/testing/private-postgres';

export type Database = { readonly url: string; readonly stop: () => Promise<void> };

/** `given` is a URL, or `private` for a server that is started and ended here. */
export const openDatabase = async (given: string): Promise<Database> => {
  if (given !== 'private') return { url: given, stop: async () => {} };
  const server = await startPrivatePostgres();
  return { url: await server.freshDatabase(), stop: () => server.stop() };
};
