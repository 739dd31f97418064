/** `turnkeeper show [session]`: what it is, its turns, what it waits for. */
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { actionText, outcomeText, usageText } from '../output/describe.ts';
import { oneLine } from '../output/printable.ts';
import { tableLines } from '../output/table.ts';
import { resolveSession } from '../session-ref.ts';

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
    ['status', session.archived ? 'archived' : session.status],
    ['target', `${session.target.type} ${session.target.name ?? session.target.id}${session.target.model ? ` · ${session.target.model}` : ''}`],
    ['created', new Date(session.createdAt).toISOString()],
    ['usage', usageText(view.usage) || 'none'],
  ];
  for (const line of tableLines(facts)) print(`  ${line}`);
  if (view.turns.length > 0) print('');
  for (const { data } of view.turns.slice(-20)) {
    print(`  ${String(data.n).padStart(3)}  ${oneLine(data.preview, 60)}  ${style.dim(oneLine(outcomeText(data), 160))}`);
  }
  for (const { data } of view.required_actions) print(style.yellow(`  ? ${actionText(data)}  ${data.request_id}`));
  return exitCodes.completed;
};
