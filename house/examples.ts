/**
 * Runs every example against a server of its own, and one of them again with the client as others get it. `npm run
 * examples` prints `ok` or `not ok` a line and exits 0 or 1.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkBuiltClient } from './built-client.ts';
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

/** The agent that the README's tour makes. */
const makeGuide = async (url: string): Promise<void> => {
  const tools = ['time', 'calculator'].map((name) => ({ type: 'builtin', name }));
  const definition = { system: 'You are a friendly guide.', model: 'demo:welcome', tools };
  const body = JSON.stringify({ agentKey: 'guide', displayName: 'Guide', definition });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { status } = await fetch(`${url}/api/v1/agents`, { method: 'POST', headers, body });
  if (status !== 201) throw new Error(`the guide could not be made: ${status}`);
};

const data = mkdtempSync(join(tmpdir(), 'turnkeeper-examples-'));
const args = [join(root, 'packages/cli/bin/turnkeeper.js'), 'serve', '--port', '0', '--data', data, '--no-demo'];
const server = spawn(process.execPath, args, {
  env: { ...process.env, TURNKEEPER_ADMIN_TOKEN: token, TURNKEEPER_WEBHOOK_ALLOW_PRIVATE: '1' },
  stdio: ['ignore', 'pipe', 'pipe'],
});
const ended = exitOf(server);
try {
  const url = await listening(server);
  const files = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.ts'));
  if (files.length === 0) throw new Error('there is no example');
  await makeGuide(url);
  for (const file of files) if (!(await run(file, url))) process.exitCode = 1;
  for (const { name, fault } of checkBuiltClient(url, token)) {
    console.log(`${fault === undefined ? 'ok' : 'not ok'} ${name}${fault === undefined ? '' : `: ${fault}`}`);
    if (fault !== undefined) process.exitCode = 1;
  }
} finally {
  server.kill('SIGTERM');
  await ended;
  rmSync(data, { recursive: true, force: true, maxRetries: 5 });
}
