/** `turnkeeper spaces`: shared lists, and who sees them. */
import type { CommandContext } from '../command-context.ts';
import { everyItem } from '../every-page.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printList } from '../output/print-list.ts';
import { oneLine } from '../output/printable.ts';
import { pickUserId } from '../pick-named.ts';

export const listSpaces = async (context: CommandContext): Promise<ExitCode> => {
  const items = await everyItem(context.client.spaces.list);
  printList(context, items, { none: 'No spaces.', row: ({ id, name, role }) => [id, role ?? '', oneLine(name, 60)] });
  return exitCodes.completed;
};

export const createSpace = async (context: CommandContext, id: string, { name }: { readonly name?: string }): Promise<ExitCode> => {
  const space = await context.client.spaces.create({ id, ...(name ? { name } : {}) });
  if (context.json) context.printJson(space);
  else context.print(`made ${space.id}`);
  return exitCodes.completed;
};

export const listMembers = async (context: CommandContext, space: string): Promise<ExitCode> => {
  const items = await everyItem((page) => context.client.spaces.members(space, page));
  printList(context, items, { none: 'No members.', row: ({ userId, username, displayName, role }) => [userId, username, role, oneLine(displayName, 40)] });
  return exitCodes.completed;
};

export const addMember = async (context: CommandContext, space: string, ref: string, role: 'member' | 'manager'): Promise<ExitCode> => {
  // Looked up among the members first: who manages a space need not see all users.
  const members = await everyItem((page) => context.client.spaces.members(space, page)).catch(() => []);
  const userId = members.find((member) => member.username === ref)?.userId ?? (await pickUserId(context.client, ref));
  await context.client.spaces.putMember(space, userId, role);
  if (context.json) context.printJson({ space, userId, role });
  else context.print(`${ref} is a ${role} of ${space}`);
  return exitCodes.completed;
};

/** Looked up among the members: who manages a space need not see all users. */
export const removeMember = async (context: CommandContext, space: string, ref: string): Promise<ExitCode> => {
  const { client, json, print, printJson } = context;
  const items = await everyItem((page) => client.spaces.members(space, page));
  const member = items.find(({ userId, username }) => userId === ref || username === ref);
  const userId = member?.userId ?? ref;
  await client.spaces.removeMember(space, userId);
  if (json) printJson({ space, removed: userId });
  else print(`${member?.username ?? userId} is no member of ${space} any more`);
  return exitCodes.completed;
};
