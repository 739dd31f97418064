/**
 * Which of a session's actions a caller sees.
 *
 * A6 Who is named as approver of an action sees this action and answers it, and sees nothing else of a session that it may
 *    not read; whoever is not named meets the answer of a session that does not exist.
 */
import type { ActionBody } from '@turnkeeper/core/view/action';
import { accessRefusal, type Use } from './access.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { existingSession, subjectOf } from './find-session.ts';
import type { Lane, Session } from './lane.ts';
import { thrown } from './run-job.ts';

export type Reach = {
  readonly lane: Lane;
  readonly session: Session;
  /** The caller may read the session; else it sees only actions that name it. */
  readonly reads: boolean;
};

const isNamed = (caller: Caller, { approver }: ActionBody): boolean => typeof approver !== 'string' && caller.type === 'user' && approver.includes(caller.id);

/** What of an action's session the caller sees. */
export const seesAction = (caller: Caller, { reads }: Reach, action: ActionBody): boolean => reads || isNamed(caller, action);

/**
 * The session, though the caller may not read it: then the actions that it asks for decide whether it is there. Of a key
 * its scope for `use` is wanted; which users may answer is looked at by action. Throws as `findSession` does.
 */
export const reachActions = async (app: App, caller: Caller, id: string, use: Extract<Use, 'read' | 'interact'>): Promise<Reach> => {
  const found = await existingSession(app, id);
  const refusal = accessRefusal(caller, subjectOf(found.session.row, found.session.config), caller.type === 'user' ? 'read' : use);
  if (refusal && (caller.type !== 'user' || refusal.code !== 'not_found')) throw thrown(refusal);
  return { ...found, reads: refusal === undefined };
};
