/** `turnkeeper login`, `logout`, `whoami`: who this terminal is. */
import { createClient } from '@turnkeeper/client/create-client';
import type { MeAnswer } from '@turnkeeper/core/protocol/wire/identity';
import type { CommandContext, CommonOptions, Printer } from '../command-context.ts';
import { createPrinter } from '../command-context.ts';
import { actingAsMachine, findUrl } from '../connect.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { explainError } from '../explain-error.ts';
import type { Io } from '../io.ts';
import { askLine, askSecret, canAsk } from '../prompt.ts';
import { forgetLogin, saveLogin } from '../saved-logins.ts';

export type LoginOptions = CommonOptions & { readonly username?: string; readonly token?: boolean };

type NewLogin = { readonly token: string; readonly username: string };

const byPassword = async (io: Io, url: string, options: LoginOptions): Promise<NewLogin> => {
  if (!options.username && !canAsk(io)) throw new UsageError('Without a terminal: --username <name>, and the password on standard input.');
  const username = options.username ?? (await askLine(io, 'Username: '))?.trim();
  if (!username) throw new UsageError('No username was given.');
  const { token } = await createClient({ baseUrl: url }).account.login(username, await askSecret(io, 'Password'));
  return { token, username };
};

/** A token that exists already. It is tried before it is kept. */
const byToken = async (io: Io, url: string): Promise<NewLogin> => {
  const token = (await askSecret(io, 'Token')).trim();
  const { user } = await createClient({ baseUrl: url, token }).account.me();
  if (!user) throw new UsageError('That is the key of an application, not a token of a user. Use it with TURNKEEPER_API_KEY.');
  return { token, username: user.username };
};

const noteMachine = (io: Io, url: string, options: CommonOptions): void => {
  const text = actingAsMachine(io, url, options);
  if (text !== undefined) createPrinter(io, options).note(text);
};

const newLogin = async (io: Io, url: string, options: LoginOptions): Promise<NewLogin> => {
  try {
    return await (options.token ? byToken(io, url) : byPassword(io, url, options));
  } catch (error) {
    // Refused here means what was typed just now, not what a terminal had before: the server's own words say it.
    if ((error as { readonly code?: unknown }).code === 'unauthenticated') {
      noteMachine(io, url, options);
      throw error;
    }
    throw explainError(error, io, { data: options.data, url, source: 'login' });
  }
};

export const login = async (io: Io, options: LoginOptions): Promise<ExitCode> => {
  const printer = createPrinter(io, options);
  const url = findUrl(io, options);
  const { token, username } = await newLogin(io, url, options);
  const file = saveLogin(io, url, { token, username });
  if (printer.json) printer.printJson({ url, username, file });
  else printer.print(`Signed in to ${url} as ${username}.`);
  printer.note(`The token is kept in ${file}, for you alone to read.`);
  overruled(io, printer);
  return exitCodes.completed;
};

const overruled = ({ env }: Io, { note }: Printer): void => {
  const name = env['TURNKEEPER_TOKEN'] ? 'TURNKEEPER_TOKEN' : env['TURNKEEPER_API_KEY'] ? 'TURNKEEPER_API_KEY' : undefined;
  if (name) note(`${name} is set: it wins over this login until it is unset.`);
};

/** Ends the token at the server, too, where that can be reached. */
export const logout = async (io: Io, options: CommonOptions, savedToken: (url: string) => string | undefined): Promise<ExitCode> => {
  const { json, print, printJson, note } = createPrinter(io, options);
  const url = findUrl(io, options);
  const token = savedToken(url);
  if (token !== undefined)
    await createClient({ baseUrl: url, token })
      .account.logout()
      .catch((error: unknown) => note(`The server could not be told: ${(error as Error).message}`));
  const forgotten = forgetLogin(io, url);
  if (json) printJson({ url, forgotten });
  else print(forgotten ? `Signed out of ${url}.` : `There was no login for ${url}.`);
  noteMachine(io, url, options);
  return exitCodes.completed;
};

const text = ({ user, key, client }: MeAnswer): string => {
  if (user) return `${user.username} (${user.displayName}) · ${user.roles.join(', ')} · ${user.id}`;
  if (key)
    return `key ${key.id} of ${key.applicationName} · scopes ${key.scopes.join(', ')} · targets ${key.targets.map(({ type, id }) => `${type}:${id}`).join(', ')}`;
  if (client) return `a client’s token for ${client.sessionId} · scopes ${client.scopes.join(', ')}`;
  return 'nobody';
};

export const whoami = async ({ client, url, json, print, printJson, note }: CommandContext): Promise<ExitCode> => {
  const me = await client.account.me();
  if (json) printJson({ url, ...me });
  else print(text(me));
  note(url);
  return exitCodes.completed;
};
