/**
 * Opens a PostgreSQL database as the place where sessions are kept: any number of nodes may share one.
 *
 * Owns: the connections and how they are put together. A store uses `writeConnections` for commits, up to `poolSize`
 * for everything else, one for sending wake-ups and one for hearing them.
 */
import { randomUUID } from 'node:crypto';
import type { Bus } from '../../ports/bus.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SessionStore, WriteResult } from '../../ports/session-store.ts';
import { createCatalog } from '../catalog/catalog.ts';
import { createPostgresBus } from './bus.ts';
import { createCatalogDatabase } from './catalog-database.ts';
import { createClaims } from './claims.ts';
import { createConnection } from './connection.ts';
import { clientConfig, prepareWriter } from './connection-settings.ts';
import type { Job } from './encode-batch.ts';
import { unavailable } from './errors.ts';
import { migrate } from './migrate.ts';
import { createNodes } from './nodes.ts';
import { createReader, type Reader } from './reader.ts';
import { createReads } from './reads.ts';
import { readResourcePage } from './resource-page.ts';
import { firstClient } from './unreachable.ts';
import { createWriteLane, type WriteLane } from './write-lane.ts';

export type PostgresStoreOptions = {
  /** `postgres://user:password@host:port/database`; LISTEN and prepared statements rule out a transaction pooler. */
  readonly url: string;
  readonly clock: Clock;
  /** Connections for reads, claims and administration, at most. */
  readonly poolSize?: number;
  /** Connections for commits: each commits one batch at a time. */
  readonly writeConnections?: number;
  readonly logger?: { warn(details: object, message: string): void };
};

export type PostgresStore = {
  readonly sessions: SessionStore;
  readonly catalog: Catalog;
  readonly bus: Bus;
  close(): Promise<void>;
};

const migrateOnce = async (url: string): Promise<void> => {
  const client = await firstClient(url);
  try {
    await migrate(client);
  } finally {
    await client.end();
  }
};

const ping = async (reader: Reader): Promise<void> => {
  // Taking a transaction number is refused by a standby; a read-only primary says so itself.
  const text = `select pg_current_xact_id() as id, current_setting('transaction_read_only') as read_only`;
  const [row] = await reader.ask<{ read_only: string }>({ name: 'ping', text }, []);
  if (row?.read_only !== 'off') throw unavailable(new Error('the database is read-only'));
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
  const { url, clock, poolSize = 6, writeConnections = 3, logger } = options;
  await migrateOnce(url);
  const boot = randomUUID();
  const reader = createReader(url, poolSize, clock);
  const bus = createPostgresBus(url, clock, boot, (error) => logger?.warn({ err: error }, 'a listener of wake-ups failed'));
  const connections = Array.from({ length: writeConnections }, (_, index) =>
    createConnection({ config: clientConfig(url, `write ${index}`), clock, prepare: prepareWriter }),
  );
  // The first request does not wait for what can be done now.
  await Promise.all([ping(reader), ...connections.map((connection) => connection.client())]);
  const lanes: readonly WriteLane[] = connections.map(createWriteLane);
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
    ...createNodes(reader, boot),
    create: (session) => submit({ kind: 'create', session }),
    write: (write) => submit({ kind: 'write', write }),
    resources: (sid, queries) => readResourcePage(reader, sid, queries),
    ping: () => ping(reader),
    close,
  };
  return { sessions, catalog: createCatalog(createCatalogDatabase(reader)), bus, close };
};
