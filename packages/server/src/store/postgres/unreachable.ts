/** A database that cannot be reached at the start: names where it was looked for, and why that failed; no password. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import pg from 'pg';
import { clientConfig } from './connection-settings.ts';

/** A name with several addresses fails with an error for each, and without a message of its own. */
const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
};

const badUrl = (): TurnkeeperError =>
  // The parser's error carries the URL with its password: it is not passed on.
  new TurnkeeperError('storage_unavailable', 'The URL of the database cannot be read. Wanted: postgres://user:password@host:port/database.');

/** A client that has connected. */
export const firstClient = async (url: string): Promise<pg.Client> => {
  let client: pg.Client;
  try {
    // Other nodes may be migrating a large database: their end is waited for.
    client = new pg.Client(clientConfig(url, 'migrate', 0));
  } catch {
    throw badUrl();
  }
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.end().catch(() => {});
    const { host, port } = client;
    throw new TurnkeeperError('storage_unavailable', `PostgreSQL at ${host}:${port} cannot be used: ${messageOf(error)}.`, { host, port }, { cause: error });
  }
};
