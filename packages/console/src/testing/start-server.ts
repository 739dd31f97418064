/** The real server as a child process, on a data folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const adminToken = 'browser-test-admin-token-0123456789';
const bin = join(import.meta.dirname, '..', '..', '..', 'cli', 'bin', 'turnkeeper.js');

export type TestServer = {
  readonly url: string;
  readonly folder: string;
  /** Ends the process (`SIGKILL`: as a crash does) and starts another on the same folder and port. */
  readonly restart: (signal: NodeJS.Signals) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => (child.exitCode !== null || child.signalCode !== null ? resolve() : child.once('exit', () => resolve())));

const launch = (folder: string, port: string, more: NodeJS.ProcessEnv): Promise<{ child: ChildProcess; url: string }> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, TURNKEEPER_ADMIN_TOKEN: adminToken, ...more };
    const child = spawn(process.execPath, [bin, 'serve', '--port', port, '--data', folder], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const hear = (piece: Buffer): void => {
      said += piece.toString();
      const url = /listening on (http:\S+)/.exec(said)?.[1];
      if (url) resolve({ child, url });
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${said}`)));
  });

export const startTestServer = async (env: NodeJS.ProcessEnv = {}): Promise<TestServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'turnkeeper-browser-'));
  let { child, url } = await launch(folder, '0', env);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended(child);
  };
  return {
    url,
    folder,
    restart: async (signal) => {
      await end(signal);
      ({ child, url } = await launch(folder, new URL(url).port, env));
    },
    stop: async () => {
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
