/** `ctx.sessions.listEvents`. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { MinitoolEventRow } from '../../ports/minitools.ts';
import type { AskingMinitool } from '../host-api.ts';
import * as take from './arguments.ts';
import { ownSession } from './own-session.ts';
import type { SessionServices } from './services.ts';

/** An event as `ctx.sessions` gives it. */
export const eventOf = ({ sequence, body }: Pick<MinitoolEventRow, 'sequence' | 'body'>): JsonObject => ({ sequence, ...(JSON.parse(body) as JsonObject) });

/** Without `after` from the oldest that is kept; behind one that is not kept any more nothing is left out in silence. */
export const listOwnEvents = async (services: SessionServices, minitool: AskingMinitool, args: readonly unknown[]): Promise<JsonObject> => {
  const { sessionId, after, limit } = take.readArgument(take.eventQuery, args[0], 'query');
  const { session } = await ownSession(services, minitool, sessionId);
  await services.catchUp(session.head.sid);
  const { minitools } = services.app;
  if (after > 0) await refuseExpired(services, minitool.id, after);
  const events = (await minitools.events(minitool.id, { sessionId: session.row.id, after, limit })).map(eventOf);
  const last = events.at(-1)?.['sequence'];
  return { events, ...(last === undefined ? {} : { nextCursor: last }) };
};

const refuseExpired = async ({ app: { minitools } }: SessionServices, minitoolId: string, after: number): Promise<void> => {
  const [oldest, newest] = await Promise.all([minitools.oldestEvent(minitoolId), minitools.newestEvent(minitoolId)]);
  // The cursor behind which everything is still there.
  const oldestCursor = (oldest ?? newest + 1) - 1;
  if (after < oldestCursor)
    throw new TurnkeeperError('cursor_expired', `Events behind ${after} are not kept any more. The oldest cursor is ${oldestCursor}.`, { oldestCursor });
};
