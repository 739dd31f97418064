/**
 * Actions as people name them: by request id or its beginning, by session, by `<session>/<request id>`, or the only one
 * there is.
 *
 * What is not open, or not for the caller to answer, is looked for where the caller may read: that it was answered, or whose
 * answer it wants, is worth more than that it is not there.
 */
import type { OpenAction } from '@turnkeeper/client/calls/actions';
import type { Client } from '@turnkeeper/client/create-client';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { UsageError } from './exit-codes.ts';
import { actionText } from './output/describe.ts';
import { programName } from './program-name.ts';
import { resolveSession } from './session-ref.ts';

/** An action may be long closed: a request id is looked for in this many of the sessions that were active last. */
const mostSessions = 10;
const mostPages = 5;

const list = (actions: readonly OpenAction[]): string => actions.map((action) => `\n  ${action.request_id}  ${actionText(action)}`).join('');

type Wanted = (action: OpenAction) => boolean;

/** Of several only those count that the command is for; a single one is taken as it is, and may be refused by name. */
const onlyOne = (found: readonly OpenAction[], wanted: Wanted, where: string): OpenAction => {
  const actions = found.length > 1 && found.some(wanted) ? found.filter(wanted) : found;
  const [action] = actions;
  if (!action)
    throw new UsageError(where === 'anywhere' ? 'Nothing waits for you.' : `Nothing waits for you ${where}. All that does: ${programName} approvals`);
  if (actions.length > 1) throw new UsageError(`${actions.length} wait for you ${where}; name one:${list(actions)}`);
  return action;
};

const isNamed = (ref: string, { request_id }: Pick<OpenAction, 'request_id'>): boolean => request_id.startsWith(ref) || request_id.startsWith(`act_${ref}`);

/** Every action of a session, closed or not, as far as it is looked through. */
const actionsOf = async (client: Client, session: SessionResource): Promise<readonly OpenAction[]> => {
  const found: OpenAction[] = [];
  let after: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const { data, next_cursor } = await client.sessions.allActions(session.id, { limit: 200, ...(after === undefined ? {} : { after }) });
    found.push(...data.map((resource) => ({ ...resource.data, session_id: session.id, session_title: session.title })));
    if (next_cursor === null) break;
    after = next_cursor;
  }
  return found;
};

const recentSessions = async ({ sessions }: Client): Promise<readonly SessionResource[]> => {
  const { items } = await sessions.list({ status: 'all', limit: 200 });
  return items.toSorted((a, b) => b.updatedAt - a.updatedAt).slice(0, mostSessions);
};

const refuseOfOthers = (action: OpenAction): never => {
  const message = `${action.request_id} waits for an approver: you may read its session, but not answer it.`;
  throw new TurnkeeperError('approver_required', message, { action_id: action.request_id });
};

/** A closed one that is named so; undefined when there is none. Throws `approver_required` for an open one of others. */
const findClosed = async (client: Client, ref: string, sessions: readonly SessionResource[]): Promise<OpenAction | undefined> => {
  const all = (await Promise.all(sessions.map((session) => actionsOf(client, session)))).flat();
  const whole = all.filter(({ request_id }) => request_id === ref);
  const fits = whole.length > 0 ? whole : all.filter((action) => isNamed(ref, action));
  const [only] = fits;
  if (fits.length > 1) throw new UsageError(`"${ref}" fits ${fits.length}, none of which waits for you; name one:${list(fits)}`);
  return only?.status === 'open' ? refuseOfOthers(only) : only;
};

const ofSession = async (client: Client, open: readonly OpenAction[], ref: string, wanted: Wanted): Promise<OpenAction> => {
  const session = await resolveSession(client, ref);
  const mine = open.filter(({ session_id }) => session_id === session.id);
  if (mine.length > 0) return onlyOne(mine, wanted, `in ${session.id}`);
  const ofOthers = (await actionsOf(client, session)).filter(({ status }) => status === 'open');
  return ofOthers[0] ? refuseOfOthers(ofOthers.find(wanted) ?? ofOthers[0]) : onlyOne([], wanted, `in ${session.id}`);
};

/**
 * An open action that the caller may answer; or, where its request id is named, one that is closed (`status` says how).
 * Throws UsageError when nothing, or more than one, fits, and `approver_required`.
 */
export const findAction = async (client: Client, ref: string | undefined, wanted: Wanted): Promise<OpenAction> => {
  const open = await client.actions.list();
  if (ref === undefined) return onlyOne(open, wanted, 'anywhere');
  if (ref === '@last') return ofSession(client, open, ref, wanted);
  const [, ofSessionRef, requestRef = ref] = /^([^/]+)\/([^/]+)$/.exec(ref) ?? [];
  const session = ofSessionRef === undefined ? undefined : await resolveSession(client, ofSessionRef);
  const within = session ? open.filter(({ session_id }) => session_id === session.id) : open;
  const whole = within.find(({ request_id }) => request_id === requestRef);
  if (whole) return whole;
  const byAction = within.filter((action) => isNamed(requestRef, action));
  if (byAction.length > 0) return onlyOne(byAction, wanted, `under "${ref}"`);
  const closed = requestRef.startsWith('ses_') ? undefined : await findClosed(client, requestRef, session ? [session] : await recentSessions(client));
  if (closed) return closed;
  if (session) throw new UsageError(`There is no action "${requestRef}" in ${session.id}. What waits: ${programName} approvals`);
  return ofSession(client, open, ref, wanted).catch((error: unknown) => {
    if (error instanceof UsageError && /^There is no session/.test(error.message))
      throw new UsageError(
        `"${ref}" is neither an action that is open (any more) nor a session. What waits: ${programName} approvals (a closed one: <session>/<request id>)`,
      );
    throw error;
  });
};
