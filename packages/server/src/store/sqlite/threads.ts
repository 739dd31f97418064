/** Starts this folder's threads, from source (`.ts`) as from a build (`.js`). */
import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';

/** What was made of our sources is kept for threads too: without it each would bring a compiler of its own. */
const environment = (): NodeJS.ProcessEnv => {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
};

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** The thread does not keep the process alive while it has nothing to do: see `ref` at its users. */
export const startThread = (name: 'writer-thread' | 'checkpoint-thread', data: unknown): Worker => {
  const worker = new Worker(new URL(`./${name}.${extension}`, import.meta.url), { workerData: data, execArgv: [], name, env: environment() });
  worker.unref();
  return worker;
};

/** Resolves when the thread has ended, however it did. */
export const threadEnd = (worker: Worker): Promise<void> => new Promise((resolve) => worker.once('exit', () => resolve()));
