/** The writer's thread: opens the database, brings it up to date, then commits batch after batch. */
import { parentPort, workerData } from 'node:worker_threads';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { openWriteConnection } from './connection.ts';
import { identityOf, movedFault, watchFiles } from './database-file.ts';
import { createEngine } from './engine.ts';
import { mediumFault } from './medium-errors.ts';
import { migrate } from './migrate.ts';
import type { BatchResult, Operation } from './operations.ts';
import { tendWriteAheadLog } from './write-ahead-log.ts';
import type { WriterReply, WriterRequest, WriterStart } from './writer-messages.ts';

const reply = (message: WriterReply): void => parentPort?.postMessage(message);

const serve = ({ file, identity: expected }: WriterStart): void => {
  // A file that is missing would be made anew, and take writes beside the one that is being read.
  const moved = expected && movedFault(expected);
  if (moved !== undefined) throw new Error(moved);
  const db = openWriteConnection(file);
  const migrated = migrate(db);
  // What a crash left in the log goes into the database before anybody waits for an answer.
  db.exec('PRAGMA wal_checkpoint(RESTART)');
  const engine = createEngine(db);
  const log = tendWriteAheadLog(db);
  const identity = expected ?? identityOf(file);
  const files = watchFiles(identity);
  const commit = (batch: readonly Operation[]): BatchResult => {
    const fault = files.fault(batch.some(({ kind }) => kind === 'ping') ? 'at_once' : 'lately');
    return fault === undefined ? engine.commit(batch) : { kind: 'failed', fault, unknown: false };
  };
  let backlog = 0;
  parentPort?.on('message', (request: WriterRequest) => {
    switch (request.kind) {
      case 'commit': {
        const result = commit(request.batch);
        reply({ kind: 'done', result, backlog });
        // After the answer: nobody waits for it. A failing medium shows in the next commit.
        try {
          backlog = log.tend();
        } catch (error) {
          if (mediumFault(error) === undefined) throw error;
        }
        return;
      }
      case 'close':
        db.close();
        parentPort?.close();
    }
  });
  reply({ kind: 'ready', identity, migrated });
};

try {
  serve(workerData as WriterStart);
} catch (error) {
  const details = error instanceof TurnkeeperError ? error.details : {};
  reply({ kind: 'refused', message: mediumFault(error) ?? (error instanceof Error ? error.message : String(error)), details });
  parentPort?.close();
}
