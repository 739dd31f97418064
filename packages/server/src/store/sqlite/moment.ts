/** Several reads as one. */
import type { DatabaseSync } from 'node:sqlite';

/** Runs `read` in a transaction, so that all that it reads is of one moment (W9). */
export type Moment = <Result>(read: () => Result) => Result;

export const createMoment = (db: DatabaseSync): Moment => {
  const on = { begin: db.prepare('BEGIN'), end: db.prepare('COMMIT') };
  return (read) => {
    on.begin.run();
    try {
      return read();
    } finally {
      if (db.isTransaction) on.end.run();
    }
  };
};
