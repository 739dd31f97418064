/** `turnkeeper users`: the people of an installation. */
import type { UserResource } from '@turnkeeper/core/protocol/wire/identity';
import type { CommandContext } from '../command-context.ts';
import { everyItem } from '../every-page.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { printList } from '../output/print-list.ts';
import { oneLine } from '../output/printable.ts';
import { pickUser } from '../pick-named.ts';
import { askSecret, canAsk, confirmed, pipedLines } from '../prompt.ts';

const row = ({ id, username, displayName, roles, status, hasPassword }: UserResource): string[] => [
  id,
  username,
  oneLine(displayName, 40),
  roles.join(','),
  status,
  hasPassword ? '' : 'no password',
];

export const listUsers = async (context: CommandContext): Promise<ExitCode> => {
  printList(context, await everyItem(context.client.users.list), { none: 'No users.', row });
  return exitCodes.completed;
};

const printUser = ({ json, print, printJson }: CommandContext, done: string, user: UserResource): ExitCode => {
  if (json) printJson(user);
  else print(`${done} ${user.username} (${user.id})`);
  return exitCodes.completed;
};

const rolesOf = (isAdmin: boolean): ('admin' | 'user')[] => (isAdmin ? ['admin', 'user'] : ['user']);

export type CreateUserOptions = { readonly admin?: boolean; readonly role?: 'admin' | 'user'; readonly name?: string; readonly password?: boolean };

/** The password is asked for, or read from standard input; `--no-password`: signs in by tokens only. */
export const createUser = async (context: CommandContext, username: string, options: CreateUserOptions): Promise<ExitCode> => {
  const password = options.password === false ? undefined : await askSecret(context.io, 'Password', { twice: true });
  const user = await context.client.users.create({
    username,
    roles: rolesOf(options.admin === true || options.role === 'admin'),
    ...(options.name ? { displayName: options.name } : {}),
    ...(password === undefined ? {} : { password }),
  });
  return printUser(context, 'made', user);
};

/** `admin`: undefined where neither `--admin` nor `--no-admin` was said. */
export type UpdateUserOptions = { readonly admin?: boolean; readonly name?: string };

/** What is not named stays. */
export const updateUser = async (context: CommandContext, ref: string, { admin, name }: UpdateUserOptions): Promise<ExitCode> => {
  const change = {
    ...(admin === undefined ? {} : { roles: rolesOf(admin) }),
    ...(name === undefined ? {} : { displayName: name }),
  };
  if (Object.keys(change).length === 0) throw new UsageError('Say what changes: --admin, --no-admin or --name.');
  const user = await pickUser(context.client, ref);
  return printUser(context, 'changed', await context.client.users.patch(user.id, change));
};

export const setUserStatus = async (context: CommandContext, ref: string, status: 'active' | 'disabled', yes?: boolean): Promise<ExitCode> => {
  const { client, io, note } = context;
  const user = await pickUser(client, ref);
  if (status === 'disabled' && !(await confirmed(io, `Disable ${user.username}? Their tokens stop working at once.`, yes))) {
    note('Not disabled.');
    return exitCodes.failed;
  }
  return printUser(context, status === 'disabled' ? 'disabled' : 'enabled', await client.users.patch(user.id, { status }));
};

type Passwords = { readonly password: string; readonly currentPassword?: string };

/** Typed, or piped in: the present one in a line above the new one. */
const askPasswords = async ({ io }: CommandContext, wantsPresent: boolean): Promise<Passwords> => {
  if (wantsPresent && !canAsk(io)) {
    const [currentPassword = '', password = ''] = await pipedLines(io, 'present password, and below it the new one,', 2);
    return { password, currentPassword };
  }
  const currentPassword = wantsPresent ? await askSecret(io, 'Present password') : undefined;
  const password = await askSecret(io, 'New password', { twice: true });
  return { password, ...(currentPassword === undefined ? {} : { currentPassword }) };
};

/** Without a name one's own, which wants the present one where there is one. */
export const setPassword = async (context: CommandContext, ref: string | undefined): Promise<ExitCode> => {
  const { client } = context;
  const { user: self } = await client.account.me();
  const user = ref === undefined ? self : ref === self?.username || ref === self?.id ? self : await pickUser(client, ref);
  if (!user) throw new UsageError('An application has no password.');
  await client.users.setPassword(user.id, await askPasswords(context, user.id === self?.id && user.hasPassword));
  return printUser(context, 'new password for', user);
};
