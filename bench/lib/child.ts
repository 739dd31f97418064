/** A server as a child process: started, measured, ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Child = {
  readonly url: string;
  readonly pid: number;
  readonly folder: string;
  readonly startMs: number;
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
};

const ticksPerSecond = 100;
export const benchToken = 'bench-admin-token-0123456789';

/** CPU time that a process has used, in ms. */
export const cpuMs = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond;
};

/** Resident memory in MB. */
export const rssMb = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** CPU time of the whole machine that was not idle, in ms. */
export const machineBusyMs = (): number => {
  const fields = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/).slice(1).map(Number);
  const idle = (fields[3] ?? 0) + (fields[4] ?? 0);
  return ((fields.reduce((sum, field) => sum + field, 0) - idle) * 1_000) / ticksPerSecond;
};

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => (child.exitCode === null && child.signalCode === null ? child.once('exit', () => resolve()) : resolve()));

const start = async (args: readonly string[], folder: string, env: NodeJS.ProcessEnv, keep: boolean): Promise<Child> => {
  const from = performance.now();
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (piece: Buffer) => {
      output += piece.toString();
      const found = /listening on (http:\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the server ended (${code}): ${output}`)));
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended(child);
    if (!keep) rmSync(folder, { recursive: true, force: true });
  };
  return { url, pid: child.pid ?? 0, folder, startMs: performance.now() - from, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
};

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'turnkeeper-bench-'));

/** `from`: how many tokens it says by itself, or the address of the provider that it asks. */
export const startFloor = (from: number | string): Promise<Child> => {
  const folder = newFolder();
  return start([here('../floor/server.ts'), folder, String(from)], folder, {}, false);
};

export const startProvider = (tokens: number): Promise<Child> => start([here('../floor/provider.ts'), String(tokens)], newFolder(), {}, false);

export const startService = (
  options: { readonly database?: string; readonly folder?: string; readonly keep?: boolean; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Child> => {
  const folder = options.folder ?? newFolder();
  const database = options.database === undefined ? [] : ['--database', options.database];
  // One client makes all the load: the limit of a credential would be measured instead of the service.
  writeFileSync(join(folder, 'turnkeeper.config.json'), JSON.stringify({ rateLimits: { requestsPerMinute: 10_000_000 } }));
  const args = [here('../../packages/cli/bin/turnkeeper.js'), 'serve', '--port', '0', '--data', folder, '--no-demo', ...database];
  return start(args, folder, { TURNKEEPER_ADMIN_TOKEN: benchToken, ...options.env }, options.keep === true);
};
