/**
 * What happened in one's sessions while nobody looked.
 *
 * Owns: what is news, and that each piece of it is told once. Does not own: when it is looked for, how it is told.
 *
 * The first look only finds where things stand; each further one reads the sessions that have changed since, and of those that are
 * idle whether a turn has ended. What the server's clock says is compared with itself alone.
 *
 * TN1 News are that a turn has ended, or that one waits for an answer: of one's own sessions, and never of a background one. What was
 *     cancelled is no news, nor is a session that was renamed or archived.
 * TN2 A look that failed has told nothing, and the next one tells all of it.
 */
import type { Retried } from '@turnkeeper/client/calls/paths';
import type { SessionPage, SessionQuery } from '@turnkeeper/client/calls/sessions';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';

export type TurnNews = { readonly session: SessionResource; readonly kind: 'ended' | 'waiting' };

type LastTurn = { readonly status: string; readonly ended_at?: number | undefined };
export type NewsCalls = {
  readonly sessions: (query: SessionQuery, options?: Retried) => Promise<Pick<SessionPage, 'items'>>;
  /** The newest turn of a session. */
  readonly lastTurn: (sessionId: string) => Promise<LastTurn | undefined>;
};

/** More than change between two looks. */
const mostChanged = 100;

export const createTurnNews = (
  calls: NewsCalls,
  isMine: (owner: SessionResource['owner']) => boolean,
): ((options?: Retried) => Promise<readonly TurnNews[]>) => {
  let since: number | undefined;
  /** Those that were looked at, as they were. */
  let known: ReadonlyMap<string, number> = new Map();

  const newsOf = async (session: SessionResource, from: number): Promise<TurnNews | undefined> => {
    if (session.activity === 'background' || !isMine(session.owner)) return undefined;
    if (session.status === 'requires_action') return { session, kind: 'waiting' };
    if (session.status !== 'idle') return undefined;
    const turn = await calls.lastTurn(session.id);
    const hasEnded = turn?.ended_at !== undefined && turn.ended_at >= from && turn.status !== 'cancelled';
    return hasEnded ? { session, kind: 'ended' } : undefined;
  };

  return async (options) => {
    const from = since;
    const changed = { order: 'updated', status: 'active', limit: mostChanged, ...(from === undefined ? {} : { updated_from: from }) } as const;
    const { items } = await calls.sessions(changed, options);
    const fresh = items.filter(({ id, updatedAt }) => known.get(id) !== updatedAt);
    const news = from === undefined ? [] : await Promise.all(fresh.map((session) => newsOf(session, from)));
    // [TN2] Only now: nothing failed.
    since = Math.max(from ?? 0, ...items.map(({ updatedAt }) => updatedAt));
    known = new Map([...known, ...items.map(({ id, updatedAt }) => [id, updatedAt] as const)]);
    return news.filter((each) => each !== undefined);
  };
};
