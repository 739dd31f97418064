/**
 * Which server a command talks to, and with what credential.
 *
 * The server: --url or TURNKEEPER_URL, else the one that runs on the data folder, else the one signed in to last. The
 * credential: TURNKEEPER_TOKEN or TURNKEEPER_API_KEY, else that of `turnkeeper login` for this server, else the token that
 * the local server wrote. The latter two are never sent to any other address.
 */
import { type Client, createClient } from '@turnkeeper/client/create-client';
import { dataFolder, localServer, localToken } from './data-folder.ts';
import { NoCredentialError, NoServerError, UsageError } from './exit-codes.ts';
import type { Io } from './io.ts';
import { programName, startCommand } from './program-name.ts';
import { lastLoginUrl, savedLogin } from './saved-logins.ts';

export type ConnectOptions = { readonly data?: string | undefined; readonly url?: string | undefined };
type Surroundings = Pick<Io, 'env' | 'cwd'>;

/** Where a credential came from: said when it is refused. */
export type CredentialSource = 'TURNKEEPER_TOKEN' | 'TURNKEEPER_API_KEY' | 'login' | 'cli-token';
export type Credential = { readonly source: CredentialSource; readonly token?: string; readonly apiKey?: string };

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The same port of this machine, whatever it is called: else `localhost` would have no token where `127.0.0.1` has one. */
const isSame = (a: string, b: string): boolean => {
  if (withoutSlash(a) === withoutSlash(b)) return true;
  if (!URL.canParse(a) || !URL.canParse(b)) return false;
  const [one, other] = [new URL(a), new URL(b)];
  return one.protocol === other.protocol && one.port === other.port && loopback.test(one.hostname) && loopback.test(other.hostname);
};

export const findUrl = (io: Surroundings, options: ConnectOptions = {}): string => {
  const folder = dataFolder(io, options.data);
  const named = options.url || io.env['TURNKEEPER_URL'];
  // Who names a data folder means its server, and no other.
  const url = named || localServer(folder)?.url || (options.data === undefined ? lastLoginUrl(io) : undefined);
  if (!url) throw new NoServerError(`No server runs on ${folder}.\nStart one with: ${startCommand}, or name another with TURNKEEPER_URL and TURNKEEPER_TOKEN.`);
  const name = options.url ? '--url' : 'TURNKEEPER_URL';
  if (!/^https?:\/\//i.test(url)) throw new UsageError(`${name} is "${url}": http:// (or https://) is missing at its beginning.`);
  return withoutSlash(url);
};

export const findCredential = (io: Surroundings, url: string, options: ConnectOptions = {}): Credential | undefined => {
  const { TURNKEEPER_TOKEN: token, TURNKEEPER_API_KEY: apiKey } = io.env;
  if (token) return { source: 'TURNKEEPER_TOKEN', token };
  if (apiKey) return { source: 'TURNKEEPER_API_KEY', apiKey };
  const saved = savedLogin(io, url);
  if (saved) return { source: 'login', token: saved.token };
  const folder = dataFolder(io, options.data);
  const local = localServer(folder);
  const own = local && isSame(local.url, url) ? localToken(folder) : undefined;
  return own ? { source: 'cli-token', token: own } : undefined;
};

/** Said where a login went: the next command may be somebody else. */
export const actingAsMachine = (io: Surroundings, url: string, options: ConnectOptions = {}): string | undefined =>
  findCredential(io, url, options)?.source === 'cli-token' ? "Commands here now act as admin, by this machine's own token." : undefined;

export type Connection = { readonly url: string; readonly credential: Credential; readonly client: Client };

export const connect = (io: Io, options: ConnectOptions = {}): Connection => {
  const url = findUrl(io, options);
  const credential = findCredential(io, url, options);
  if (!credential)
    throw new NoCredentialError(
      `No token for ${url}. Set TURNKEEPER_TOKEN, name the data folder of a server here (--data), or sign in with: ${programName} login --url ${url}`,
    );
  const { source: _, ...secret } = credential;
  return { url, credential, client: createClient({ baseUrl: url, ...secret }) };
};
