/** The tokens of users: made for whoever asks, or by signing in. */
import type { Catalog, TokenRow, UserRow } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import { auditOf } from './audit.ts';
import type { Caller } from './caller.ts';
import { callerOf } from './look-up-caller.ts';
import { hashToken, newToken } from './tokens.ts';

export type IdentityServices = { readonly catalog: Catalog; readonly clock: Clock; readonly ids: Ids };

/** How long a browser stays signed in. */
const browserMs = 30 * 86_400_000;

export type NewToken = { readonly userId: string; readonly name: string; readonly expiresAt: number | null };
export type SignedIn = { readonly token: string; readonly user: UserRow };

/** A token to be made; `lifetimeMs` counts from when it is made. */
type Wanted = Pick<NewToken, 'userId' | 'name'> & ({ readonly expiresAt: number | null } | { readonly lifetimeMs: number | null });
type TokenAct = 'token.created' | 'user.signed_in';

const endOfToken = (wanted: Wanted, at: number): number | null => {
  if ('expiresAt' in wanted) return wanted.expiresAt;
  return wanted.lifetimeMs === null ? null : at + wanted.lifetimeMs;
};

export const createUserTokens = ({ catalog, clock, ids }: IdentityServices) => {
  /** A token and its entry, not kept yet. */
  const drawn = (wanted: Wanted, by: Caller | 'system', action: TokenAct) => {
    const { userId, name } = wanted;
    const token = newToken('tk');
    const createdAt = clock.now();
    const row: TokenRow = {
      id: ids.next('token'),
      userId,
      name,
      hash: hashToken(token),
      createdAt,
      expiresAt: endOfToken(wanted, createdAt),
      lastUsedAt: null,
    };
    const subject = action === 'token.created' ? `token:${row.id}` : `user:${userId}`;
    return { token, row, audit: auditOf({ clock, ids }, by, { action, subject, details: { user: userId, name } }) };
  };
  return {
    /** For a person who has just shown who they are; whoever asks keeps it. */
    forBrowser: async (user: UserRow, address: string | undefined) => {
      const caller = { ...(await callerOf(catalog, user, null)), ...(address === undefined ? {} : { address }) };
      return drawn({ userId: user.id, name: 'browser', lifetimeMs: browserMs }, caller, 'user.signed_in');
    },
    make: async (wanted: Wanted, by: Caller | 'system'): Promise<{ readonly token: string; readonly row: TokenRow }> => {
      const { token, row, audit } = drawn(wanted, by, 'token.created');
      await catalog.addToken(row, audit);
      return { token, row };
    },
  };
};

export type UserTokens = ReturnType<typeof createUserTokens>;
