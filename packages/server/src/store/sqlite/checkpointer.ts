/** The main thread's side of the checkpoint's thread: at most one checkpoint at a time, started when one is due. */
import type { Worker } from 'node:worker_threads';
import { startThread, threadEnd } from './threads.ts';
import { checkpointAtFrames } from './write-ahead-log.ts';
import type { CheckpointReply, CheckpointRequest } from './writer-messages.ts';

export type StoreLogger = { warn(details: object, message: string): void; info?(details: object, message: string): void };

export interface Checkpointer {
  /** Says how many frames of the log wait to be copied. */
  note(backlog: number): void;
  close(): Promise<void>;
}

/** The thread starts with the first checkpoint: a store that is hardly written to does without. */
export const createCheckpointer = (file: string, logger?: StoreLogger): Checkpointer => {
  let worker: Worker | undefined;
  let busy = false;
  const begin = (): Worker => {
    const started = startThread('checkpoint-thread', { file });
    started.on('message', ({ fault }: CheckpointReply) => {
      busy = false;
      if (fault !== undefined) logger?.warn({ fault }, 'a checkpoint of the log failed; it is tried again');
    });
    const lost = (error?: unknown): void => {
      if (worker !== started) return;
      worker = undefined;
      busy = false;
      logger?.warn({ fault: String(error) }, 'the checkpoint thread ended; it is started again when needed');
    };
    started.on('error', lost);
    started.on('exit', lost);
    return started;
  };
  return {
    note: (backlog) => {
      if (busy || backlog < checkpointAtFrames) return;
      busy = true;
      worker ??= begin();
      worker.postMessage('checkpoint' satisfies CheckpointRequest);
    },
    close: async () => {
      const last = worker;
      worker = undefined;
      busy = true;
      if (!last) return;
      const ended = threadEnd(last);
      last.ref();
      last.postMessage('close' satisfies CheckpointRequest);
      await ended;
    },
  };
};
