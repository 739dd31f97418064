/** The data folder of a local server: where it is, and what a running server writes there for the command line. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Io } from './io.ts';

export const dataFolder = ({ env, cwd }: Pick<Io, 'env' | 'cwd'>, option?: string): string =>
  resolve(cwd, option ?? (env['TURNKEEPER_DATA_DIR'] || '.turnkeeper'));

export type LocalServer = { readonly url: string; readonly pid: number };

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process: it lives, we may only not signal it.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** The server that runs on this folder, if one does. A file left by one that was killed does not count. */
export const localServer = (folder: string): LocalServer | undefined => {
  const text = readText(join(folder, 'server.json'));
  if (text === undefined) return undefined;
  try {
    const { url, pid } = JSON.parse(text) as Partial<LocalServer>;
    return typeof url === 'string' && typeof pid === 'number' && isAlive(pid) ? { url, pid } : undefined;
  } catch {
    return undefined;
  }
};

/** The token that the server wrote for this machine's command line (mode 0600). */
export const localToken = (folder: string): string | undefined => readText(join(folder, 'cli-token'))?.trim() || undefined;
