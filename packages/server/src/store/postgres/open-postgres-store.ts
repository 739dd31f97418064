/**
 * Opens a PostgreSQL database as the place where sessions are kept: any number of nodes may share one.
 *
 * Owns: the connections and how they are put together. A store uses `writeConnections` for commits, up to `poolSize`
 * for everything else, one for sending wake-ups and one for hearing them.
 */
import { randomUUID } from 'node:crypto';
import type { Bus } from '../../ports/bus.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SessionStore, WriteResult } from '../../ports/session-store.ts';
import type { Stores } from '../../ports/stores.ts';
import { createBudgetStore } from '../catalog/budgets.ts';
import { createCatalog } from '../catalog/catalog.ts';
import { createFileIndex } from '../catalog/files.ts';
import { createMinitoolStore } from '../catalog/minitools.ts';
import { createRetentionStore } from '../catalog/retention.ts';
import { createScheduleStore } from '../catalog/schedules.ts';
import { createSessionArchive } from '../catalog/session-archive.ts';
import { createWebhookStore } from '../catalog/webhooks.ts';
import { createPostgresBus } from './bus.ts';
import { createCatalogDatabase } from './catalog-database.ts';
import { createClaims } from './claims.ts';
import { createConnection } from './connection.ts';
import { clientConfig, prepareWriter } from './connection-settings.ts';
import { createDatabaseClock } from './database-clock.ts';
import { foldedMetadata, type Job } from './encode-batch.ts';
import { unavailable } from './errors.ts';
import { migrate } from './migrate.ts';
import { createNodes } from './nodes.ts';
import { createReader, type Reader } from './reader.ts';
import { createReads } from './reads.ts';
import { readResourcePage } from './resource-page.ts';
import { foldedTitle } from './storable-text.ts';
import { refuseUnfinishedCopy } from './unfinished-copy.ts';
import { firstClient } from './unreachable.ts';
import { createWriteLane, type WriteLane } from './write-lane.ts';

export type PostgresStoreOptions = {
  /** `postgres://user:password@host:port/database`; LISTEN and prepared statements rule out a transaction pooler. */
  readonly url: string;
  /** This machine's: its timers and its count of milliseconds, never its time of day. */
  readonly clock: Clock;
  /** Connections for reads, claims and administration, at most. */
  readonly poolSize?: number;
  /** Connections for commits: each commits one batch at a time. */
  readonly writeConnections?: number;
  readonly logger?: { warn(details: object, message: string): void; info?(details: object, message: string): void };
  /** Told of every batch: how many writes went together, and how long that took (ms). */
  readonly batchEnded?: (writes: number, ms: number) => void;
};

export type PostgresStore = Stores & {
  readonly bus: Bus;
  /** The time of the database, which all nodes go by; measured at the opening and at each heartbeat. */
  readonly clock: Clock;
  close(): Promise<void>;
};

const migrateOnce = async ({ url, logger }: PostgresStoreOptions): Promise<void> => {
  const client = await firstClient(url);
  try {
    const applied = await migrate(client);
    if (applied.length > 0) logger?.info?.({ migrations: applied }, 'the tables were migrated');
    await refuseUnfinishedCopy(client);
  } finally {
    await client.end();
  }
};

const ping = async (reader: Reader): Promise<void> => {
  // Taking a transaction number is refused by a standby; a read-only primary says so itself.
  const text = `select pg_current_xact_id() as id, current_setting('transaction_read_only') as read_only`;
  const [row] = await reader.ask<{ read_only: string }>({ name: 'ping', text }, []);
  if (row?.read_only === 'off') return;
  reader.renew();
  throw unavailable(new Error('the database is read-only'));
};

const firstSamples = 3;
const timeOf = (reader: Reader) => async (): Promise<number> => {
  const [row] = await reader.ask<{ now: number }>({ name: 'time', text: `select extract(epoch from clock_timestamp())::float8 * 1000 as now` }, []);
  if (!row) throw new Error('the database told no time');
  return row.now;
};

/** Which lane a job belongs to: always the same for a session, and for a key under which sessions are created. */
const laneOf = (job: Job, lanes: number): number => {
  if (job.kind === 'write') return job.write.sid % lanes;
  const { id } = job.session.row;
  let hash = 0;
  for (let at = 0; at < id.length; at += 1) hash = (hash * 31 + id.charCodeAt(at)) >>> 0;
  return hash % lanes;
};

export const openPostgresStore = async (options: PostgresStoreOptions): Promise<PostgresStore> => {
  const { url, clock, poolSize = 6, writeConnections = 3, logger, batchEnded } = options;
  await migrateOnce(options);
  const boot = randomUUID();
  let lanes: readonly WriteLane[] = [];
  const reader = createReader(url, poolSize, clock, () => {
    for (const lane of lanes) lane.suspect();
  });
  const bus = createPostgresBus(url, clock, boot, (error) => logger?.warn({ err: error }, 'a listener of wake-ups failed'));
  const connections = Array.from({ length: writeConnections }, (_, index) =>
    createConnection({ config: clientConfig(url, `write ${index}`), clock, prepare: prepareWriter }),
  );
  // The first request does not wait for what can be done now.
  await Promise.all([ping(reader), ...connections.map((connection) => connection.client())]);
  const databaseClock = createDatabaseClock(clock);
  const askTime = timeOf(reader);
  for (let n = 0; n < firstSamples; n += 1) await databaseClock.measure(askTime);
  // What could not be measured now will be at the next heartbeat.
  const renewed = (): void => void databaseClock.measure(askTime).catch(() => {});
  lanes = connections.map((connection) => createWriteLane(connection, batchEnded && { clock, ended: batchEnded }));
  const submit = (job: Job): Promise<WriteResult> => {
    const lane = lanes[laneOf(job, lanes.length)];
    if (!lane) throw new Error('a store needs at least one write connection');
    return lane.write(job);
  };
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    await Promise.all(lanes.map((lane) => lane.drained()));
    await Promise.all([bus.close(), reader.close(), ...connections.map((connection) => connection.close())]);
  };
  const close = (): Promise<void> => {
    closing ??= closeAll();
    return closing;
  };

  const sessions: SessionStore = {
    ...createReads(reader),
    ...createClaims(reader, boot),
    ...createNodes(reader, boot, renewed),
    create: (session) => submit({ kind: 'create', session }),
    write: (write) => submit({ kind: 'write', write }),
    resources: (sid, queries) => readResourcePage(reader, sid, queries),
    ping: () => ping(reader),
    close,
  };
  const database = createCatalogDatabase(reader);
  return {
    sessions,
    catalog: createCatalog(database),
    files: createFileIndex(database),
    webhooks: createWebhookStore(database),
    retention: createRetentionStore(database),
    archive: createSessionArchive(database, { title: foldedTitle, metadata: foldedMetadata }),
    budgets: createBudgetStore(database),
    schedules: createScheduleStore(database),
    minitools: createMinitoolStore(database),
    bus,
    clock: databaseClock,
    close,
  };
};
