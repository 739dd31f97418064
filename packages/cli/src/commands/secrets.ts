/** `turnkeeper secrets`: values that definitions refer to by name. A value is typed unseen or piped in, never an argument. */
import { userNames } from '../actor-name.ts';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printList } from '../output/print-list.ts';
import { askSecret, confirmed } from '../prompt.ts';
import { atText } from '../time.ts';

export const listSecrets = async (context: CommandContext): Promise<ExitCode> => {
  const { items } = await context.client.secrets.list();
  const nameOf = context.json ? (id: string) => id : await userNames(context.client);
  printList(context, items, { none: 'No secrets.', row: ({ name, updatedAt, updatedBy }) => [name, atText(updatedAt), nameOf(updatedBy)] });
  return exitCodes.completed;
};

export const setSecret = async (context: CommandContext, name: string): Promise<ExitCode> => {
  await context.client.secrets.put(name, await askSecret(context.io, 'Value', { multiline: true }));
  if (context.json) context.printJson({ name });
  else context.print(`set ${name}`);
  return exitCodes.completed;
};

export const removeSecret = async (context: CommandContext, name: string, { yes }: { readonly yes?: boolean }): Promise<ExitCode> => {
  const { client, io, json, print, printJson, note } = context;
  if (!(await confirmed(io, `Delete the secret ${name}? Tools that refer to it will fail.`, yes))) {
    note('Not deleted.');
    return exitCodes.failed;
  }
  await client.secrets.delete(name);
  if (json) printJson({ deleted: name });
  else print(`deleted ${name}`);
  return exitCodes.completed;
};
