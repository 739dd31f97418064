/** `turnkeeper show [session]`: what it is, its turns, what it waits for. */
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { interruptedText } from '../interrupted-turn.ts';
import { childCells } from '../output/child-text.ts';
import { actionText, outcomeText, usageText } from '../output/describe.ts';
import { oneLine } from '../output/printable.ts';
import { tableLines } from '../output/table.ts';
import { markSeen } from '../seen.ts';
import { resolveSession } from '../session-ref.ts';

const lineageText = ({ session_id, turn_id, checkpoint_id }: NonNullable<SessionResource['forked_from']>): string =>
  turn_id === null ? `${session_id} at ${checkpoint_id}` : `${session_id} after ${turn_id}`;

export const show = async (context: CommandContext, ref: string | undefined): Promise<ExitCode> => {
  const { client, json, print, printJson, style } = context;
  const session = await resolveSession(client, ref);
  const view = await client.sessions.snapshot(session.id);
  if (json) {
    printJson({ session, snapshot: view });
    return exitCodes.completed;
  }
  print(style.bold(oneLine(session.title || '(no title)')));
  const facts = [
    ['id', session.id],
    ['status', session.archived ? 'archived' : session.status, ...(session.unread ? ['unread'] : [])],
    ['target', `${session.target.type} ${session.target.name ?? session.target.id}${session.target.model ? ` · ${session.target.model}` : ''}`],
    ...(session.imported ? [['imported', 'a record: nothing new is done in it']] : []),
    ...(session.forked_from === undefined ? [] : [['forked from', lineageText(session.forked_from)]]),
    ['created', new Date(session.createdAt).toISOString()],
    ['usage', usageText(view.usage) || 'none'],
  ];
  for (const line of tableLines(facts)) print(`  ${line}`);
  if (view.turns.length > 0) print('');
  for (const { data } of view.turns.slice(-20)) {
    print(`  ${String(data.n).padStart(3)}  ${oneLine(data.preview, 60)}  ${style.dim(oneLine(outcomeText(data), 160))}`);
  }
  for (const { data } of view.turns.slice(-20)) {
    if (data.status === 'interrupted') print(style.yellow(`  ! ${await interruptedText(context, session.id, data)}`));
  }
  for (const line of tableLines(view.subagents.slice(-20).map(({ data }) => childCells(data)))) print(`  ↳ ${line}`);
  for (const { data } of view.required_actions) print(style.yellow(`  ? ${actionText(data)}  ${data.request_id}`));
  await markSeen(context, session);
  return exitCodes.completed;
};
