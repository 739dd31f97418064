/**
 * A PostgreSQL database that becomes a copy.
 *
 * MV4 It was empty, or an earlier attempt of the same copy had begun it. It is marked before the first row is put, and the
 *     mark goes with the last comparison (UC1): nobody ever uses a part of a store for the whole.
 * MV5 How far a table is stands in the mark, written with each page: going on repeats no row and misses none. What was
 *     copied before must not have changed since, which the source's totals tell.
 */
import type pg from 'pg';
import { migrate, migrationLock } from '../store/postgres/migrate.ts';
import { readUnfinishedCopy } from '../store/postgres/unfinished-copy.ts';
import { firstClient } from '../store/postgres/unreachable.ts';
import { postgresTarget } from './postgres-side.ts';
import { refusal } from './refusal.ts';
import type { Target } from './side.ts';
import { type Row, tables } from './tables.ts';

export type CopyTarget = Target & {
  /** Where an earlier attempt had come to. */
  readonly from: ReadonlyMap<string, Row>;
  /** The copy is whole: servers may start. */
  readonly release: () => Promise<void>;
  /** The copy is not to be used. */
  readonly condemn: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type CopyTargetOptions = {
  readonly url: string;
  readonly source: string;
  /** What the source amounts to; another one means that it was used since. */
  readonly fingerprint: string;
  readonly resume: boolean;
};

/** Any number, as long as all who copy use the same; not that of the migrations. */
const copyLock = 7_480_011_936;

export const databaseName = (client: pg.Client): string => `postgres://${client.host}:${client.port}/${client.database ?? ''}`;

const ask = async <Answer extends object>(client: pg.Client, text: string, values: unknown[] = []): Promise<readonly Answer[]> =>
  (await client.query<Answer & pg.QueryResultRow>(text, values)).rows;

/** Tables of the database that are none of ours: most likely it is meant for something else. */
const strangers = async (client: pg.Client): Promise<readonly string[]> => {
  const rows = await ask<{ name: string }>(
    client,
    `select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`,
  );
  const found = rows.map(({ name }) => name);
  return found.includes('migrations') && found.includes('heads') ? [] : found;
};

/** What is in it, in words; the space that every database has from the beginning does not count. */
const contents = async (client: pg.Client): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await ask<{ n: number }>(client, `select count(*) as n from ${name} ${name === 'spaces' ? `where id <> 'default'` : ''}`);
    if (row && row.n > 0) found.push(`${name} (${row.n})`);
  }
  return found;
};

const refuseUsed = async (client: pg.Client, found: readonly string[]): Promise<void> => {
  if (found.length > 0)
    throw refusal('not_empty', `The database ${databaseName(client)} is not empty: it has ${found.join(', ')}. Make an empty one, and copy into that.`, {
      found,
    });
  const users = await ask<{ name: string }>(
    client,
    `select distinct application_name as name from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name like 'turnkeeper %'`,
  );
  if (users.length > 0) throw refusal('in_use', `A server uses the database ${databaseName(client)}. Stop it first.`);
};

type Progress = Readonly<Record<string, Row>>;
/** `progress` as JSON text: a key may hold what PostgreSQL's own JSON cannot. */
type Mark = { readonly fingerprint: string; readonly progress: string };

const goOn = async (client: pg.Client, { resume, fingerprint, source }: CopyTargetOptions, before: 'copying' | 'differs'): Promise<Mark> => {
  const again = 'Make an empty database, and copy into that one.';
  if (before === 'differs') throw refusal('differs', `The database ${databaseName(client)} holds a copy that differs from its source. ${again}`);
  if (!resume) throw refusal('unfinished_copy', `An earlier copy into ${databaseName(client)} was broken off. Go on with --resume, or use an empty database.`);
  const [mark] = await ask<Mark>(client, 'select fingerprint, progress from unfinished_copy');
  if (mark?.fingerprint !== fingerprint)
    throw refusal('changed', `${source} is not what it was when the copy into ${databaseName(client)} began: it was used since, or is another one. ${again}`);
  return mark;
};

const begin = async (client: pg.Client, { source, fingerprint }: CopyTargetOptions): Promise<void> => {
  await client.query('begin');
  await client.query(
    `create table unfinished_copy (one boolean primary key default true check (one), state text not null, source text not null, fingerprint text not null,
      progress text not null, started_at timestamptz not null default now())`,
  );
  await client.query(`insert into unfinished_copy (state, source, fingerprint, progress) values ('copying', $1, $2, '{}')`, [source, fingerprint]);
  // It comes with the source's.
  await client.query(`delete from spaces where id = 'default'`);
  await client.query('commit');
};

/** Marks it, or finds the mark of the attempt before. */
const claim = async (client: pg.Client, options: CopyTargetOptions): Promise<Mark> => {
  const [lock] = await ask<{ held: boolean }>(client, 'select pg_try_advisory_lock($1) as held', [copyLock]);
  if (lock?.held !== true) throw refusal('in_use', `Another copy into ${databaseName(client)} is under way.`);
  const found = await strangers(client);
  if (found.length > 0)
    await refuseUsed(
      client,
      found.map((name) => `the table ${name}`),
    );
  await migrate(client);
  // A server that starts waits for this lock, and finds the mark then.
  await client.query('select pg_advisory_lock($1)', [migrationLock]);
  try {
    const before = await readUnfinishedCopy(client);
    if (before) return await goOn(client, options, before.state);
    await refuseUsed(client, await contents(client));
    await begin(client, options);
    return { fingerprint: options.fingerprint, progress: '{}' };
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => {});
  }
};

/** No limits that would end a long copy; nothing has to be durable before the mark goes. */
const settings = `select set_config('statement_timeout', '0', false), set_config('idle_in_transaction_session_timeout', '0', false), set_config('synchronous_commit', 'off', false)`;

/** Rejects with `storage_unavailable`, whose `reason` says what is in the way. */
export const openCopyTarget = async (options: CopyTargetOptions): Promise<CopyTarget> => {
  const client = await firstClient(options.url);
  try {
    await client.query(settings);
    const from = new Map(Object.entries(JSON.parse((await claim(client, options)).progress) as Progress));
    const reached = new Map(from);
    const target = postgresTarget(client, databaseName(client), (table, last) => {
      reached.set(table.name, last);
      return client.query('update unfinished_copy set progress = $1', [JSON.stringify(Object.fromEntries(reached))]);
    });
    const atLast = async (text: string): Promise<void> => {
      await client.query(`select set_config('synchronous_commit', 'on', false)`);
      await client.query(text);
    };
    return {
      ...target,
      from,
      release: () => atLast('drop table unfinished_copy'),
      condemn: () => atLast(`update unfinished_copy set state = 'differs'`),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
};
