/**
 * npm, as a program of its own: the one that this machine has.
 *
 * NP1 It runs no scripts of the packages that it installs, and sees of the server's environment only where things are.
 */
import { spawn } from 'node:child_process';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { type Clock, sleep } from '../../ports/clock.ts';

export type NpmOptions = { readonly clock: Clock; readonly environment: Readonly<Record<string, string>> };

const mostMs = 5 * 60_000;
const shownCharacters = 2_000;

/** A name of a package, perhaps with a version or a tag: never an option, a path or an address. */
export const isPackageSpec = (text: string): boolean =>
  /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?:@[\w.^~*+<>=-]{1,64})?$/i.test(text) && text.length <= 214 + 65;

const missing =
  'npm was not found on this machine (PATH): it is needed to install mini-tools from npm and from .tgz files. A folder can be installed without it.';

/** What it wrote to its standard output; rejects with `invalid_request` and what it said. */
export const runNpm = async (args: readonly string[], cwd: string, { clock, environment }: NpmOptions): Promise<string> => {
  const child = spawn('npm', [...args], {
    cwd,
    // Older ones know no `--allow-git`: then there is no git.
    env: { ...environment, npm_config_update_notifier: 'false', npm_config_git: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] = (said[name] + text).slice(-64 * 1024);
    });
  const enough = new AbortController();
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'ENOENT' ? new TurnkeeperError('not_supported', missing) : error));
    child.once('close', (code) => resolve(code));
  });
  const late = sleep(clock, mostMs, enough.signal).then(
    () => 'late' as const,
    () => 'late' as const,
  );
  try {
    const end = await Promise.race([ended, late]);
    if (end === 'late') throw new TurnkeeperError('invalid_request', `npm was not done after ${mostMs / 60_000} minutes.`);
    if (end !== 0) throw new TurnkeeperError('invalid_request', `npm could not do it:\n${said.stderr.trim().slice(-shownCharacters)}`);
    return said.stdout;
  } finally {
    enough.abort();
    if (child.exitCode === null && child.pid !== undefined) {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    }
  }
};
