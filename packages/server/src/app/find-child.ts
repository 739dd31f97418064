/**
 * From a session and the id of a session below it to that one.
 *
 * CF3 Only real descendants are found: of the same tree, with a path that goes on from the session's own. All else is
 *     answered as an id that does not exist.
 */
import type { SessionRow } from '../ports/session-store.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { existingSession, findSession, sessionGone } from './find-session.ts';
import { isChild } from './is-child.ts';

/** True for a session below the other one. */
export const isBelow = (row: SessionRow, above: SessionRow): boolean =>
  isChild(row) && row.root === above.root && (above.path === '' || row.path.startsWith(`${above.path}/`));

type ChildAddress = { readonly sessionId: string; readonly childId: string };

/** The child's own id, by which it is read from here on. Throws `not_found`, for keys `scope_missing`, `target_not_granted`. */
export const childIdIn = async (app: App, caller: Caller, { sessionId, childId }: ChildAddress): Promise<string> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const child = (await existingSession(app, childId)).session.row;
  if (!isBelow(child, session.row)) throw sessionGone();
  return child.id;
};
