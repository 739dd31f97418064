/**
 * The shortest proof that the product starts as the README says: `npm start`, one line, a healthy answer, and a stop
 * that drains. `npm run smoke` prints `ok` or `not ok` a check and exits 0 or 1.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './repository.ts';

const startMs = 120_000;
const drainMs = 20_000;

let failed = 0;
const check = (name: string, passed: boolean, detail = ''): void => {
  if (!passed) failed += 1;
  console.log(`${passed ? 'ok' : 'not ok'} ${name}${passed || detail === '' ? '' : `: ${detail}`}`);
};

const after = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());

/** The URL of the line `listening on http://…`, or undefined when the process ends or takes too long. */
const listening = (child: ChildProcess, output: string[]): Promise<string | undefined> => {
  const seen = new Promise<string | undefined>((resolve) => {
    const look = (chunk: Buffer): void => {
      output.push(chunk.toString());
      const url = /listening on (http:\/\/\S+)/.exec(output.join(''))?.[1];
      if (url) resolve(url);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('exit', () => resolve(undefined));
  });
  return Promise.race([seen, after(startMs)]);
};

const healthy = async (url: string): Promise<string> => {
  try {
    const answer = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(5_000) });
    return String(answer.status);
  } catch (error) {
    return String(error);
  }
};

/** Everything that the child started has its process group. */
const signalGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
};

const smoke = async (): Promise<void> => {
  const data = mkdtempSync(join(tmpdir(), 'turnkeeper-smoke-'));
  const child = spawn('npm', ['start', '--', '--port', '0', '--data', data], { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code, signal) => resolve(signal === null ? code : null)));
  const output: string[] = [];
  try {
    const url = await listening(child, output);
    check('npm start prints "listening on http://…"', url !== undefined, `\n${output.join('').slice(-4_000)}`);
    if (url === undefined) return;
    check('GET /healthz answers 200', (await healthy(url)) === '200', await healthy(url));
    // Only npm gets the signal, as from a process supervisor: it must reach the server.
    child.kill('SIGTERM');
    const ended = await Promise.race([exited.then((code) => ({ code })), after(drainMs)]);
    check(`SIGTERM ends it within ${drainMs / 1_000} s`, ended !== undefined, `\n${output.join('').slice(-4_000)}`);
    check('it has let go of its port', (await healthy(url)).startsWith('TypeError'), await healthy(url));
  } finally {
    signalGroup(child, 'SIGKILL');
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  }
};

await smoke();
process.exitCode = failed === 0 ? 0 : 1;
