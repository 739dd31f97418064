/**
 * The embedded store: one SQLite database in a folder of its own, or in memory for tests.
 *
 * Owns: how the parts come together and go. Writes pass the group commit to the one writer; reads take this thread's
 * own connection. Files: `turnkeeper.db` (with `-wal` and `-shm`) and `lock.db`.
 */

import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { firstFormat } from '@turnkeeper/core/session/state';
import type { Clock } from '../../ports/clock.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import type { Stores } from '../../ports/stores.ts';
import { createBudgetStore } from '../catalog/budgets.ts';
import { createCatalog } from '../catalog/catalog.ts';
import type { CatalogDatabase, SqlRow } from '../catalog/catalog-database.ts';
import { createFileIndex } from '../catalog/files.ts';
import { createMinitoolStore } from '../catalog/minitools.ts';
import { createRetentionStore } from '../catalog/retention.ts';
import { createScheduleStore } from '../catalog/schedules.ts';
import { createSessionArchive } from '../catalog/session-archive.ts';
import { createWebhookStore } from '../catalog/webhooks.ts';
import { createCheckpointer, type StoreLogger } from './checkpointer.ts';
import { openReadConnection } from './connection.ts';
import { lockFolder, makeFolder } from './folder-lock.ts';
import { createGroupCommit, type GroupCommit, watched } from './group-commit.ts';
import { refuseLostDatabase } from './lost-database.ts';
import { reading } from './medium-errors.ts';
import { createOperation, writeOperation } from './operations.ts';
import { createReads } from './reader.ts';
import { openThreadWriter } from './thread-writer.ts';
import { openInlineWriter, type Writer } from './writer.ts';

export type SqliteStore = Stores & {
  readonly close: () => Promise<void>;
};
export type SqliteStoreOptions = {
  /** Made when it is missing; one process at a time. `:memory:`: nothing outlives `close`. */
  readonly folder: string;
  /** Dates the leases of nodes. */
  readonly clock: Clock;
  readonly logger?: StoreLogger;
  /** Told of every batch: how many went together, and how long that took (ms). */
  readonly batchEnded?: (writes: number, ms: number) => void;
};

type Parts = { readonly writes: GroupCommit; readonly db: DatabaseSync; readonly close: () => Promise<void> };

/**
 * Opens the store. Rejects with `storage_unavailable` when another process uses the folder, when it cannot be written
 * to, or when a newer version has written the database.
 */
export const openSqliteStore = async (options: SqliteStoreOptions): Promise<SqliteStore> => {
  const { folder, clock } = options;
  const parts = folder === ':memory:' ? openMemory(options) : await openFolder(options);
  try {
    await parts.writes.submit({ kind: 'boot' });
    return storeOf(parts, clock);
  } catch (error) {
    await parts.close();
    throw error;
  }
};

const openMemory = ({ clock, batchEnded }: SqliteStoreOptions): Parts => {
  const writer = openInlineWriter();
  return { writes: createGroupCommit(watched(writer.commit, clock, batchEnded)), db: writer.db, close: writer.close };
};

const openFolder = async ({ folder, clock, logger, batchEnded }: SqliteStoreOptions): Promise<Parts> => {
  makeFolder(folder);
  const lock = lockFolder(folder);
  const file = join(folder, 'turnkeeper.db');
  const checkpointer = createCheckpointer(file, logger);
  let writer: Writer | undefined;
  let db: DatabaseSync | undefined;
  // The writer goes last: SQLite's last connection copies the log into the database and removes it.
  const close = async (): Promise<void> => {
    db?.close();
    await checkpointer.close();
    await writer?.close();
    lock.release();
  };
  try {
    refuseLostDatabase(folder, file);
    writer = await openThreadWriter(file, checkpointer.note, (names) => logger?.info?.({ migrations: names }, 'the tables were migrated'));
    db = openReadConnection(file);
    return { writes: createGroupCommit(watched(writer.commit, clock, batchEnded)), db, close };
  } catch (error) {
    await close();
    throw error;
  }
};

const storeOf = ({ writes, db, close }: Parts, clock: Clock): SqliteStore => {
  const shutDown = async (): Promise<void> => {
    await writes.drain();
    await close();
  };
  let closing: Promise<void> | undefined;
  const closeOnce = (): Promise<void> => (closing ??= shutDown());
  const database: CatalogDatabase = {
    dialect: 'sqlite',
    read: async ({ sql, params }) => reading(() => db.prepare(sql).all(...params) as SqlRow[]),
    write: (statements) => writes.submit({ kind: 'sql', statements }),
  };
  const sessions: SessionStore = {
    ...createReads(db),
    create: (session) => writes.submit(createOperation(session)),
    write: (write) => writes.submit(writeOperation(write)),
    claim: ({ node, now, limit, except = [], reads = firstFormat, leaveHosted = false }) =>
      writes.submit({ kind: 'claim', node, now, limit, except: JSON.stringify(except), reads, leaveHosted, leaseNow: clock.now() }),
    heartbeat: (node, leaseMs, reads = firstFormat) => writes.submit({ kind: 'heartbeat', node, leaseMs, leaseNow: clock.now(), reads }),
    leave: async (node, alive = false) => {
      await writes.submit({ kind: 'leave', node, alive });
    },
    ping: async () => {
      await writes.submit({ kind: 'ping' });
    },
    close: closeOnce,
  };
  return {
    sessions,
    catalog: createCatalog(database),
    files: createFileIndex(database),
    webhooks: createWebhookStore(database),
    retention: createRetentionStore(database),
    archive: createSessionArchive(database),
    budgets: createBudgetStore(database),
    schedules: createScheduleStore(database),
    minitools: createMinitoolStore(database),
    close: closeOnce,
  };
};
