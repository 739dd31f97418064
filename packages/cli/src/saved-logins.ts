/**
 * Tokens of `turnkeeper login`: one file of the user's own, by the server's address.
 *
 * SL1 A token is sent to the address that it was made for and to no other. SL2 Only its owner reads the file (0600).
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from './exit-codes.ts';
import type { Io } from './io.ts';

export type SavedLogin = { readonly token: string; readonly username?: string };
type Saved = { readonly last?: string; readonly logins: { readonly [url: string]: SavedLogin } };

/** Undefined where the user has no home. */
const loginsFile = ({ env }: Pick<Io, 'env'>): string | undefined => {
  const home = env['HOME'] || env['USERPROFILE'];
  const folder = env['TURNKEEPER_CONFIG_DIR'] || (env['XDG_CONFIG_HOME'] && join(env['XDG_CONFIG_HOME'], 'turnkeeper'));
  if (folder) return join(folder, 'logins.json');
  return home ? join(home, '.config', 'turnkeeper', 'logins.json') : undefined;
};

const read = (file: string | undefined): Saved => {
  if (file === undefined) return { logins: {} };
  try {
    const { last, logins } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Saved>;
    return { ...(typeof last === 'string' ? { last } : {}), logins: logins !== null && typeof logins === 'object' ? logins : {} };
  } catch {
    // Not there, or not ours to read: nobody is signed in.
    return { logins: {} };
  }
};

const write = (file: string, saved: Saved): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Put in its place whole: a full disk or a second login must not leave half a file.
  const next = `${file}.${process.pid}.new`;
  writeFileSync(next, `${JSON.stringify(saved, null, 2)}\n`, { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, file);
};

export const savedLogin = (io: Pick<Io, 'env'>, url: string): SavedLogin | undefined => {
  const { logins } = read(loginsFile(io));
  return Object.hasOwn(logins, url) ? logins[url] : undefined;
};

/** The server that was signed in to last. */
export const lastLoginUrl = (io: Pick<Io, 'env'>): string | undefined => {
  const { last, logins } = read(loginsFile(io));
  return last !== undefined && Object.hasOwn(logins, last) ? last : undefined;
};

/** Returns the file. */
export const saveLogin = (io: Pick<Io, 'env'>, url: string, login: SavedLogin): string => {
  const file = loginsFile(io);
  if (file === undefined) throw new UsageError('There is no home folder to keep the token in. Set TURNKEEPER_CONFIG_DIR, or use TURNKEEPER_TOKEN.');
  write(file, { last: url, logins: { ...read(file).logins, [url]: login } });
  return file;
};

/** False when there was none. */
export const forgetLogin = (io: Pick<Io, 'env'>, url: string): boolean => {
  const file = loginsFile(io);
  const saved = read(file);
  if (file === undefined || !Object.hasOwn(saved.logins, url)) return false;
  const { [url]: _, ...logins } = saved.logins;
  write(file, { ...(saved.last !== undefined && saved.last !== url ? { last: saved.last } : {}), logins });
  return true;
};
