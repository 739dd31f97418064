/** The one way from an id to a session: found, and looked at whether the caller may use it so (AC1–AC3). */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { isSessionId } from '@turnkeeper/core/session/ids';
import type { SessionRow } from '../ports/session-store.ts';
import { accessRefusal, noSuchSession, type Subject, type Use } from './access.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import type { FrozenConfig } from './frozen-config.ts';
import { isChild } from './is-child.ts';
import type { Lane, Session } from './lane.ts';
import { thrown } from './run-job.ts';

/** What is thrown for a session that is gone by the time that it is read. */
export const sessionGone = (): TurnkeeperError => thrown(noSuchSession());

/** What of a session decides who may use it; none of it ever changes. A child session is judged by its root's target. */
export const subjectOf = (row: Pick<SessionRow, 'id' | 'root' | 'owner' | 'placement'>, { target, root }: Pick<FrozenConfig, 'target' | 'root'>): Subject => {
  const { type, id, space } = root ?? target;
  return { owner: row.owner, placement: row.placement, target: { type, id, space }, session: row.id, root: row.root };
};

/** A session that was not deleted, whoever asks. Throws `not_found`. */
export const existingSession = async (app: Pick<App, 'sessions'>, id: string): Promise<{ readonly lane: Lane; readonly session: Session }> => {
  const found = isSessionId(id) ? await app.sessions.find(id) : undefined;
  if (!found || found.session.row.deletedAt !== null) throw sessionGone();
  return isChild(found.session.row) ? withRoot(app, found) : found;
};

/** A child is there while its root is, and archived when that is. */
const withRoot = async <Found extends { readonly session: Session }>(app: Pick<App, 'sessions'>, found: Found): Promise<Found> => {
  const { session } = found;
  const root = await app.sessions.find(session.row.root);
  if (!root || root.session.row.deletedAt !== null) throw sessionGone();
  return { ...found, session: { ...session, row: { ...session.row, archivedAt: root.session.row.archivedAt } } };
};

/** What may be done with a session that was brought back from an export. */
const recordUses: ReadonlySet<Use> = new Set(['read', 'manage']);

/** Throws `not_supported` for a session that was brought back from an export (IM2). */
export const refuseRecord = ({ config }: Session): void => {
  if (config.imported)
    throw new TurnkeeperError('not_supported', 'This session was brought back from an export: it is a record, and nothing new is done in it.');
};

/** Throws `not_found`, `forbidden`, `scope_missing`, `target_not_granted`; for what is a root's alone, or no record's, `not_supported`. */
export const findSession = async (app: App, caller: Caller, id: string, use: Use): Promise<{ readonly lane: Lane; readonly session: Session }> => {
  const found = await existingSession(app, id);
  const refusal = accessRefusal(caller, subjectOf(found.session.row, found.session.config), use);
  if (refusal) throw thrown(refusal);
  if (use === 'manage' && isChild(found.session.row))
    throw new TurnkeeperError('not_supported', 'A child session goes with the session at the top of its tree: change, archive or delete that one.');
  if (!recordUses.has(use)) refuseRecord(found.session);
  return found;
};
