/** Use cases: the open actions of a session or a turn with the receipts of answers, and those of all sessions. */

import type { RequiredActions, RequiredActionsPage } from '@turnkeeper/core/protocol/wire/actions';
import { readState } from '@turnkeeper/core/session/formats';
import type { ActionBody, CommandBody } from '@turnkeeper/core/view/action';
import type { ActionPlace, OpenActionRow, ResourcePage } from '../ports/session-store.ts';
import { accessRefusal, mayAnswer, scopeRefusal } from './access.ts';
import { reachActions, seesAction } from './action-reach.ts';
import { answeredBy } from './answered-by.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { refuseOutside } from './client-reach.ts';
import { commandResource } from './command-receipt.ts';
import { Family } from './family.ts';
import { sessionGone, subjectOf } from './find-session.ts';
import { afterOf, listCursor } from './page-cursors.ts';
import { findTurn } from './read-turn.ts';
import { thrown } from './run-job.ts';

/**
 * The open actions of a turn, or of the whole session, by request id; and the receipts of answers. Who may not read the
 * session gets the actions that name it as approver, without receipts (A6). Throws `not_found`.
 */
export const listActions = async (app: App, caller: Caller, sessionId: string, turnId: string | undefined): Promise<RequiredActions> => {
  const reach = await reachActions(app, caller, sessionId, 'read');
  if (reach.reads && turnId !== undefined) await findTurn(app, reach.session, turnId);
  const { store } = app.sessions;
  const page = await store.resources(reach.session.head.sid, reach.reads ? [{ kind: 'command', limit: 200, newest: true }] : []);
  if (!page) throw sessionGone();
  const mine = <Body extends { readonly turn_id: string }>(body: Body): boolean => turnId === undefined || body.turn_id === turnId;
  const actions = await openActionsOf(app, page);
  const required_actions = byId(actions.filter((action) => mine(action) && seesAction(caller, reach, action)));
  if (!reach.reads && Object.keys(required_actions).length === 0) throw sessionGone();
  const commands = (page.resources[0] ?? []).map((row) => JSON.parse(row.body) as CommandBody);
  return { required_actions, commands: commands.filter((command) => command.kind === 'actions' && mine(command)).map(commandResource) };
};

/** The state names them; what was answered since it was read is left out. */
const openActionsOf = async (app: App, { head, state }: Pick<ResourcePage, 'head' | 'state'>): Promise<readonly ActionBody[]> => {
  const live = readState(app.sessions.formats.formats, state)?.live;
  const ids = live?.openActions.map(({ id }) => id) ?? [];
  const rows = ids.length === 0 ? [] : await app.sessions.store.resourcesOf(head.sid, ids);
  const inOrder = rows.toSorted((a, b) => a.n - b.n);
  return inOrder.map(({ body }) => JSON.parse(body) as ActionBody).filter(({ status }) => status === 'open');
};

type Listed = ActionBody & { readonly session_id?: string; readonly session_title?: string };

const byId = (actions: readonly Listed[]): RequiredActions['required_actions'] =>
  Object.fromEntries(actions.map((action) => [action.request_id, action])) as RequiredActions['required_actions'];

/** Of what waits for its application a key may be granted none: after so many reads its page ends early, with a cursor. */
const mostReads = 8;
const listName = 'required-actions';

const placeText = ({ openedAt, sid, n }: ActionPlace): string => `${openedAt}.${sid}.${n}`;
const placeFrom = (text: string): ActionPlace | undefined => {
  const found = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(text);
  return found ? { openedAt: Number(found[1]), sid: Number(found[2]), n: Number(found[3]) } : undefined;
};

/**
 * A page of all open actions that the caller may answer, over all sessions, oldest first. A page may be short though more
 * follow: `has_more` tells. Throws `scope_missing`, `invalid_cursor`, `page_expired`.
 */
export const listAllActions = async (
  app: App,
  caller: Caller,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<RequiredActionsPage> => {
  refuseOutside(caller, undefined);
  if (caller.type === 'application') for (const scope of ['read', 'interact']) refuseWithout(scopeRefusal(caller, scope));
  const found: Listed[] = [];
  let place = after === undefined ? undefined : afterOf(app, listName, after, placeFrom);
  const among = answeredBy(caller);
  let isFull = false;
  for (let reads = 0; !isFull; reads += 1) {
    if (reads === mostReads) return pageOf(app, found, place);
    const rows = await app.sessions.store.openActions({ among, ...(place ? { after: place } : {}), limit: limit + 1 });
    for (const row of rows) {
      const action = await answerable(app, caller, row);
      isFull = action !== undefined && found.length === limit;
      if (isFull) break;
      if (action) found.push(action);
      place = { openedAt: row.openedAt, sid: row.sid, n: row.n };
    }
    if (!isFull && rows.length <= limit) return pageOf(app, found, undefined);
  }
  return pageOf(app, found, place);
};

const refuseWithout = (refusal: ReturnType<typeof scopeRefusal>): void => {
  if (refusal) throw thrown(refusal);
};

/** `place`: of the last action that was looked at, if more follow. */
const pageOf = (app: App, found: readonly Listed[], place: ActionPlace | undefined): RequiredActionsPage => ({
  required_actions: byId(found),
  commands: [],
  next_cursor: place === undefined ? null : listCursor(app, listName, placeText(place)),
  has_more: place !== undefined,
});

const answerable = async (app: App, caller: Caller, { row, body }: OpenActionRow): Promise<Listed | undefined> => {
  const action = JSON.parse(body) as ActionBody;
  // The list of the store may be behind the session.
  // What a child asks is listed once, where it is open.
  if (action.child_session_id !== undefined) return undefined;
  if (action.status !== 'open' || row.deletedAt !== null || !mayAnswer(caller, row.owner, action)) return undefined;
  // A key answers for the targets that it was granted, and no others.
  if (caller.type === 'application' && accessRefusal(caller, subjectOf(row, await app.sessions.config(row.configRef)), 'interact')) return undefined;
  // And not once its root is gone, which takes a read: last.
  if (await new Family(app.sessions, app.clock).isOrphan(row)) return undefined;
  return { ...action, session_id: row.id, session_title: row.title };
};
