/** `turnkeeper audit`: who did what, from where; newest first. */
import { type AuditEntry, auditActions } from '@turnkeeper/core/protocol/wire/identity';
import type { CommandContext } from '../command-context.ts';
import { everyItem } from '../every-page.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { oneLine } from '../output/printable.ts';
import { tableLines } from '../output/table.ts';
import { pickOne } from '../pick-one.ts';
import { atText } from '../time.ts';

export type AuditOptions = {
  readonly actor?: string;
  readonly action?: string;
  readonly subject?: string;
  readonly session?: string;
  readonly limit?: number;
};

const uncut = Number.POSITIVE_INFINITY;

/** As the log has it, or the name of a user or an application. */
const actorOf = async ({ users, applications }: CommandContext['client'], ref: string): Promise<string> => {
  if (ref === 'system' || /^(user|app):/.test(ref)) return ref;
  const known = [
    ...(await everyItem(users.list)).map(({ id, username }) => ({ id, name: username, actor: `user:${id}` })),
    ...(await everyItem(applications.list)).map(({ id, name }) => ({ id, name, actor: `app:${id}` })),
  ];
  return pickOne(known, ref, { what: 'actor', id: ({ id }) => id, name: ({ name }) => name, list: 'turnkeeper users ls, or apps ls' }).actor;
};

const checkAction = (action: string): void => {
  if (!(auditActions as readonly string[]).includes(action)) throw new UsageError(`--action: there is no ${action}. There are: ${auditActions.join(', ')}`);
};

/** Cut to the width of a terminal; a pipe gets all of it. */
const row = ({ at, actorName, actor, action, subject, address, details }: AuditEntry, cut: boolean): string[] => [
  atText(at),
  oneLine(actorName || actor, cut ? 24 : uncut),
  action,
  subject,
  address ?? '',
  Object.keys(details).length === 0 ? '' : oneLine(JSON.stringify(details), cut ? 80 : uncut),
];

/** With `--json` one entry a line. */
export const audit = async (context: CommandContext, { limit = 50, actor, action, subject, session }: AuditOptions): Promise<ExitCode> => {
  const { client, io, json, print, printJson, note } = context;
  if (action) checkAction(action);
  const entries: AuditEntry[] = [];
  const filters = {
    ...(actor ? { actor: await actorOf(client, actor) } : {}),
    ...(action ? { action } : {}),
    ...(subject ? { subject } : {}),
    ...(session ? { session } : {}),
  };
  for await (const entry of client.audit.entries({ ...filters, limit: Math.min(limit, 200) })) {
    entries.push(entry);
    if (entries.length >= limit) break;
  }
  if (json) for (const entry of entries) printJson(entry);
  else for (const line of tableLines(entries.map((entry) => row(entry, io.stdout.isTTY === true)))) print(line);
  if (entries.length === 0) note('No entries.');
  return exitCodes.completed;
};
