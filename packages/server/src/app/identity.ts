/**
 * Use cases: who is calling, and the tokens by which it is known.
 *
 * A1 Tokens are kept as hashes only; a token is shown once, when it is made.
 *    A token that is revoked stops working here at once, on other nodes within 5 s.
 * A2 A sign-in link works once, and only until its time is over.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { Catalog, TokenRow, UserRow } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Caller } from './caller.ts';

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
/** 32 random bytes behind a readable prefix. */
export const newToken = (prefix: 'tk' | 'tkl'): string => `${prefix}_${randomBytes(32).toString('base64url')}`;

type Services = { readonly catalog: Catalog; readonly clock: Clock; readonly ids: Ids };

const callerOf = (user: UserRow): Caller => ({ type: 'user', id: user.id, name: user.username, admin: user.roles.includes('admin') });

export const userResource = (user: UserRow) => ({ id: user.id, username: user.username, displayName: user.displayName, roles: [...user.roles] });

const touchEveryMs = 60_000;
/** How long a token's caller is remembered: a token revoked on another node works there so much longer at most. */
const rememberMs = 5_000;
const mostRemembered = 10_000;

export type Identity = {
  /** The caller of a token; throws `unauthenticated`. */
  readonly authenticate: (token: string | undefined) => Promise<Caller>;
  readonly user: (caller: Caller) => Promise<UserRow>;
  /** Makes a token for a user; its text is returned here only. */
  readonly issueToken: (userId: string, name: string, lifetimeMs: number | null) => Promise<string>;
  /** A link's token, good once for `lifetimeMs`, in this process. */
  readonly newSignInLink: (userId: string, lifetimeMs: number) => string;
  /** Exchanges a link's token, or a valid token, for a token of this browser. */
  readonly signIn: (token: string) => Promise<{ readonly token: string; readonly user: UserRow }>;
  readonly signOut: (token: string) => Promise<void>;
};

export const createIdentity = ({ catalog, clock, ids }: Services): Identity => {
  const callers = new Map<string, { readonly caller: Caller; readonly until: number }>();
  const links = new Map<string, { readonly userId: string; readonly until: number }>();
  const refused = () => new TurnkeeperError('unauthenticated', 'Send a valid token: Authorization: Bearer <token>.');

  const tokenRow = async (token: string): Promise<TokenRow> => {
    const row = await catalog.tokenByHash(hashToken(token));
    if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hashToken(token)))) throw refused();
    if (row.expiresAt !== null && row.expiresAt <= clock.now()) throw refused();
    return row;
  };

  const userOf = async (id: string): Promise<UserRow> => {
    const user = await catalog.user(id);
    if (!user) throw refused();
    return user;
  };

  const issueToken: Identity['issueToken'] = async (userId, name, lifetimeMs) => {
    const token = newToken('tk');
    const at = clock.now();
    await catalog.addToken({
      id: ids.next('token'),
      userId,
      name,
      hash: hashToken(token),
      createdAt: at,
      expiresAt: lifetimeMs === null ? null : at + lifetimeMs,
      lastUsedAt: null,
    });
    return token;
  };

  return {
    issueToken,
    authenticate: async (token) => {
      if (token === undefined || token === '') throw refused();
      const now = clock.now();
      const hash = hashToken(token);
      const known = callers.get(hash);
      if (known && known.until > now) return known.caller;
      const row = await tokenRow(token);
      if (row.lastUsedAt === null || now - row.lastUsedAt > touchEveryMs) void catalog.touchToken(row.id, now).catch(() => {});
      const caller = callerOf(await userOf(row.userId));
      if (callers.size >= mostRemembered) callers.clear();
      callers.set(hash, { caller, until: Math.min(now + rememberMs, row.expiresAt ?? Number.POSITIVE_INFINITY) });
      return caller;
    },
    user: (caller) => userOf(caller.id),
    newSignInLink: (userId, lifetimeMs) => {
      const token = newToken('tkl');
      links.set(hashToken(token), { userId, until: clock.now() + lifetimeMs });
      return token;
    },
    signIn: async (token) => {
      const hash = hashToken(token);
      const link = links.get(hash);
      if (link) {
        links.delete(hash);
        if (link.until <= clock.now())
          throw new TurnkeeperError('unauthenticated', 'This sign-in link has expired. Restart the server for a new one, or paste a token.');
        return { token: await issueToken(link.userId, 'browser', 30 * 86_400_000), user: await userOf(link.userId) };
      }
      return { token, user: await userOf((await tokenRow(token)).userId) };
    },
    signOut: async (token) => {
      callers.delete(hashToken(token));
      await catalog.deleteToken((await tokenRow(token)).id);
    },
  };
};
