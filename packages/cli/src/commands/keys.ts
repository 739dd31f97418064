/** `turnkeeper keys`: keys of applications. A key is printed alone, once, so that a script can take it. */
import {
  type ApplicationResource,
  type CreatedCredential,
  type CredentialResource,
  type Scope,
  scopes,
  type TargetGrant,
} from '@turnkeeper/core/protocol/wire/identity';
import type { CommandContext } from '../command-context.ts';
import { everyItem } from '../every-page.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { printList } from '../output/print-list.ts';
import { oneLine } from '../output/printable.ts';
import { pickApplication } from '../pick-named.ts';
import { pickOne } from '../pick-one.ts';
import { programName } from '../program-name.ts';
import { confirmed } from '../prompt.ts';
import { expiryText, lastUsedText } from '../time.ts';

export type KeyOptions = { readonly app?: string };
export type CreateKeyOptions = KeyOptions & { readonly name?: string; readonly scopes: string; readonly target: readonly string[]; readonly expires?: number };

const stateText = ({ revokedAt, expiresAt }: CredentialResource): string => (revokedAt === null ? expiryText(expiresAt) : 'revoked');
const targetText = ({ type, id }: TargetGrant): string => `${type}:${id}`;

export const listKeys = async (context: CommandContext, { app }: KeyOptions): Promise<ExitCode> => {
  const application = await pickApplication(context.client, app);
  const items = await everyItem((page) => context.client.credentials.list(application.id, page));
  printList(context, items, {
    none: `${application.name} has no keys. Make one with: ${programName} keys create --app ${application.id}`,
    row: (key) => [
      key.id,
      `${key.prefix}…`,
      oneLine(key.name, 30),
      key.scopes.join(','),
      key.targets.map(targetText).join(','),
      lastUsedText(key.lastUsedAt),
      stateText(key),
    ],
  });
  return exitCodes.completed;
};

const readScopes = (text: string): Scope[] => {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) throw new UsageError(`--scopes is empty: a key without a scope can do nothing. There are: ${scopes.join(', ')}`);
  const found = scopes.filter((scope) => names.includes(scope));
  const unknown = names.filter((name) => !(scopes as readonly string[]).includes(name));
  if (unknown.length > 0) throw new UsageError(`--scopes: there is no ${unknown.join(', ')}. There are: ${scopes.join(', ')}`);
  return found;
};

const readTarget = (text: string): TargetGrant => {
  const [, type, id] = /^(agent|team|workflow):(.+)$/.exec(text) ?? [];
  if (!type || !id) throw new UsageError(`--target "${text}": agent:<key or id>, or agent:* for every one.`);
  return { type: type as TargetGrant['type'], id };
};

const printKey = ({ json, print, printJson, note }: CommandContext, created: CreatedCredential): ExitCode => {
  if (json) printJson(created);
  else print(created.apiKey);
  note(`${created.credential.id}. Keep the key now: it is not shown again.`);
  return exitCodes.completed;
};

export const createKey = async (context: CommandContext, options: CreateKeyOptions): Promise<ExitCode> => {
  const wanted = { scopes: readScopes(options.scopes), targets: options.target.map(readTarget) };
  const application = await pickApplication(context.client, options.app);
  const expiry = options.expires === undefined ? {} : { expiresAt: options.expires };
  return printKey(context, await context.client.credentials.create(application.id, { name: options.name ?? 'key', ...wanted, ...expiry }));
};

const pickKey = async (
  { client }: CommandContext,
  ref: string,
  { app }: KeyOptions,
): Promise<{ application: ApplicationResource; key: CredentialResource }> => {
  const application = await pickApplication(client, app);
  const items = await everyItem((page) => client.credentials.list(application.id, page));
  const list = `turnkeeper keys ls --app ${application.id}`;
  const isOver = ({ revokedAt }: CredentialResource): boolean => revokedAt !== null;
  return { application, key: pickOne(items, ref, { what: 'key', id: ({ id }) => id, name: ({ name }) => name, state: stateText, isOver, list }) };
};

export const rotateKey = async (context: CommandContext, ref: string, options: KeyOptions & { readonly expires?: number }): Promise<ExitCode> => {
  const { application, key } = await pickKey(context, ref, options);
  const created = await context.client.credentials.rotate(application.id, key.id, options.expires === undefined ? {} : { expiresAt: options.expires });
  context.note(`The old one works until you revoke it: ${programName} keys revoke ${key.id} --app ${application.id}`);
  return printKey(context, created);
};

export const revokeKey = async (context: CommandContext, ref: string, options: KeyOptions & { readonly yes?: boolean }): Promise<ExitCode> => {
  const { client, io, json, print, printJson, note } = context;
  const { application, key } = await pickKey(context, ref, options);
  const question = `Revoke ${key.id} (${oneLine(key.name, 40)}) of ${oneLine(application.name, 40)}? What uses it stops working at once.`;
  if (!(await confirmed(io, question, options.yes))) {
    note('Not revoked.');
    return exitCodes.failed;
  }
  await client.credentials.revoke(application.id, key.id);
  if (json) printJson({ revoked: key.id });
  else print(`revoked ${key.id}`);
  return exitCodes.completed;
};
