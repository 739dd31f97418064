/** `turnkeeper tokens`: the user's own tokens. */
import type { CommandContext } from '../command-context.ts';
import { everyItem } from '../every-page.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { printList } from '../output/print-list.ts';
import { oneLine } from '../output/printable.ts';
import { pickOne } from '../pick-one.ts';
import { confirmed } from '../prompt.ts';
import { expiryText, lastUsedText } from '../time.ts';

export const listTokens = async (context: CommandContext): Promise<ExitCode> => {
  const items = await everyItem(context.client.tokens.list);
  printList(context, items, {
    none: 'No tokens.',
    row: (token) => [token.id, oneLine(token.name, 40), lastUsedText(token.lastUsedAt), expiryText(token.expiresAt), token.current ? 'in use here' : ''],
  });
  return exitCodes.completed;
};

export type CreateTokenOptions = { readonly expires?: number };

/** The token alone goes to stdout, so that a script can take it. */
export const createToken = async (context: CommandContext, name: string | undefined, { expires }: CreateTokenOptions): Promise<ExitCode> => {
  if (!name) throw new UsageError('What is the token for? turnkeeper tokens create <name>');
  const { client, json, print, printJson, note } = context;
  const created = await client.tokens.create({ name, ...(expires === undefined ? {} : { expiresAt: expires }) });
  if (json) printJson(created);
  else print(created.token);
  note('Keep it now: it is not shown again.');
  return exitCodes.completed;
};

export const revokeToken = async (context: CommandContext, ref: string, { yes }: { readonly yes?: boolean }): Promise<ExitCode> => {
  const { client, io, json, print, printJson, note } = context;
  const items = await everyItem(client.tokens.list);
  const token = pickOne(items, ref, { what: 'token', id: ({ id }) => id, name: ({ name }) => name, list: 'turnkeeper tokens ls' });
  const own = token.current ? ' It is the one that this terminal uses.' : '';
  if (!(await confirmed(io, `Revoke the token ${token.id} (${oneLine(token.name, 40)})?${own}`, yes))) {
    note('Not revoked.');
    return exitCodes.failed;
  }
  await client.tokens.revoke(token.id);
  if (json) printJson({ revoked: token.id });
  else print(`revoked ${token.id}`);
  return exitCodes.completed;
};
