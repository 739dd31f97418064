/**
 * How far a client's token reaches: it is given to a browser, for one session.
 *
 * CT1 It opens nothing but its session, with the sessions that this one delegated to: another session is not there, and whatever
 *     is of no session is forbidden.
 * CT2 It makes nothing that outlives it, and gives nobody else a way in: no schedules, webhooks or tokens, no forks, no budgets.
 * CT3 It does nothing that who made it may not do at that moment [AC1 to AC3], and ends with the credential that made it.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { type Caller, type ClientCaller, isClient } from './caller.ts';

/** `sessionId`: which session a request is about, if it is about one (CT1). Throws `forbidden`, `not_found`. */
export const refuseOutside = (caller: Caller, sessionId: string | undefined): void => {
  if (!isClient(caller)) return;
  if (sessionId === undefined) throw new TurnkeeperError('forbidden', 'This token is for one session, and for nothing else.', { session_id: caller.sessionId });
  if (sessionId !== caller.sessionId) throw new TurnkeeperError('not_found', 'There is no such session.');
};

/** Throws `forbidden` for a client's token (CT2). */
export const refuseClient: (caller: Caller, what: string) => asserts caller is Exclude<Caller, ClientCaller> = (caller, what) => {
  if (isClient(caller)) throw new TurnkeeperError('forbidden', `A client’s token ${what}.`);
};
