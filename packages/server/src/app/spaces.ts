/**
 * Where sessions and agents stand.
 *
 * SP1 The space `default` has no members: its sessions are their owners', its agents are everyone's. Sessions of
 *     applications stand there only, so that a space's list shows its members what users placed there, and nothing else.
 * SP2 What a mini-tool places in a space is in people's ordinary list (`owner=me`) as if they had made it: in that of the space's
 *     members, and, whatever the space, of the mini-tool's people. What it keeps in its containers is not: that is found there.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';

export const defaultSpace = 'default';

/** Whether this caller may place a session in the space, or see its agents, by belonging to it. */
export const belongsTo = (caller: Caller, space: string): boolean =>
  (space === defaultSpace && caller.type !== 'client') || (caller.type === 'user' && (caller.admin || caller.spaces.has(space)));

const noSuchSpace = (): TurnkeeperError => new TurnkeeperError('not_found', 'There is no such space.', { pointer: '/space' });

/** The space that a new session, or an agent, is to stand in. Throws `not_found` with the pointer `/space`. */
export const placeIn = async (app: App, caller: Caller, space: string = defaultSpace): Promise<string> => {
  if (space === defaultSpace) return space;
  if (!belongsTo(caller, space)) throw noSuchSpace();
  // An admin belongs to whatever there is, and only to that.
  if (!(await app.catalog.space(space))) throw noSuchSpace();
  return space;
};
