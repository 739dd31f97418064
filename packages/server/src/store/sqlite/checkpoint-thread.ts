/** The checkpoint's thread: copies the log into the database beside the writer, without hindering it. */
import { parentPort, workerData } from 'node:worker_threads';
import { openWriteConnection } from './connection.ts';
import type { CheckpointReply, CheckpointRequest, WriterStart } from './writer-messages.ts';

const db = openWriteConnection((workerData as WriterStart).file);
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');

const run = (): CheckpointReply => {
  try {
    checkpoint.get();
    return {};
  } catch (error) {
    return { fault: String(error) };
  }
};

parentPort?.on('message', (request: CheckpointRequest) => {
  switch (request) {
    case 'checkpoint':
      parentPort?.postMessage(run());
      return;
    case 'close':
      db.close();
      parentPort?.close();
  }
});
