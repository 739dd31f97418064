/**
 * Brings a database to this release's tables.
 *
 * N1 Each migration is applied once, in order, whole or not at all, whatever number of nodes start at the same moment:
 *    they take turns by an advisory lock.
 * N2 A database that a newer release has migrated is refused: this one cannot know what its tables mean.
 * N3 A migration never changes once it was released; a new one is added instead.
 */
import type pg from 'pg';
import { tables } from './migrations/0001-tables.ts';
import { writeFunction } from './migrations/0002-write-function.ts';
import { catalogTables } from './migrations/0003-catalog.ts';

/** `sql` may hold several statements. */
export type Migration = { readonly version: number; readonly name: string; readonly sql: string };

export const migrations: readonly Migration[] = [tables, writeFunction, catalogTables];

/** Any number will do, as long as all releases use the same. */
const migrationLock = 7_480_011_935;

const appliedVersion = async (client: pg.Client): Promise<number> => {
  const result = await client.query<{ version: number }>('select coalesce(max(version), 0) as version from migrations');
  return result.rows[0]?.version ?? 0;
};

const apply = async (client: pg.Client, migration: Migration): Promise<void> => {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query('insert into migrations (version, name) values ($1, $2)', [migration.version, migration.name]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
};

/** `known` is for tests of N2. The client must not be used for anything else meanwhile. */
export const migrate = async (client: pg.Client, known: readonly Migration[] = migrations): Promise<void> => {
  await client.query('select pg_advisory_lock($1)', [migrationLock]);
  try {
    await client.query(
      'create table if not exists migrations (version integer primary key, name text not null, applied_at timestamptz not null default now())',
    );
    const applied = await appliedVersion(client);
    const newest = known.at(-1)?.version ?? 0;
    if (applied > newest) {
      throw new Error(
        `The database is of a newer release (its tables are at version ${applied}, this release knows ${newest}): use that release or a newer one.`,
      );
    }
    for (const migration of known) if (migration.version > applied) await apply(client, migration);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => {});
  }
};
