/**
 * The main thread's side of the writer's thread.
 *
 * A thread that dies takes its batch with it (outcome unknown) and is started again for the next one (W8).
 */
import type { Worker } from 'node:worker_threads';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { FileIdentity } from './database-file.ts';
import { storageUnavailable } from './medium-errors.ts';
import type { BatchResult } from './operations.ts';
import { startThread, threadEnd } from './threads.ts';
import type { Writer } from './writer.ts';
import type { WriterReply, WriterRequest, WriterStart } from './writer-messages.ts';

type Running = {
  readonly worker: Worker;
  readonly identity: FileIdentity;
  readonly migrated: readonly string[];
  readonly request: (message: WriterRequest) => Promise<WriterReply>;
};

const start = async (from: WriterStart, onEnd: (worker: Worker) => void): Promise<Running> => {
  const worker = startThread('writer-thread', from);
  let waiting: { readonly resolve: (reply: WriterReply) => void; readonly reject: (error: Error) => void } | undefined;
  const next = (): Promise<WriterReply> => new Promise((resolve, reject) => (waiting = { resolve, reject }));
  const fail = (error: Error): void => {
    const failed = waiting;
    waiting = undefined;
    failed?.reject(error);
  };
  worker.on('message', (reply: WriterReply) => {
    worker.unref();
    const answered = waiting;
    waiting = undefined;
    answered?.resolve(reply);
  });
  worker.on('error', fail);
  worker.on('exit', (code) => {
    onEnd(worker);
    fail(new Error(`the writer's thread ended with code ${code}`));
  });
  worker.ref();
  const ready = await next();
  if (ready.kind === 'refused') throw new TurnkeeperError('storage_unavailable', `The database ${from.file} cannot be opened: ${ready.message}`, ready.details);
  if (ready.kind !== 'ready') throw new Error("the writer's thread did not say that it is ready");
  const request = (message: WriterRequest): Promise<WriterReply> => {
    worker.ref();
    const reply = next();
    worker.postMessage(message);
    return reply;
  };
  return { worker, identity: ready.identity, migrated: ready.migrated, request };
};

/**
 * Opens the database in a thread of its own; `onBacklog` hears how many frames of the log wait to be copied, `onMigrated`
 * which migrations were applied.
 */
export const openThreadWriter = async (
  file: string,
  onBacklog: (frames: number) => void,
  onMigrated: (names: readonly string[]) => void = () => {},
): Promise<Writer> => {
  let running: Running | undefined;
  let identity: FileIdentity | undefined;
  const begin = () =>
    start({ file, ...(identity ? { identity } : {}) }, (ended) => {
      if (running?.worker === ended) running = undefined;
    });
  running = await begin();
  identity = running.identity;
  if (running.migrated.length > 0) onMigrated(running.migrated);

  const commit: Writer['commit'] = async (batch): Promise<BatchResult> => {
    try {
      running ??= await begin();
    } catch (error) {
      return { kind: 'failed', fault: String(error), unknown: false };
    }
    try {
      const reply = await running.request({ kind: 'commit', batch });
      if (reply.kind !== 'done') throw storageUnavailable('the writer gave no answer');
      if (reply.backlog > 0) onBacklog(reply.backlog);
      return reply.result;
    } catch (error) {
      // The thread is gone or going: whatever it does, it is not asked again.
      void running?.worker.terminate();
      running = undefined;
      return { kind: 'failed', fault: String(error), unknown: true };
    }
  };

  return {
    commit,
    close: async () => {
      if (!running) return;
      const ended = threadEnd(running.worker);
      running.worker.ref();
      running.worker.postMessage({ kind: 'close' } satisfies WriterRequest);
      await ended;
    },
  };
};
