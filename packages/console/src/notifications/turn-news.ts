/**
 * What happened in one's sessions while nobody looked.
 *
 * Owns: what is news, and that each piece of it is told once. Does not own: when it is looked for, how it is told.
 *
 * The first look only finds where things stand; each further one reads the sessions that have changed since, and of those that are
 * idle whether a turn has ended. Times are the server's, and are compared with each other alone. What a session is stamped with may
 * be a little older than the moment at which it can be read: so a look goes back a while, and each session is compared with itself.
 *
 * TN1 News are that a turn has ended, or that one waits for an answer: of one's own sessions, and never of a background one. What was
 *     cancelled is no news, nor is a session that was renamed or archived.
 * TN2 A look that failed has told nothing, and the next one tells all of it.
 * TN3 What is stamped before what was read already, and comes after it, is told all the same.
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
/** So much later than it is stamped a change may come. */
const lateMs = 60_000;

type Stood = Pick<SessionResource, 'updatedAt' | 'status'>;

export const createTurnNews = (
  calls: NewsCalls,
  isMine: (owner: SessionResource['owner']) => boolean,
): ((options?: Retried) => Promise<readonly TurnNews[]>) => {
  /** Undefined until the first look. */
  let began: number | undefined;
  let newest = 0;
  let known: ReadonlyMap<string, Stood> = new Map();

  /** `stood`: as it was read last; absent where it was not among those that had changed of late. */
  const newsOf = async (session: SessionResource, stood: Stood | undefined, since: number): Promise<TurnNews | undefined> => {
    if (session.activity === 'background' || !isMine(session.owner)) return undefined;
    if (session.status === 'requires_action') return stood?.status === 'requires_action' ? undefined : { session, kind: 'waiting' };
    if (session.status !== 'idle') return undefined;
    const turn = await calls.lastTurn(session.id);
    if (turn?.ended_at === undefined || turn.status === 'cancelled') return undefined;
    // What was idle when it was read had told of all that had ended by then.
    const hasEnded =
      stood === undefined ? turn.ended_at >= since : stood.status === 'idle' ? turn.ended_at > stood.updatedAt : turn.ended_at >= stood.updatedAt;
    return hasEnded ? { session, kind: 'ended' } : undefined;
  };

  return async (options) => {
    const since = began;
    const range = since === undefined ? {} : { updated_from: Math.max(newest - lateMs, 0) };
    const { items } = await calls.sessions({ order: 'updated', status: 'active', limit: mostChanged, ...range }, options);
    const isFresh = ({ id, updatedAt, status }: SessionResource): boolean => known.get(id)?.updatedAt !== updatedAt || known.get(id)?.status !== status;
    const fresh = items.filter(isFresh);
    const news = since === undefined ? [] : await Promise.all(fresh.map((session) => newsOf(session, known.get(session.id), since - lateMs)));
    // [TN2] Only now: nothing failed.
    newest = Math.max(newest, ...items.map(({ updatedAt }) => updatedAt));
    began ??= newest;
    known = new Map([...known, ...items.map(({ id, updatedAt, status }) => [id, { updatedAt, status }] as const)]);
    return news.filter((each) => each !== undefined);
  };
};
