/** Use cases: read one session, and list those of the caller. */
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { App } from './app.ts';
import { type Caller, findSession, ownerOf } from './caller.ts';
import { sessionResource } from './session-resource.ts';

/** Throws `not_found`. */
export const readSession = async (app: App, caller: Caller, sessionId: string): Promise<SessionResource> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  return sessionResource(session.row, session.config);
};

export type SessionsQuery = {
  readonly offset: number;
  readonly limit: number;
  readonly status: 'active' | 'archived' | 'all';
  readonly space?: string | undefined;
  readonly q?: string | undefined;
};

/** The caller's own sessions, newest first. */
export const listSessions = async (
  app: App,
  caller: Caller,
  query: SessionsQuery,
): Promise<{ readonly items: readonly SessionResource[]; readonly next_offset: number | null }> => {
  const rows = await app.sessions.store.list({
    owners: [ownerOf(caller)],
    status: query.status,
    offset: query.offset,
    limit: query.limit + 1,
    ...(query.space === undefined ? {} : { placement: `space:${query.space}` }),
    ...(query.q === undefined ? {} : { q: query.q }),
  });
  const items = await Promise.all(rows.slice(0, query.limit).map(async (row) => sessionResource(row, await app.sessions.config(row.configRef))));
  return { items, next_offset: rows.length > query.limit ? query.offset + query.limit : null };
};
