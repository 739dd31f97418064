/** A process that speaks the channel by hand (raw-child.mjs). */
import { fileURLToPath } from 'node:url';
import { MinitoolProcess, type ProcessOptions } from '../../minitools/process/minitool-process.ts';
import { systemClock } from '../../ports/clock.ts';

const entry = fileURLToPath(new URL('./raw-child.mjs', import.meta.url));

export type RawProcess = {
  readonly process: MinitoolProcess;
  readonly logged: readonly string[];
  /** Has it do something; what it answers. */
  readonly act: (act: string, params?: object, signal?: AbortSignal) => Promise<unknown>;
};

export const startRaw = (options: Partial<ProcessOptions> = {}): RawProcess => {
  const logged: string[] = [];
  const process = new MinitoolProcess({
    entry,
    flags: ['--permission', `--allow-fs-read=${entry}`, '--max-old-space-size=64'],
    folder: fileURLToPath(new URL('.', import.meta.url)),
    clock: systemClock,
    log: (level, message) => logged.push(`${level} ${message}`),
    onRequest: async () => ({}),
    onNotice: (method, params) => logged.push(`notice ${method} ${JSON.stringify(params).slice(0, 100)}`),
    report: (error) => logged.push(`report ${String(error)}`),
    ...options,
  });
  return { process, logged, act: (act, params = {}, signal) => process.request('execute', { act, ...params } as never, signal) };
};
