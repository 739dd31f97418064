/** `turnkeeper ls`: sessions, the newest first. */
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { oneLine } from '../output/printable.ts';
import type { Style } from '../output/style.ts';
import { type Cell, tableLines } from '../output/table.ts';
import { shortId } from '../session-ref.ts';

export type LsOptions = { readonly all?: boolean; readonly archived?: boolean; readonly limit?: number; readonly search?: string };

export const ago = (ms: number): string => {
  const seconds = Math.max(Math.round(ms / 1000), 0);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
};

const statusCell = (session: SessionResource, style: Style): Cell => {
  if (session.archived) return { text: 'archived', paint: style.dim };
  switch (session.status) {
    case 'idle':
      return { text: 'idle', paint: style.dim };
    case 'running':
      return { text: 'running', paint: style.green };
    case 'requires_action':
      return { text: 'waiting', paint: style.yellow };
  }
};

export const ls = async (context: CommandContext, options: LsOptions): Promise<ExitCode> => {
  const { client, json, print, printJson, note, style } = context;
  const page = await client.sessions.list({
    status: options.all ? 'all' : options.archived ? 'archived' : 'active',
    limit: options.limit ?? 20,
    ...(options.search === undefined ? {} : { q: options.search }),
  });
  if (json) {
    printJson(page);
    return exitCodes.completed;
  }
  if (page.items.length === 0) note('No sessions. Begin one with: turnkeeper chat');
  const ids = page.items.map((session) => session.id);
  const rows = page.items.map((session) => [
    shortId(session.id, ids),
    statusCell(session, style),
    `${ago(Date.now() - session.updatedAt).padStart(3)} ago`,
    oneLine(session.title || '(no title)', 60),
  ]);
  for (const line of tableLines(rows)) print(line);
  if (page.next_offset !== null) note(`… more: turnkeeper ls --limit ${(options.limit ?? 20) * 2}`);
  return exitCodes.completed;
};
