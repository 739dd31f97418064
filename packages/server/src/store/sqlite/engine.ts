/**
 * The writer: carries out batches of operations, each batch in one transaction.
 *
 * W1 W7 W8 are kept here. Refusals write nothing; an operation that fails by a fault of ours (a broken constraint)
 * rolls the batch back once, and the batch is carried out again with a savepoint around each operation, so that it
 * fails alone. When the medium fails the whole batch is rolled back and says so.
 */
import type { DatabaseSync } from 'node:sqlite';
import { applyBoot, applyClaim, applyHeartbeat, applyLeave, type Round } from './apply-claim.ts';
import { applySql } from './apply-sql.ts';
import { applyCreate, applyWrite } from './apply-write.ts';
import { mayHaveCommitted, mediumFault } from './medium-errors.ts';
import type { Answer, BatchResult, Operation, Outcome } from './operations.ts';
import { writeStatements } from './write-statements.ts';

export interface Engine {
  /** What goes wrong is in the result; throws only when not even a roll-back works: the connection is of no use then. */
  commit(batch: readonly Operation[]): BatchResult;
}

export const createEngine = (db: DatabaseSync): Engine => {
  const on = writeStatements(db);
  const round: Round = { lastOwner: '' };

  const apply = (operation: Operation): Answer => {
    switch (operation.kind) {
      case 'write':
        return applyWrite(on, operation.write);
      case 'create':
        return applyCreate(on, operation.create);
      case 'claim':
        return applyClaim(on, round, operation);
      case 'heartbeat':
        return applyHeartbeat(on, operation);
      case 'leave':
        return applyLeave(on, operation);
      case 'boot':
        return applyBoot(on);
      case 'ping':
        on.ping.run();
        return null;
      case 'sql':
        return applySql(db, operation.statements);
    }
  };

  const applyAlone = (operation: Operation): Outcome => {
    db.exec('SAVEPOINT alone');
    try {
      const answer = apply(operation);
      db.exec('RELEASE alone');
      return { ok: true, answer };
    } catch (error) {
      if (mediumFault(error) !== undefined || !db.isTransaction) throw error;
      db.exec('ROLLBACK TO alone; RELEASE alone');
      return { ok: false, message: error instanceof Error ? error.message : String(error) };
    }
  };

  const rollBack = (): void => {
    // SQLite has rolled back by itself after some errors.
    if (db.isTransaction) db.exec('ROLLBACK');
  };

  const transaction = (batch: readonly Operation[], each: (operation: Operation) => Outcome): BatchResult | 'fault' => {
    let committing = false;
    try {
      db.exec('BEGIN IMMEDIATE');
      const outcomes = batch.map(each);
      committing = true;
      db.exec('COMMIT');
      return { kind: 'committed', outcomes };
    } catch (error) {
      rollBack();
      const fault = mediumFault(error);
      if (fault === undefined && !committing) return 'fault';
      return { kind: 'failed', fault: fault ?? String(error), unknown: committing && mayHaveCommitted(error) };
    }
  };

  return {
    commit: (batch) => {
      const result = transaction(batch, (operation) => ({ ok: true, answer: apply(operation) }));
      if (result !== 'fault') return result;
      const careful = transaction(batch, applyAlone);
      return careful === 'fault' ? { kind: 'failed', fault: 'the batch could not be carried out', unknown: false } : careful;
    },
  };
};
