/**
 * What the holder of a credential may do with the session, so that nothing is offered that would be refused.
 *
 * Owns: how a credential reads as scopes. What that allows of actions is core's table, which the server refuses by.
 */
import type { MeAnswer } from '@turnkeeper/core/protocol/wire/identity';
import { type Answerable, keyMayAnswer, personMayAnswer } from '@turnkeeper/core/session/standing';

export type AccessUse = 'read' | 'invoke' | 'interact' | 'cancel';
export type Access = {
  /** The one session that the token is for; undefined where it is for more. */
  readonly sessionId: string | undefined;
  readonly may: (use: AccessUse) => boolean;
  readonly mayAnswer: (action: Answerable) => boolean;
};

export const noAccess: Access = { sessionId: undefined, may: () => false, mayAnswer: () => false };

const byScopes = (scopes: readonly string[], sessionId: string | undefined): Access => {
  const may = (use: AccessUse): boolean => scopes.includes(use);
  return { sessionId, may, mayAnswer: (action) => may('interact') && keyMayAnswer(action) };
};

/** A user is taken for the session's owner: whoever only reads it is refused by the server. */
export const accessOf = ({ client, key, user }: MeAnswer): Access => {
  if (client) return byScopes(client.scopes, client.sessionId);
  if (key) return byScopes(key.scopes, undefined);
  if (!user) return noAccess;
  const standing = { id: user.id, admin: user.roles.includes('admin'), owns: true, roles: [], shares: false };
  return { sessionId: undefined, may: () => true, mayAnswer: (action) => personMayAnswer(standing, action) };
};
