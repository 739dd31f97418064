/** `turnkeeper approvals`: all that waits for an answer of the caller, over all sessions. */
import type { OpenAction } from '@turnkeeper/client/calls/actions';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { actionText } from '../output/describe.ts';
import { printList } from '../output/print-list.ts';
import { oneLine } from '../output/printable.ts';
import { ago } from '../time.ts';
import { isYesOrNo } from '../yes-or-no.ts';

const timeText = ({ created_at, expires_at }: OpenAction): string =>
  expires_at === undefined ? `${ago(Date.now() - created_at)} ago` : `closes in ${ago(expires_at - Date.now())}`;

/** The commands that answer what waits. */
const wordsFor = (actions: readonly OpenAction[]): string => {
  const yesOrNo = actions.filter(isYesOrNo).length;
  return [...(yesOrNo > 0 ? ['approve', 'deny'] : []), ...(yesOrNo < actions.length ? ['answer'] : [])].join(' | ');
};

/** Exits 4 when something waits: scripts can ask. */
export const approvals = async (context: CommandContext): Promise<ExitCode> => {
  const actions = await context.client.actions.list(context.io.interrupted.aborted ? {} : { signal: context.io.interrupted });
  printList(context, actions, {
    none: 'Nothing waits for you.',
    row: (action) => [
      action.request_id,
      { text: action.kind, paint: context.style.yellow },
      timeText(action),
      oneLine(action.session_title || action.session_id, 30),
      actionText(action),
    ],
  });
  if (actions.length > 0 && !context.json) context.note(`Answer with: turnkeeper ${wordsFor(actions)} <id>`);
  return actions.length === 0 ? exitCodes.completed : exitCodes.waiting;
};
