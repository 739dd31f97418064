/** `turnkeeper archive`, `restore`, `rm`: putting a session away, taking it out again, deleting it. */
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { oneLine } from '../output/printable.ts';
import { confirmed } from '../prompt.ts';
import { resolveSession } from '../session-ref.ts';

const named = ({ id, title }: SessionResource): string => `${id} (${oneLine(title || 'no title', 60)})`;

const move = async (context: CommandContext, ref: string, how: 'archive' | 'restore'): Promise<ExitCode> => {
  const { client, json, print, printJson } = context;
  const { id } = await resolveSession(client, ref);
  const session = await client.sessions[how](id);
  if (json) printJson(session);
  else print(`${how === 'archive' ? 'archived' : 'restored'} ${named(session)}`);
  return exitCodes.completed;
};

export const archive = (context: CommandContext, ref: string): Promise<ExitCode> => move(context, ref, 'archive');
export const restore = (context: CommandContext, ref: string): Promise<ExitCode> => move(context, ref, 'restore');

export type RmOptions = { readonly yes?: boolean };

export const rm = async (context: CommandContext, ref: string, { yes }: RmOptions): Promise<ExitCode> => {
  const { client, io, json, print, printJson, note } = context;
  const session = await resolveSession(client, ref);
  if (!(await confirmed(io, `Delete ${named(session)} for good, with all that was said in it?`, yes))) {
    note('Not deleted.');
    return exitCodes.failed;
  }
  await client.sessions.delete(session.id);
  if (json) printJson({ deleted: session.id });
  else print(`deleted ${session.id}`);
  return exitCodes.completed;
};
