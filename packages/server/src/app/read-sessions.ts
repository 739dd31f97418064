/** Use case: read one session. */
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { findSession } from './find-session.ts';
import { sessionResource } from './session-resource.ts';
import { unreadAmong } from './unread-sessions.ts';

/** Throws `not_found`; for keys `scope_missing`, `target_not_granted`. */
export const readSession = async (app: App, caller: Caller, sessionId: string): Promise<SessionResource> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const shown = sessionResource(session.row, session.config);
  return (await unreadAmong(app, [session.row])).size > 0 ? { ...shown, unread: true } : shown;
};
