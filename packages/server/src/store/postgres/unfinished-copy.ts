/**
 * A database into which a store is being copied, or was copied in part.
 *
 * UC1 No server starts on a copy that is not whole and verified: turns would run on half of what they rest on. The table
 *     is there from before the first row is copied until all were compared.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type pg from 'pg';

/** `copying`: under way, or broken off; `differs`: the comparison found differences. */
export type UnfinishedCopy = { readonly state: 'copying' | 'differs'; readonly source: string };

/** What is known of the copy, or undefined where there is none. */
export const readUnfinishedCopy = async (client: pg.Client): Promise<UnfinishedCopy | undefined> => {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('unfinished_copy') is not null as there`);
  if (rows[0]?.there !== true) return undefined;
  return (await client.query<UnfinishedCopy>('select state, source from unfinished_copy')).rows[0];
};

export const refuseUnfinishedCopy = async (client: pg.Client): Promise<void> => {
  const copy = await readUnfinishedCopy(client);
  if (!copy) return;
  const message =
    copy.state === 'copying'
      ? `The database is a half-made copy of ${copy.source}. Wait until it is done; if it was broken off, give the same command once more with --resume.`
      : `The database is a copy of ${copy.source} that differs from it and cannot be used. Make an empty database, and copy into that one.`;
  throw new TurnkeeperError('storage_unavailable', message, { reason: 'unfinished_copy' });
};
