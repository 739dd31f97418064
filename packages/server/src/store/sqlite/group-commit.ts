/**
 * Group commit: while one batch commits, the next gathers. No timers.
 *
 * Owns: the queue before the writer. What arrives in one turn of the event loop's microtasks goes together; an
 * operation never waits for others to come.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { Clock } from '../../ports/clock.ts';
import { storeClosed } from '../shared/store-closed.ts';
import { storageUnavailable } from './medium-errors.ts';
import type { Answer, Answers, BatchResult, Operation, OperationKind } from './operations.ts';

/** More than this in one transaction only makes the first ones wait. */
const largestBatch = 1000;

type Waiting = { readonly operation: Operation; readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void };

export interface GroupCommit {
  /** Resolves when the operation is durable; rejects with `storage_unavailable` when the medium failed (W8), `shutting_down` after `drain`. */
  submit<Kind extends OperationKind>(operation: Operation & { readonly kind: Kind }): Promise<Answers[Kind]>;
  /** Takes no more and resolves when all that was taken has ended. */
  drain(): Promise<void>;
}

type Commit = (batch: readonly Operation[]) => Promise<BatchResult>;

/** The same, told about: how many went together, and how long that took (ms). */
export const watched = (commit: Commit, clock: Pick<Clock, 'elapsed'>, ended: ((writes: number, ms: number) => void) | undefined): Commit => {
  if (!ended) return commit;
  return async (batch) => {
    const began = clock.elapsed();
    const result = await commit(batch);
    ended(batch.length, clock.elapsed() - began);
    return result;
  };
};

/** `commit` carries out one batch; it is never called again before it has ended. */
export const createGroupCommit = (commit: Commit): GroupCommit => {
  let phase: 'idle' | 'gathering' | 'committing' = 'idle';
  let open = true;
  let waiting: Waiting[] = [];
  let drained: (() => void) | undefined;

  const flush = (): void => {
    if (waiting.length === 0) {
      phase = 'idle';
      drained?.();
      return;
    }
    phase = 'committing';
    const batch = waiting.length <= largestBatch ? waiting : waiting.slice(0, largestBatch);
    waiting = waiting.slice(batch.length);
    const ended = (result: BatchResult): void => {
      // The next batch is under way before the answers of this one make work.
      flush();
      settle(batch, result);
    };
    commit(batch.map((entry) => entry.operation)).then(ended, (error: unknown) =>
      ended({ kind: 'failed', fault: `the writer failed: ${String(error)}`, unknown: true }),
    );
  };

  return {
    submit: (operation) =>
      new Promise((resolve, reject) => {
        if (!open) {
          reject(storeClosed());
          return;
        }
        waiting.push({ operation, resolve: resolve as (answer: Answer) => void, reject });
        if (phase !== 'idle') return;
        phase = 'gathering';
        queueMicrotask(flush);
      }),
    drain: () => {
      open = false;
      return phase === 'idle' ? Promise.resolve() : new Promise((resolve) => (drained = resolve));
    },
  };
};

const settle = (batch: readonly Waiting[], result: BatchResult): void => {
  switch (result.kind) {
    case 'failed':
      for (const { reject } of batch) reject(storageUnavailable(result.fault, result.unknown ? { outcome: 'unknown' } : {}));
      return;
    case 'committed':
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = result.outcomes[index];
        if (outcome?.ok) resolve(outcome.answer);
        else reject(new TurnkeeperError('internal_error', `The write could not be carried out: ${outcome?.message ?? 'no outcome'}`));
      }
  }
};
