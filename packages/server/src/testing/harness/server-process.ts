/** A server in a process of its own, started, killed and started again on the same port and data. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';

export type ServerProcess = {
  readonly url: string;
  readonly token: string;
  /** Resolves when it listens. */
  readonly start: () => Promise<void>;
  /** Stops the process where it stands (SIGSTOP), and lets it go on (SIGCONT): it does not notice but by its clocks. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** `kill -9`; resolves when the process is gone. */
  readonly kill: () => Promise<void>;
  /** SIGTERM, as at a deploy; resolves when the process is gone, rejects when it does not go. */
  readonly stop: () => Promise<void>;
  /** What it last wrote to its error output. */
  readonly complaints: () => string;
};

export type ServerProcessOptions = { readonly dataFolder: string; readonly databaseUrl?: string; readonly env?: Readonly<Record<string, string>> };

/** Running work gets 10 s, the rest is quick; the machine may not be. */
const mostDrainMs = 120_000;

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : new Promise((resolve) => child.once('exit', () => resolve()));

export const createServerProcess = async ({ dataFolder, databaseUrl, env = {} }: ServerProcessOptions): Promise<ServerProcess> => {
  const port = await freePort();
  const token = 'test-token-of-the-first-admin';
  const script = fileURLToPath(new URL('./serve-for-test.ts', import.meta.url));
  let child: ChildProcess | undefined;
  let complaints = '';

  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const started = spawn(process.execPath, [script], {
        env: {
          ...process.env,
          PORT: String(port),
          HOST: '127.0.0.1',
          TURNKEEPER_DATA_DIR: dataFolder,
          TURNKEEPER_ADMIN_TOKEN: token,
          TURNKEEPER_LOG_LEVEL: 'error',
          TURNKEEPER_DEMO: '0',
          ...(databaseUrl === undefined ? {} : { TURNKEEPER_DATABASE_URL: databaseUrl }),
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      let said = '';
      started.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('listening on')) resolve();
      });
      started.stderr.on('data', (chunk: Buffer) => {
        complaints = (complaints + chunk.toString()).slice(-20_000);
      });
      started.once('exit', (code, signal) => reject(new Error(`the server ended at its start (${code ?? signal}): ${complaints}`)));
    });

  return {
    url: `http://127.0.0.1:${port}`,
    token,
    start,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    kill: async () => {
      child?.kill('SIGKILL');
      if (child) await ended(child);
    },
    stop: async () => {
      if (!child) return;
      child.kill('SIGTERM');
      const gone = await Promise.race([ended(child).then(() => true), wait(mostDrainMs, false, { ref: false })]);
      if (!gone) throw new Error(`the server did not end within ${mostDrainMs} ms of SIGTERM`);
    },
    complaints: () => complaints,
  };
};
