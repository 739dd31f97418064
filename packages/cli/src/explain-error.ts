/** Says what an error of the client means on the command line: which server was tried, and where the token came from. */
import { join } from 'node:path';
import type { CredentialSource } from './connect.ts';
import { dataFolder } from './data-folder.ts';
import type { Io } from './io.ts';
import { programName, startCommand } from './program-name.ts';

const withMessage = (error: Error & { readonly code?: unknown }, message: string): Error =>
  Object.assign(new Error(message, { cause: error }), { code: error.code });

export type Tried = { readonly data?: string | undefined; readonly url: string; readonly source: CredentialSource };

const sourceText = (io: Pick<Io, 'env' | 'cwd'>, { data, source }: Tried): string => {
  switch (source) {
    case 'TURNKEEPER_TOKEN':
      return 'the token in TURNKEEPER_TOKEN';
    case 'TURNKEEPER_API_KEY':
      return 'the key in TURNKEEPER_API_KEY';
    case 'login':
      return 'the token of your last login (any more)';
    case 'cli-token':
      return `the token in ${join(dataFolder(io, data), 'cli-token')}`;
  }
};

/** What to do about a credential that is refused: a variable that is set wins over every login, so it must go first. */
export const credentialAdvice = (source: CredentialSource, url: string): string => {
  switch (source) {
    case 'TURNKEEPER_TOKEN':
      return `Set TURNKEEPER_TOKEN to one of its tokens; or unset it, and sign in with: ${programName} login --url ${url}`;
    case 'TURNKEEPER_API_KEY':
      return `Set TURNKEEPER_API_KEY to a key that is not revoked or expired; or unset it, and sign in with: ${programName} login --url ${url}`;
    case 'login':
      return `Sign in again with: ${programName} login --url ${url}`;
    case 'cli-token':
      return `Use the data folder of the server (--data), or sign in with: ${programName} login --url ${url}`;
  }
};

export const explainError = (error: unknown, io: Pick<Io, 'env' | 'cwd'>, tried: Tried): unknown => {
  if (!(error instanceof Error)) return error;
  const { code } = error as { readonly code?: unknown };
  const { url, source } = tried;
  if (code === 'unreachable') {
    const fault = /in time/.test(error.message) ? `${url} did not answer in time.` : `${url} cannot be reached.`;
    return withMessage(error, `${fault} Start a server with: ${startCommand}, or name another with TURNKEEPER_URL.`);
  }
  if (code !== 'unauthenticated') return error;
  return withMessage(error, `${url} does not accept ${sourceText(io, tried)}. ${credentialAdvice(source, url)}`);
};
