/**
 * Use case: who answered what, when, and from where, of the sessions that the caller may read.
 *
 * HY1 What is told is of sessions that the caller may read now, and of none that is gone. It is what the audit log says of each answer,
 *     and lasts as long as that.
 * HY2 From where an answer came, and with which key, is for whoever gave it, for those who control the session, and for admins: others
 *     who may read it see who answered.
 */
import { pageCursorOf, readPageCursor } from '@turnkeeper/core/protocol/cursors';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { AnsweredAction as Answered, AnsweredActionsPage } from '@turnkeeper/core/protocol/wire/actions';
import type { AnsweredAction, AuditRow } from '../ports/catalog.ts';
import { userMay } from './access.ts';
import { requireUser } from './administration.ts';
import type { App } from './app.ts';
import { type Caller, ownerOf, type UserCaller } from './caller.ts';
import { visibleTo } from './visible-sessions.ts';

const list = 'answered-actions';
/** Entries of the log that are looked through at once, and how often: then a page ends early, with a cursor. */
const look = 2_000;
const mostReads = 5;

/** Like one of the audit log it is an entry's id, and good for ever. */
const placeOf = (cursor: string | undefined): string | undefined => {
  if (cursor === undefined) return undefined;
  const read = readPageCursor(list, cursor);
  if (!read) throw new TurnkeeperError('invalid_cursor', 'This is not a page cursor of this list.');
  return read.after;
};

const textIn = ({ details }: AuditRow, name: string): string | null => {
  const value = details[name];
  return typeof value === 'string' ? value : null;
};

const answerOf = (caller: UserCaller, { entry, session }: AnsweredAction): Answered => {
  const shown = caller.admin || entry.actor === ownerOf(caller) || userMay(caller, session, 'manage');
  return {
    id: entry.id,
    at: entry.at,
    session_id: entry.sessionId ?? '',
    session_title: session.title,
    turn_id: textIn(entry, 'turn_id'),
    request_id: textIn(entry, 'request_id'),
    kind: textIn(entry, 'kind') ?? '',
    tool: textIn(entry, 'tool'),
    outcome: textIn(entry, 'outcome') ?? '',
    remember: textIn(entry, 'remember') === 'session',
    answered_by: entry.actor,
    answered_by_name: entry.actorName,
    address: shown ? entry.address : null,
    credential_id: shown ? entry.credentialId : null,
  };
};

/** A page, the newest first; it may be short though more follow: `has_more` tells. Throws `forbidden`, `invalid_cursor`. */
export const listAnswers = async (
  app: App,
  caller: Caller,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<AnsweredActionsPage> => {
  const user = requireUser(caller);
  const reach = user.admin ? {} : { visible: visibleTo(user) };
  const data: Answered[] = [];
  let before = placeOf(after);
  let next: string | null = null;
  for (let reads = 0; reads < mostReads && data.length < limit; reads += 1) {
    const page = await app.catalog.answeredActions({ ...reach, ...(before === undefined ? {} : { before }), limit: limit - data.length, look });
    // A store finds by whose a session is, or where: both together say who reads it.
    data.push(...page.answers.filter(({ session }) => userMay(user, session, 'read')).map((answer) => answerOf(user, answer)));
    next = page.next;
    if (next === null) break;
    before = next;
  }
  return { data, next_cursor: next === null ? null : pageCursorOf(list, next, app.clock.now()), has_more: next !== null };
};
