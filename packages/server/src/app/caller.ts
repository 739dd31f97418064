/** Who asks, and what of sessions is theirs. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { isSessionId } from '@turnkeeper/core/session/ids';
import type { App } from './app.ts';
import type { Lane, Session } from './lane.ts';

export type Caller = { readonly type: 'user'; readonly id: string; readonly name: string; readonly admin: boolean };

/** The owner under which what this caller makes is kept. */
export const ownerOf = (caller: Caller): string => `user:${caller.id}`;

/** The same answer for what does not exist and for what is another's (semantics, section 10). */
export const noSuchSession = (): TurnkeeperError => new TurnkeeperError('not_found', 'There is no such session.');

/**
 * The session, if this caller may use it so. Owners do everything; admins read all.
 * Throws `not_found` for what is not there, was deleted, or is not theirs.
 */
export const findSession = async (
  app: App,
  caller: Caller,
  id: string,
  use: 'read' | 'control',
): Promise<{ readonly lane: Lane; readonly session: Session }> => {
  const found = isSessionId(id) ? await app.sessions.find(id) : undefined;
  if (!found || found.session.row.deletedAt !== null) throw noSuchSession();
  const own = found.session.row.owner === ownerOf(caller);
  if (!own && !(use === 'read' && caller.admin)) throw noSuchSession();
  return found;
};
