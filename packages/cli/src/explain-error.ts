/** Says what an error of the client means on the command line: which server was tried, and where the token came from. */
import { join } from 'node:path';
import { dataFolder } from './data-folder.ts';
import type { Io } from './io.ts';

const withMessage = (error: Error & { readonly code?: unknown }, message: string): Error =>
  Object.assign(new Error(message, { cause: error }), { code: error.code });

export const explainError = (
  error: unknown,
  io: Pick<Io, 'env' | 'cwd'>,
  { data, url }: { readonly data?: string | undefined; readonly url: string },
): unknown => {
  if (!(error instanceof Error)) return error;
  const { code } = error as { readonly code?: unknown };
  if (code !== 'unreachable' && code !== 'unauthenticated') return error;
  const folder = dataFolder(io, data);
  if (code === 'unreachable') {
    const fault = /in time/.test(error.message) ? `${url} did not answer in time.` : `${url} cannot be reached.`;
    return withMessage(error, `${fault} Start a server with: turnkeeper serve (in a checkout: npm start), or name another with TURNKEEPER_URL.`);
  }
  const source = io.env['TURNKEEPER_TOKEN'] ? 'the token in TURNKEEPER_TOKEN' : `the token in ${join(folder, 'cli-token')}`;
  return withMessage(error, `${url} does not accept ${source}. Set TURNKEEPER_TOKEN to one of its tokens, or use the data folder of the server (--data).`);
};
