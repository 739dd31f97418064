/**
 * Use case: what was used over a time, by day, model, session, target, owner or key, of all that the caller may read.
 *
 * The turns themselves are read, with what each reported: there is no second count that could differ from them. A report looks
 * through the sessions that have changed since its beginning, the newest first, and at no more than it can within one request;
 * it says so when there are more.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { UsageReportAnswer, UsageReportQuery } from '@turnkeeper/core/protocol/wire/usage-report';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { submitterOf, type TurnBody } from '@turnkeeper/core/view/turn';
import { tallyUsage, type UsageTally } from '@turnkeeper/core/view/usage-report';
import type { NewestRow } from '../ports/session-store.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { withKeyNames } from './key-names.ts';
import { listSessions } from './list-sessions.ts';

const sessionsAtOnce = 25;
const turnsAtOnce = 100;
const mostSessions = 5_000;
/** As many as a page shows. */
const mostGroups = 400;
/** A session's row may be older than what its children do meanwhile. */
const marginMs = 86_400_000;

const dayIn = (timeZone: string): ((at: number) => string) => {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (at) => format.format(at);
};

type Span = { readonly from: number; readonly to: number };

/** What is not said: until now, and 30 days. */
const usualMs = 30 * 86_400_000;

/** Throws `validation_failed` for a beginning that is still to come. */
const spanOf = (now: number, query: UsageReportQuery): Span => {
  const to = query.to ?? now;
  const from = query.from ?? Math.max(to - usualMs, 0);
  if (from > to) throw new TurnkeeperError('validation_failed', 'from: must not be later than now where there is no to.');
  return { from, to };
};

const beganAt = ({ started_at, created_at }: TurnBody): number => started_at ?? created_at;

const prefixes = { user: 'user', application: 'app', minitool: 'minitool' } as const;

const addTurn = (tally: UsageTally, { from, to }: Span, session: SessionResource, id: string, turn: TurnBody): void => {
  const at = beganAt(turn);
  if (at < from || at >= to) return;
  const { target, owner, title } = session;
  tally.add({
    session_id: id,
    session_title: title,
    target: `${target.type}:${target.id}`,
    target_name: target.name ?? target.id,
    owner: `${prefixes[owner.type]}:${owner.id}`,
    turn_id: turn.turn_id,
    preview: turn.preview,
    at,
    usage: turn.usage,
    ...submitterOf(turn),
  });
};

/** All of a session that has more than are read with others', page by page, back to the beginning of the report. */
const everyTurn = async (app: App, id: SessionId, { from }: Span, add: (turn: TurnBody) => void): Promise<void> => {
  const found = await app.sessions.store.load(id);
  let before: { readonly beforeN?: number } = {};
  while (found) {
    const page = await app.sessions.store.resources(found.head.sid, [{ kind: 'turn', limit: turnsAtOnce, newest: true, ...before }]);
    const rows = page?.resources[0] ?? [];
    const turns = rows.map(({ body }) => JSON.parse(body) as TurnBody);
    for (const turn of turns) add(turn);
    if (rows.length < turnsAtOnce || turns.every(({ created_at }) => created_at < from)) return;
    before = { beforeN: Math.min(...rows.map(({ n }) => n)) };
  }
};

const addTrees = async (app: App, sessions: readonly SessionResource[], span: Span, tally: UsageTally): Promise<void> => {
  const roots = new Map(sessions.map((session) => [session.id, session]));
  const rows = await app.sessions.store.newest({ roots: [...roots.keys()] as SessionId[], kind: 'turn', each: turnsAtOnce });
  for (const [id, ofOne] of Map.groupBy(rows, (row: NewestRow) => row.id)) {
    const root = roots.get(ofOne[0]?.root ?? '');
    if (!root) continue;
    const add = (turn: TurnBody): void => addTurn(tally, span, root, id, turn);
    if (ofOne.length === turnsAtOnce) await everyTurn(app, id, span, add);
    else for (const { body } of ofOne) add(JSON.parse(body) as TurnBody);
  }
};

/** Throws `forbidden`, for keys `scope_missing`. */
export const reportUsage = async (app: App, caller: Caller, query: UsageReportQuery, most = mostGroups): Promise<UsageReportAnswer> => {
  const { group_by, time_zone } = query;
  const { from, to } = spanOf(app.clock.now(), query);
  const tally = tallyUsage({ by: group_by, dayOf: dayIn(time_zone), most });
  const owner = caller.type === 'user' && caller.admin ? { owner: 'all' } : {};
  let offset: number | null = 0;
  while (offset !== null && offset < mostSessions) {
    const page: Awaited<ReturnType<typeof listSessions>> = await listSessions(app, caller, {
      ...{ ...owner, status: 'all', order: 'updated', updated_from: Math.max(from - marginMs, 0), offset, limit: sessionsAtOnce },
    });
    await addTrees(app, page.items, { from, to }, tally);
    offset = page.next_offset;
  }
  const { groups, costliest, ...sums } = tally.report();
  const named = group_by === 'key' ? await withKeyNames(app, caller, groups) : groups;
  return { from, to, group_by, ...sums, groups: [...named], costliest: [...costliest], complete: offset === null };
};
