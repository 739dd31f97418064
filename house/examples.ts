/**
 * Runs every example against a server of its own. `npm run examples` prints `ok` or `not ok` an example and exits 0 or 1.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './repository.ts';

const token = 'examples-admin-token-0123456789';
const exampleMs = 60_000;

const exitOf = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.once('exit', resolve));

/** Where the server listens; rejects with what it said when it ends instead. */
const listening = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = '';
    const look = (chunk: Buffer): void => {
      output += chunk.toString();
      const url = /listening on (http:\/\/\S+)/.exec(output)?.[1];
      if (url) resolve(url);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output}`)));
  });

const run = async (file: string, url: string): Promise<boolean> => {
  const env = { ...process.env, TURNKEEPER_URL: url, TURNKEEPER_TOKEN: token };
  const child = spawn(process.execPath, [join(root, 'examples', file)], { env, stdio: 'inherit', timeout: exampleMs });
  const code = await exitOf(child);
  console.log(`${code === 0 ? 'ok' : 'not ok'} examples/${file}`);
  return code === 0;
};

const data = mkdtempSync(join(tmpdir(), 'turnkeeper-examples-'));
const args = [join(root, 'packages/cli/bin/turnkeeper.js'), 'serve', '--port', '0', '--data', data, '--no-demo'];
const server = spawn(process.execPath, args, { env: { ...process.env, TURNKEEPER_ADMIN_TOKEN: token }, stdio: ['ignore', 'pipe', 'pipe'] });
const ended = exitOf(server);
try {
  const url = await listening(server);
  const files = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.ts'));
  if (files.length === 0) throw new Error('there is no example');
  for (const file of files) if (!(await run(file, url))) process.exitCode = 1;
} finally {
  server.kill('SIGTERM');
  await ended;
  rmSync(data, { recursive: true, force: true, maxRetries: 5 });
}
