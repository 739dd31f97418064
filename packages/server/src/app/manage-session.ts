/** Use cases: change, archive and delete a session. */
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { App } from './app.ts';
import { type Caller, findSession } from './caller.ts';
import { readSession } from './read-sessions.ts';
import { runJob } from './run-job.ts';
import { sessionResource } from './session-resource.ts';

/** Sets the title, the metadata (whole), or both. */
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

/** Archives a session, or brings it back (`archived` false). Turns that were accepted finish all the same. */
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
