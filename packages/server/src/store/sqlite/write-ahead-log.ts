/**
 * Keeps the write-ahead log short.
 *
 * A passive checkpoint (its own thread) copies what it can without hindering anybody; under steady writing it never
 * reaches the end, so that above `restartAtFrames` the writer itself finishes the copy between two batches and begins
 * the log anew.
 */
import type { DatabaseSync } from 'node:sqlite';

const frameBytes = 4096 + 24;
/** 64 MB of log. */
export const restartAtFrames = Math.floor((64 * 1024 * 1024) / frameBytes);
/** Frames not yet copied, from which a passive checkpoint is worth its sync (4 MB). */
export const checkpointAtFrames = 1000;

export interface WriteAheadLog {
  /** Called between batches; returns how many frames wait to be copied. */
  tend(): number;
}

export const tendWriteAheadLog = (db: DatabaseSync, restartAt = restartAtFrames): WriteAheadLog => {
  const look = db.prepare('PRAGMA wal_checkpoint(NOOP)');
  const restart = db.prepare('PRAGMA wal_checkpoint(RESTART)');
  return {
    tend: () => {
      const seen = look.get();
      const frames = Number(seen?.['log'] ?? 0);
      if (frames >= restartAt) {
        restart.get();
        return 0;
      }
      return Math.max(0, frames - Number(seen?.['checkpointed'] ?? 0));
    },
  };
};
