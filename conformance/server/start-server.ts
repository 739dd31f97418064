/** Starts `turnkeeper serve` as a process of its own, as anyone would. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type StartedServer = { readonly url: string; readonly token: string; readonly stop: () => Promise<void> };

const command = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'bin', 'turnkeeper.js');

export const startServer = async (flags: readonly string[] = []): Promise<StartedServer> => {
  const data = mkdtempSync(join(tmpdir(), 'turnkeeper-conformance-'));
  writeFileSync(join(data, 'turnkeeper.config.json'), JSON.stringify({ rateLimits: { requestsPerMinute: 10_000_000, failedSignInsPerMinute: 10_000_000 } }));
  const token = `tk_conformance_${crypto.randomUUID()}`;
  const child = spawn(process.execPath, [command, 'serve', '--port', '0', '--data', data, '--no-demo', ...flags], {
    env: { ...process.env, TURNKEEPER_ADMIN_TOKEN: token, TURNKEEPER_WEBHOOK_ALLOW_PRIVATE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = /listening on (http:\/\/\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    void exited.then(() => reject(new Error(`The server ended before it listened:\n${output}`)));
  });
  return {
    url,
    token,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      rmSync(data, { recursive: true, force: true });
    },
  };
};
