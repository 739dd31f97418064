/** Where batches are carried out: in the writer's thread, or at once on this one (`:memory:`, unit tests). */

import type { DatabaseSync } from 'node:sqlite';
import { openWriteConnection } from './connection.ts';
import { createEngine } from './engine.ts';
import { migrate } from './migrate.ts';
import type { BatchResult, Operation } from './operations.ts';

export interface Writer {
  commit(batch: readonly Operation[]): Promise<BatchResult>;
  close(): Promise<void>;
}

/** A database in memory, read and written through one connection: nothing is read within a transaction. */
export const openInlineWriter = (): Writer & { readonly db: DatabaseSync } => {
  const db = openWriteConnection(':memory:');
  migrate(db);
  const engine = createEngine(db);
  return {
    db,
    commit: async (batch) => engine.commit(batch),
    close: async () => db.close(),
  };
};
