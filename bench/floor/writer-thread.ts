/** The floor's writer: one transaction a batch, synced. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const { folder } = workerData as { readonly folder: string };
const db = new DatabaseSync(join(folder, 'floor.db'));
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
db.exec('CREATE TABLE events (session INTEGER, seq INTEGER, type TEXT, data TEXT)');
db.exec('CREATE UNIQUE INDEX events_place ON events (session, seq)');
const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?)');

parentPort?.on('message', (rows: readonly { session: number; seq: number; type: string; data: string }[]) => {
  db.exec('BEGIN');
  for (const row of rows) insert.run(row.session, row.seq, row.type, row.data);
  db.exec('COMMIT');
  parentPort?.postMessage('done');
});
