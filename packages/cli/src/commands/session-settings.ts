/** `turnkeeper session rename` and `session metadata`: what a session is called, and what is noted about it. */
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { oneLine, printable } from '../output/printable.ts';
import { resolveSession } from '../session-ref.ts';
import { metadataIn } from './new-session.ts';

export const renameSession = async ({ client, json, print, printJson }: CommandContext, ref: string, title: string): Promise<ExitCode> => {
  const { id } = await resolveSession(client, ref);
  const session = await client.sessions.patch(id, { title });
  if (json) printJson(session);
  else print(`${id} is called ${oneLine(session.title || '(no title)', 100)}`);
  return exitCodes.completed;
};

export type MetadataOptions = { readonly unset?: readonly string[] };

/** Without members it is shown. What is not named stays. */
export const sessionMetadata = async (context: CommandContext, ref: string, members: readonly string[], { unset = [] }: MetadataOptions): Promise<ExitCode> => {
  const { client, json, print, printJson } = context;
  const session = await resolveSession(client, ref);
  const set = metadataIn(members);
  const kept = Object.fromEntries(Object.entries(session.metadata ?? {}).filter(([key]) => !unset.includes(key)));
  const changes = members.length > 0 || unset.length > 0;
  const { metadata } = changes ? await client.sessions.patch(session.id, { metadata: { ...kept, ...set } }) : session;
  if (json) printJson(metadata);
  else print(printable(JSON.stringify(metadata, null, 2)));
  return exitCodes.completed;
};
