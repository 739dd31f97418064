/** `turnkeeper approvals --answered`: who answered what, when and from where, of the sessions that one may read; newest first. */
import type { AnsweredAction } from '@turnkeeper/core/protocol/wire/actions';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printList } from '../output/print-list.ts';
import { oneLine } from '../output/printable.ts';
import { atText } from '../time.ts';

const usual = 50;
const mostAtOnce = 200;

export const answeredActions = async (context: CommandContext, limit = usual): Promise<ExitCode> => {
  const { client, io } = context;
  const signal = io.interrupted.aborted ? {} : { signal: io.interrupted };
  const found: AnsweredAction[] = [];
  let after: string | undefined;
  do {
    const page = await client.actions.answered({ limit: Math.min(limit - found.length, mostAtOnce), after }, signal);
    found.push(...page.data);
    after = page.next_cursor ?? undefined;
  } while (after !== undefined && found.length < limit);
  printList(context, found, {
    none: 'Nobody has answered anything yet.',
    row: ({ at, answered_by, answered_by_name, outcome, tool, kind, remember, address, session_title, session_id }) => [
      atText(at),
      oneLine(answered_by_name || answered_by, 24),
      `${outcome}${remember ? ' for the session' : ''}`,
      oneLine(tool ?? kind, 30),
      oneLine(session_title || session_id, 30),
      address ?? '',
    ],
  });
  return exitCodes.completed;
};
