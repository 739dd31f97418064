/** The writer's thread: opens the database, brings it up to date, then commits batch after batch. */
import { parentPort, workerData } from 'node:worker_threads';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { openWriteConnection } from './connection.ts';
import { createEngine } from './engine.ts';
import { mediumFault } from './medium-errors.ts';
import { migrate } from './migrate.ts';
import { tendWriteAheadLog } from './write-ahead-log.ts';
import type { WriterReply, WriterRequest, WriterStart } from './writer-messages.ts';

const reply = (message: WriterReply): void => parentPort?.postMessage(message);

const serve = ({ file }: WriterStart): void => {
  const db = openWriteConnection(file);
  migrate(db);
  // What a crash left in the log goes into the database before anybody waits for an answer.
  db.exec('PRAGMA wal_checkpoint(RESTART)');
  const engine = createEngine(db);
  const log = tendWriteAheadLog(db);
  let backlog = 0;
  parentPort?.on('message', (request: WriterRequest) => {
    switch (request.kind) {
      case 'commit': {
        const result = engine.commit(request.batch);
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
  reply({ kind: 'ready' });
};

try {
  serve(workerData as WriterStart);
} catch (error) {
  const details = error instanceof TurnkeeperError ? error.details : {};
  reply({ kind: 'refused', message: mediumFault(error) ?? (error instanceof Error ? error.message : String(error)), details });
  parentPort?.close();
}
