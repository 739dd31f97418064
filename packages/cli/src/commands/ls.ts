/** `turnkeeper ls`: sessions, the newest first. */
import type { SessionPage, SessionQuery } from '@turnkeeper/client/calls/sessions';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { oneLine } from '../output/printable.ts';
import type { Style } from '../output/style.ts';
import { type Cell, tableLines } from '../output/table.ts';
import { programName } from '../program-name.ts';
import { shortId } from '../session-ref.ts';
import { ago, atText } from '../time.ts';

const states = { running: 'running', waiting: 'requires_action', idle: 'idle' } as const;
type State = keyof typeof states;
const shelves = ['active', 'archived', 'all'] as const;
/** What `--status` takes: where sessions are kept, or what they do. */
export const lsStatuses = [...shelves, 'running', 'waiting', 'idle'] as const;

export type LsOptions = {
  readonly all?: boolean;
  readonly archived?: boolean;
  readonly status?: (typeof lsStatuses)[number];
  readonly waiting?: boolean;
  readonly owner?: string;
  readonly space?: string;
  readonly limit?: number;
  readonly query?: string;
  readonly search?: string;
  readonly text?: string;
  readonly agent?: string;
  /** `key=value`. */
  readonly metadata?: readonly string[];
  /** Unix ms. */
  readonly since?: number;
  readonly sort?: 'created' | 'updated';
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

const pageLimit = 200;
/** A page may be short though more follow: so many are read, and of those that are searched for words more. */
const mostPages = 5;
const mostSearched = 20;

const isState = (status: LsOptions['status']): status is State => status !== undefined && Object.hasOwn(states, status);
const shelfOf = ({ all, archived, status }: LsOptions): 'active' | 'archived' | 'all' => {
  if (status === 'active' || status === 'archived' || status === 'all') return status;
  return all ? 'all' : archived ? 'archived' : 'active';
};

const member = (text: string): readonly [string, string] => {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) throw new UsageError(`--metadata takes key=value, not "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
};

const filtersOf = (options: LsOptions, target: string | undefined): SessionQuery => {
  const { owner, space, text, since, sort, metadata = [] } = options;
  const q = options.query ?? options.search;
  const state = options.waiting ? 'waiting' : isState(options.status) ? options.status : undefined;
  return {
    status: shelfOf(options),
    ...(owner ? { owner } : {}),
    ...(space ? { space } : {}),
    ...(q === undefined ? {} : { q }),
    ...(state === undefined ? {} : { activity: states[state] }),
    ...(target === undefined ? {} : { target }),
    ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata.map(member)) }),
    ...(since === undefined ? {} : { updated_from: since }),
    ...(sort === undefined ? {} : { order: sort }),
    ...(text === undefined ? {} : { text }),
  };
};

type Found = { readonly items: readonly SessionResource[]; readonly more: boolean; readonly searchedUntil?: number };

const find = async ({ client }: CommandContext, options: LsOptions, limit: number): Promise<Found> => {
  // By its key, too; the list knows ids.
  const target = options.agent === undefined ? undefined : (await client.agents.get(options.agent)).agent.id;
  const filters = filtersOf(options, target);
  const items: SessionResource[] = [];
  let searchedUntil: number | undefined;
  let offset: number | null = 0;
  const pages = options.text === undefined ? mostPages : mostSearched;
  for (let page = 0; page < pages && offset !== null && items.length < limit; page += 1) {
    const answer: SessionPage = await client.sessions.list({ ...filters, offset, limit: Math.min(limit - items.length, pageLimit) });
    items.push(...answer.items);
    offset = answer.next_offset;
    searchedUntil = answer.searched_until;
  }
  return { items: items.slice(0, limit), more: offset !== null, ...(searchedUntil === undefined ? {} : { searchedUntil }) };
};

export const ls = async (context: CommandContext, options: LsOptions): Promise<ExitCode> => {
  const { json, print, printJson, note, style } = context;
  const limit = options.limit ?? 20;
  const { items, more, searchedUntil } = await find(context, options, limit);
  if (json) {
    printJson({ items, more, ...(searchedUntil === undefined ? {} : { searched_until: searchedUntil }) });
    return exitCodes.completed;
  }
  if (items.length === 0) note(more ? 'None so far.' : `No sessions. Begin one with: ${programName} chat`);
  const ids = items.map((session) => session.id);
  const rows = items.map((session) => [
    shortId(session.id, ids),
    statusCell(session, style),
    `${ago(Date.now() - session.updatedAt).padStart(3)} ago`,
    ...(options.owner === undefined ? [] : [`${session.owner.type}:${session.owner.id}`]),
    `${session.unread ? `${style.yellow('•')} ` : ''}${oneLine(session.title || '(no title)', 60)}`,
  ]);
  for (const line of tableLines(rows)) print(line);
  if (searchedUntil !== undefined && items.length < limit) note(`… older than ${atText(searchedUntil)} was not looked through`);
  else if (more) note(`… more: --limit ${limit * 2}`);
  return exitCodes.completed;
};
