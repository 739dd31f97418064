/**
 * Use case: what runs, waits and failed over the sessions that the caller may read, and what that cost today.
 *
 * Owns: how much is looked through for it. It is asked for every few seconds by every open page: so many sessions at most, and so
 * many turns of each (turns-seen.ts), and the answer says when there was more.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { FailedTurn, OverviewAnswer, RunningTurn } from '@turnkeeper/core/protocol/wire/overview';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { noUsage, sumUsage } from '@turnkeeper/core/view/usage';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { listSessions } from './list-sessions.ts';
import type { SeenTurn } from './turns-seen.ts';

const dayMs = 86_400_000;
const mostSessions = 300;
/** As many as a page shows. */
const mostListed = 20;

type Query = { readonly owner?: string | undefined; readonly day_from?: number | undefined };
type Turn = { readonly session: SessionResource; readonly body: SeenTurn };

const dayOf = (now: number, from: number | undefined): number => {
  if (from === undefined) return now - (now % dayMs);
  if (from > now || from < now - 2 * dayMs) throw new TurnkeeperError('validation_failed', 'day_from: must lie within the last two days.');
  return from;
};

/** Sessions that are under way, and those that moved since: none of the others has a turn that counts. */
const sessionsOf = async (app: App, caller: Caller, { owner }: Query, since: number) => {
  const page = (query: Partial<Parameters<typeof listSessions>[2]>) =>
    listSessions(app, caller, { offset: 0, limit: mostSessions, status: 'all', owner, order: 'updated', ...query });
  const [running, waiting, moved] = [await page({ activity: 'running' }), await page({ activity: 'requires_action' }), await page({ updated_from: since })];
  const all = new Map([running, waiting, moved].flatMap(({ items }) => items).map((session) => [session.id, session]));
  return { running: running.items, waiting: waiting.items, all, complete: [running, waiting, moved].every(({ next_offset }) => next_offset === null) };
};

const placeOf = ({ session, body }: Turn) => ({
  session_id: session.id,
  session_title: session.title,
  owner: session.owner,
  turn_id: body.turn_id,
  preview: body.preview,
});

const runningTurns = (turns: readonly Turn[]): RunningTurn[] =>
  turns
    .filter(({ body }) => body.status === 'running')
    .map((turn) => ({ ...placeOf(turn), target_type: turn.session.target.type, started_at: turn.body.started_at ?? turn.body.created_at }))
    .sort((a, b) => a.started_at - b.started_at);

const failedTurns = (turns: readonly Turn[], since: number): FailedTurn[] =>
  turns
    .flatMap((turn): FailedTurn[] => {
      const { status, ended_at = 0, error_code = null, error_message = null } = turn.body;
      if ((status !== 'failed' && status !== 'timed_out') || ended_at < since) return [];
      return [{ ...placeOf(turn), status, ended_at, error_code, error_message }];
    })
    .sort((a, b) => b.ended_at - a.ended_at);

/** Throws `forbidden`, for keys `scope_missing`; `validation_failed`. */
export const readOverview = async (app: App, caller: Caller, query: Query): Promise<OverviewAnswer> => {
  const now = app.clock.now();
  const today = dayOf(now, query.day_from);
  const lastDay = now - dayMs;
  const { running, waiting, all, complete } = await sessionsOf(app, caller, query, Math.min(today, lastDay));
  const seen = await app.turnsSeen.of([...all.values()], now);
  const bodies = [...seen].flatMap(([id, { turns }]) => turns.map((body) => ({ session: all.get(id), body })));
  const used = bodies.filter(({ body: { ended_at = now } }) => ended_at >= today);
  const { by_model: _, ...usage_today } = used.map(({ body }) => body.usage).reduce(sumUsage, noUsage);
  // What a child does is its root's: it is the root that fails, and that is stopped.
  const turns = bodies.flatMap(({ session, body }): Turn[] => (body.own && session ? [{ session, body }] : []));
  const failed = failedTurns(turns, lastDay);
  return {
    running: running.length,
    waiting: waiting.length,
    failed: failed.length,
    complete: complete && [...seen.values()].every((of) => of.complete),
    usage_today,
    running_turns: runningTurns(turns).slice(0, mostListed),
    failed_turns: failed.slice(0, mostListed),
  };
};
