/**
 * Keeps the write-ahead log short.
 *
 * A passive checkpoint (its own thread) copies what it can without hindering anybody; under steady writing it never
 * reaches the end, so that above `restartAtFrames` the writer itself finishes the copy between two batches and begins
 * the log anew. Whoever reads for long (a backup) keeps it from that: writes go on then, and the log grows until the
 * reader has gone.
 */
import type { DatabaseSync } from 'node:sqlite';
import { busyTimeoutMs } from './connection.ts';

const frameBytes = 4096 + 24;
/** 64 MB of log. */
const restartAtFrames = Math.floor((64 * 1024 * 1024) / frameBytes);
/** Frames not yet copied, from which a passive checkpoint is worth its sync (4 MB). */
export const checkpointAtFrames = 1000;
/** After a reader was in the way, so many more are written before it is tried again (16 MB). */
const patienceFrames = Math.floor(restartAtFrames / 4);
/** How long the writer waits for readers: all writes wait with it. */
const restartWaitMs = 200;

export interface WriteAheadLog {
  /** Called between batches; returns how many frames wait to be copied. */
  tend(): number;
}

export const tendWriteAheadLog = (db: DatabaseSync, restartAt = restartAtFrames): WriteAheadLog => {
  const look = db.prepare('PRAGMA wal_checkpoint(NOOP)');
  const restart = db.prepare('PRAGMA wal_checkpoint(RESTART)');
  let tryAt = restartAt;
  /** False when a reader is in the way. */
  const restarted = (): boolean => {
    db.exec(`PRAGMA busy_timeout = ${restartWaitMs}`);
    try {
      return restart.get()?.['busy'] === 0;
    } finally {
      db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
  };
  return {
    tend: () => {
      const seen = look.get();
      const frames = Number(seen?.['log'] ?? 0);
      if (frames < restartAt) tryAt = restartAt;
      if (frames >= tryAt) {
        if (restarted()) return 0;
        tryAt = frames + patienceFrames;
      }
      return Math.max(0, frames - Number(seen?.['checkpointed'] ?? 0));
    },
  };
};
