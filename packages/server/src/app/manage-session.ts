/** Use cases: read, list, change, archive and delete sessions; what a session and a turn can do. */
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { resumeRefusal } from '@turnkeeper/core/session/decide/client';
import type { App } from './app.ts';
import { type Caller, findSession, ownerOf } from './caller.ts';
import { findTurn } from './read-turn.ts';
import { runJob } from './run-job.ts';
import { sessionResource } from './session-resource.ts';

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

export const changeSession = async (
  app: App,
  caller: Caller,
  sessionId: string,
  changes: { readonly title?: string | undefined; readonly metadata?: Record<string, unknown> | undefined },
): Promise<SessionResource> => {
  const { lane, session } = await findSession(app, caller, sessionId, 'control');
  const patch = {
    ...(changes.title === undefined ? {} : { title: changes.title }),
    ...(changes.metadata === undefined ? {} : { metadata: JSON.stringify(changes.metadata) }),
    updatedAt: app.clock.now(),
  };
  const { row } = await runJob(lane, () => ({ asks: [], session: patch }), { row: true });
  return sessionResource({ ...row, ...patch }, session.config);
};

export const archiveSession = async (app: App, caller: Caller, sessionId: string, archived: boolean): Promise<SessionResource> => {
  const { lane } = await findSession(app, caller, sessionId, 'control');
  await runJob(lane, () => ({ asks: [{ type: archived ? 'archive' : 'unarchive' }] }));
  return readSession(app, caller, sessionId);
};

/** The session is gone from every API at once; what runs is cancelled, streams end, late writes are refused. */
export const deleteSession = async (app: App, caller: Caller, sessionId: string): Promise<void> => {
  const { lane } = await findSession(app, caller, sessionId, 'control');
  await runJob(lane, () => ({ asks: [{ type: 'delete' }] }));
};

/** What this server does for sessions with an agent. */
const agentCapabilities = {
  steer: false,
  inject: false,
  actions: true,
  files: false,
  file_input: false,
  checkpoints: false,
  fork: false,
  subagents: false,
  budget: false,
  cancel: true,
  resume: true,
} as const;

export const sessionCapabilities = async (app: App, caller: Caller, sessionId: string): Promise<{ readonly capabilities: Record<string, boolean> }> => {
  await findSession(app, caller, sessionId, 'read');
  return { capabilities: { ...agentCapabilities } };
};

/** What would succeed now; a later call may still meet 409. */
export const turnCapabilities = async (
  app: App,
  caller: Caller,
  sessionId: string,
  turnId: string,
): Promise<{ readonly available_commands: readonly string[]; readonly capabilities: Record<string, boolean> }> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const { id } = await findTurn(app, session, turnId);
  const { live, queue } = session.state;
  const unfinished = live?.id === id || queue.some((turn) => turn.id === id);
  const commands = [
    ...(unfinished && !(live?.id === id && live.cancelRequested) ? ['cancel'] : []),
    ...(live?.id === id && live.openActions.length > 0 ? ['actions'] : []),
    ...(resumeRefusal(session.state, id) === undefined ? ['resume'] : []),
  ];
  return { available_commands: commands, capabilities: { ...agentCapabilities } };
};
