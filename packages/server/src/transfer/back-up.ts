/**
 * Makes a backup, of either store, while servers run.
 *
 * Embedded: `VACUUM INTO` by a connection of this process, which is not the server's. SQLite's locks and its log are made
 * for that: the copy is one moment of the store, and the server goes on. What must not happen is that somebody opens the
 * database's files by other means: here they are opened by SQLite alone. The server could make the copy itself, but would
 * then have to write wherever it is told to, and could not when it is stopped.
 *
 * PostgreSQL: the rows of one snapshot, put into a file of the same kind.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrations as postgresMigrations } from '../store/postgres/migrate.ts';
import { refuseUnfinishedCopy } from '../store/postgres/unfinished-copy.ts';
import { firstClient } from '../store/postgres/unreachable.ts';
import { migrate } from '../store/sqlite/migrate.ts';
import { type Manifest, signBackup, writeWhole } from './backup-file.ts';
import { compareSides, copyRows, countAll } from './copy.ts';
import { databaseName } from './copy-target.ts';
import { addFileBytes } from './file-bytes.ts';
import { databaseIn, inSqliteWords, openToRead, refuseMissing } from './folder.ts';
import { postgresSide } from './postgres-side.ts';
import { refusal } from './refusal.ts';
import type { Watch } from './side.ts';
import { sqliteTarget } from './sqlite-side.ts';

export type BackupOptions = Watch & {
  readonly to: string;
  readonly madeAt: number;
  /** The key that goes into the file (BF3); none unless given. */
  readonly secretKey?: string | undefined;
  /** Where the bytes of files are (BF4); undefined = they are elsewhere, and stay there. */
  readonly filesFolder?: string | undefined;
};

/** Makes the database of a draft by `fill`, signs and closes it. */
const signed = async (draft: string, { madeAt, secretKey, filesFolder }: BackupOptions, from: Manifest['from'], fill?: (db: DatabaseSync) => Promise<void>) => {
  const db = new DatabaseSync(draft);
  try {
    // Not durable yet, and it need not be: the file has its name only after it was synced.
    db.exec('PRAGMA synchronous = OFF');
    await fill?.(db);
    if (filesFolder !== undefined) addFileBytes(db, filesFolder);
    return signBackup(db, { from, madeAt, secretKey });
  } finally {
    db.close();
  }
};

/** The key in a data folder, if there is one. */
export const secretKeyIn = (folder: string): string | undefined => {
  try {
    return readFileSync(join(folder, 'secret.key'), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** SQLite's codes for a file that is not what it should be. */
const isDamage = (error: unknown): boolean => [11, 26].includes(((error as { readonly errcode?: number }).errcode ?? 0) & 0xff);

/** Of the folder of a server that runs, or does not. */
export const backUpFolder = async (folder: string, options: BackupOptions): Promise<Manifest> => {
  refuseMissing(folder);
  return writeWhole(options.to, async (draft) => {
    const db = openToRead(databaseIn(folder));
    try {
      db.prepare('VACUUM INTO ?').run(draft);
    } catch (error) {
      if (!isDamage(error)) throw error;
      throw refusal('damaged', `The store in ${folder} is damaged: ${inSqliteWords(error)}. Nothing was kept.`, { folder }, error);
    } finally {
      db.close();
    }
    return signed(draft, options, 'sqlite');
  });
};

/** Of all that the database holds at one moment. It must have the tables of this release. */
export const backUpDatabase = async (url: string, options: BackupOptions): Promise<Manifest> => {
  const client = await firstClient(url);
  try {
    await client.query(`select set_config('statement_timeout', '0', false), set_config('idle_in_transaction_session_timeout', '0', false)`);
    await client.query('begin isolation level repeatable read read only');
    await refuseUnfinishedCopy(client);
    await refuseOtherRelease(client);
    const source = postgresSide(client, databaseName(client));
    return await writeWhole(options.to, (draft) =>
      signed(draft, options, 'postgres', async (db) => {
        migrate(db);
        // It comes with the source's.
        db.exec(`DELETE FROM spaces`);
        const target = sqliteTarget(db, options.to);
        const counts = await countAll(source);
        await copyRows(source, target, { ...options, counts });
        const compared = await compareSides(source, target, { ...options, counts });
        const wrong = compared.filter(({ same }) => !same).map(({ table }) => table);
        if (wrong.length > 0) throw refusal('differs', `The copy differs from ${source.name} in ${wrong.join(', ')}. It was not kept.`);
      }),
    );
  } finally {
    await client.end().catch(() => {});
  }
};

const refuseOtherRelease = async (client: Awaited<ReturnType<typeof firstClient>>): Promise<void> => {
  const there = (await client.query<{ there: boolean }>(`select to_regclass('migrations') is not null as there`)).rows[0]?.there === true;
  if (!there) throw refusal('missing', `There is no store in ${databaseName(client)}.`);
  const version = (await client.query<{ version: number }>('select max(version) as version from migrations')).rows[0]?.version ?? 0;
  const known = postgresMigrations.at(-1)?.version ?? 0;
  if (version !== known)
    throw refusal(
      'other_release',
      `The tables of ${databaseName(client)} are of ${version > known ? 'a newer' : 'an older'} release: back it up with the release that its servers run.`,
    );
};
