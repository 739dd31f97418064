/** Use cases: a user's own tokens. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { CreatedToken, CreateTokenRequest, TokenResource } from '@turnkeeper/core/protocol/wire/identity';
import type { TokenRow } from '../ports/catalog.ts';
import { type Administration, endOf, faultAt, type Items, type PageQuery, pageOf, requireUser } from './administration.ts';
import { auditOf } from './audit.ts';
import type { Caller, UserCaller } from './caller.ts';
import { givenTokenName } from './tokens.ts';

const tokenResource = ({ id, name, createdAt, expiresAt, lastUsedAt }: TokenRow, caller: UserCaller): TokenResource => ({
  id,
  name,
  createdAt,
  expiresAt,
  lastUsedAt,
  current: id === caller.credentialId,
});

/** Those that have not expired. */
export const listTokens = async ({ app }: Administration, caller: Caller, page: PageQuery): Promise<Items<TokenResource>> => {
  const user = requireUser(caller);
  const rows = await app.catalog.tokensOf(user.id, { liveAt: app.clock.now(), offset: page.offset, limit: page.limit + 1 });
  return pageOf(rows, page, (row) => tokenResource(row, user));
};

/** Throws `validation_failed` for an end that is past, and for the name that is the server's own. */
export const createToken = async ({ app, identity }: Administration, caller: Caller, { name, expiresAt }: CreateTokenRequest): Promise<CreatedToken> => {
  const user = requireUser(caller);
  if (name === givenTokenName) throw faultAt('/name', 'this name is kept for the token that the server is given at its start');
  const { token, row } = await identity.makeToken({ userId: user.id, name, expiresAt: endOf(app, expiresAt) }, user);
  return { token, personalToken: tokenResource(row, user) };
};

/** Throws `not_found` for another user's. */
export const revokeToken = async ({ app, identity }: Administration, caller: Caller, id: string): Promise<void> => {
  const user = requireUser(caller);
  const token = await app.catalog.token(user.id, id);
  const gone = () => new TurnkeeperError('not_found', 'There is no such token.');
  if (!token) throw gone();
  const entry = auditOf(app, user, { action: 'token.revoked', subject: `token:${id}`, details: { name: token.name } });
  const deleted = await identity.whileRevoking([token.hash], () => app.catalog.deleteToken(id, entry));
  if (!deleted) throw gone();
};
