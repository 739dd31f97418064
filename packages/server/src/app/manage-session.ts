/** Use cases: change, archive and delete a session. */
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { App } from './app.ts';
import { auditOf } from './audit.ts';
import { removeFilesOf } from './blob-sweeper.ts';
import type { Caller } from './caller.ts';
import { Family } from './family.ts';
import { findSession, sessionGone } from './find-session.ts';
import type { Session } from './lane.ts';
import { runJob } from './run-job.ts';
import { sessionResource } from './session-resource.ts';
import { workspaceOf } from './workspace-of.ts';

/** Sets the title, the metadata (whole), or both. */
export const changeSession = async (
  app: App,
  caller: Caller,
  sessionId: string,
  changes: { readonly title?: string | undefined; readonly metadata?: Record<string, unknown> | undefined },
): Promise<SessionResource> => {
  const { lane, session } = await findSession(app, caller, sessionId, 'manage');
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
  const { lane, session } = await findSession(app, caller, sessionId, 'manage');
  await runJob(lane, () => ({ asks: [{ type: archived ? 'archive' : 'unarchive' }] }));
  const now = await app.sessions.newest(session.head.sid);
  if (!now || now.row.deletedAt !== null) throw sessionGone();
  return sessionResource(now.row, session.config);
};

/** The session is gone from every API at once; what runs is cancelled, streams end, late writes are refused. */
export const deleteSession = async (app: App, caller: Caller, sessionId: string): Promise<void> => {
  const { lane, session } = await findSession(app, caller, sessionId, 'manage');
  const { id, owner } = session.row;
  const audit = auditOf(app, caller, { action: 'session.deleted', subject: `session:${id}`, sessionId: id, details: { owner } });
  await runJob(lane, () => ({ asks: [{ type: 'delete' }], audit: [audit] }));
  // They are gone already: this stops what still runs of them. What it does not reach finds it out by itself (CF2).
  await new Family(app.sessions, app.clock).deleteBelow(id).catch(() => {});
  // The sweeper would do it, later; it also does what fails now.
  void removeFiles(app, session).catch(() => {});
};

/** Its own, and those of the workspace in which it may have been the last to work (FB10). */
const removeFiles = async ({ files }: App, session: Session): Promise<void> => {
  for (const id of new Set([session.row.id, workspaceOf(session)])) await removeFilesOf(files, id);
};
