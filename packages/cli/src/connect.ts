/**
 * Which server a command talks to: TURNKEEPER_URL with TURNKEEPER_TOKEN, else the one that runs on the data folder.
 * The local token is never sent to any other address.
 */
import { type Client, createClient } from '@turnkeeper/client/create-client';
import { dataFolder, localServer, localToken } from './data-folder.ts';
import { NoCredentialError, NoServerError, UsageError } from './exit-codes.ts';
import type { Io } from './io.ts';

export type ConnectOptions = { readonly data?: string | undefined };

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

export const findServer = (io: Pick<Io, 'env' | 'cwd'>, options: ConnectOptions = {}): { readonly url: string; readonly token: string } => {
  const folder = dataFolder(io, options.data);
  const local = localServer(folder);
  const url = io.env['TURNKEEPER_URL'] || local?.url;
  if (!url) throw new NoServerError(`No server runs on ${folder}. Start one with: npm start\n(or name another with TURNKEEPER_URL and TURNKEEPER_TOKEN)`);
  if (!/^https?:\/\//i.test(url)) throw new UsageError(`TURNKEEPER_URL is "${url}": http:// (or https://) is missing at its beginning.`);
  const own = local && withoutSlash(local.url) === withoutSlash(url) ? localToken(folder) : undefined;
  const token = io.env['TURNKEEPER_TOKEN'] || own;
  if (!token) throw new NoCredentialError(`No token for ${url}. Set TURNKEEPER_TOKEN.`);
  return { url: withoutSlash(url), token };
};

export const connect = (io: Io, options: ConnectOptions = {}): { readonly url: string; readonly client: Client } => {
  const { url, token } = findServer(io, options);
  return { url, client: createClient({ baseUrl: url, token }) };
};
