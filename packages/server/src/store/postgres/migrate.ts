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
import { applications } from './migrations/0004-applications.ts';
import { catalogTables2 } from './migrations/0005-catalog-2.ts';
import { signInLinks } from './migrations/0006-sign-in-links.ts';
import { formatColumns } from './migrations/0007-formats.ts';
import { files } from './migrations/0008-files.ts';
import { webhooks } from './migrations/0009-webhooks.ts';
import { retention } from './migrations/0010-retention.ts';
import { childSessions } from './migrations/0011-child-sessions.ts';
import { budgets } from './migrations/0012-budgets.ts';
import { schedules } from './migrations/0013-schedules.ts';
import { keyTextColumns } from './migrations/0014-key-texts.ts';
import { minitools } from './migrations/0015-minitools.ts';
import { teamsWorkflows } from './migrations/0016-teams-workflows.ts';
import { hostedSessions } from './migrations/0017-hosted-sessions.ts';
import { webhookSendings } from './migrations/0018-webhook-sendings.ts';

/** `sql` may hold several statements. */
export type Migration = { readonly version: number; readonly name: string; readonly sql: string };

export const migrations: readonly Migration[] = [
  tables,
  writeFunction,
  catalogTables,
  applications,
  catalogTables2,
  signInLinks,
  formatColumns,
  files,
  webhooks,
  retention,
  childSessions,
  budgets,
  schedules,
  keyTextColumns,
  minitools,
  teamsWorkflows,
  hostedSessions,
  webhookSendings,
];

/** Any number will do, as long as all releases use the same. */
export const migrationLock = 7_480_011_935;

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

/** Applies what is missing; resolves with the names of what was applied. `known` is for tests of N2. The client must not be used for anything else meanwhile. */
export const migrate = async (client: pg.Client, known: readonly Migration[] = migrations): Promise<readonly string[]> => {
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
    const missing = known.filter(({ version }) => version > applied);
    for (const migration of missing) await apply(client, migration);
    return missing.map(({ name }) => name);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => {});
  }
};
