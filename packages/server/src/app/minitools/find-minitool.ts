/**
 * The one way from an id to a mini-tool.
 *
 * MU1 A mini-tool is there for admins and for those who may use it; for all others it does not exist, whatever they ask of it.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { MinitoolRow } from '../../ports/minitools.ts';
import { requireUser } from '../administration.ts';
import type { Caller, UserCaller } from '../caller.ts';
import type { MinitoolServices } from './minitool-services.ts';

export const noSuchMinitool = (): TurnkeeperError => new TurnkeeperError('not_found', 'There is no such mini-tool.');

/** One of its people: its sessions are as one's own. An admin is none by being an admin. */
export const isUser = ({ id }: Pick<UserCaller, 'id'>, { users }: Pick<MinitoolRow, 'users'>): boolean => users.includes(id);

/** Sees it. */
export const mayUse = (user: UserCaller, row: Pick<MinitoolRow, 'users'>): boolean => user.admin || isUser(user, row);

/** Throws `not_found` (MU1), for keys `forbidden`. */
export const findMinitool = async (
  { minitools }: MinitoolServices,
  caller: Caller,
  id: string,
): Promise<{ readonly user: UserCaller; readonly row: MinitoolRow }> => {
  const user = requireUser(caller);
  const row = await minitools.store.minitool(id);
  if (!row || !mayUse(user, row)) throw noSuchMinitool();
  return { user, row };
};

/** The same for an admin. Throws `forbidden` for those who may use it only. */
export const findAdministered: typeof findMinitool = async (services, caller, id) => {
  const found = await findMinitool(services, caller, id);
  if (!found.user.admin) throw new TurnkeeperError('forbidden', 'Only admins may change mini-tools, and see their logs.');
  return found;
};
