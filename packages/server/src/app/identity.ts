/**
 * Use cases: who is calling, and the tokens by which it is known.
 *
 * A1 Tokens are kept as hashes only; a token is shown once, when it is made.
 *    A token that is revoked stops working here at once, on other nodes within 5 s: from the moment that its revocation
 *    begins it is refused, and what was read of it before that is not remembered.
 * A2 A sign-in link gives one token, and only until its time is over. It is used up when that token is durable: of uses
 *    at the same moment one wins, and a use that failed leaves the link as it was.
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
  /** The caller of a token, given by its hash (`hashToken`); throws `unauthenticated`. */
  readonly authenticate: (hash: string) => Promise<Caller>;
  /** Whether the token of this hash was valid here when it was last looked up: a guess never was. Reads nothing. */
  readonly recognises: (hash: string) => boolean;
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
  /** By hash, the one looked up longest ago first. An entry past `until` is read again before it is believed. */
  const callers = new Map<string, { readonly caller: Caller; readonly until: number }>();
  const links = new Map<string, { readonly userId: string; readonly until: number; readonly state: 'free' | 'in_use' }>();
  /** Hashes of the tokens that are being deleted. */
  const revoking = new Set<string>();
  let revocations = 0;
  const refused = () => new TurnkeeperError('unauthenticated', 'Send a valid token: Authorization: Bearer <token>.');

  const tokenRow = async (hash: string): Promise<TokenRow> => {
    const row = await catalog.tokenByHash(hash);
    if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) throw refused();
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

  const remember = (hash: string, caller: Caller, until: number): void => {
    callers.delete(hash);
    const [oldest] = callers.keys();
    if (callers.size >= mostRemembered && oldest !== undefined) callers.delete(oldest);
    callers.set(hash, { caller, until });
  };

  const lookUp = async (hash: string, now: number): Promise<{ readonly caller: Caller; readonly until: number }> => {
    const row = await tokenRow(hash);
    if (row.lastUsedAt === null || now - row.lastUsedAt > touchEveryMs) void catalog.touchToken(row.id, now).catch(() => {});
    return { caller: callerOf(await userOf(row.userId)), until: Math.min(now + rememberMs, row.expiresAt ?? Number.POSITIVE_INFINITY) };
  };

  const signInByLink = async (hash: string, link: { readonly userId: string; readonly until: number }): ReturnType<Identity['signIn']> => {
    links.set(hash, { ...link, state: 'in_use' });
    try {
      const user = await userOf(link.userId);
      const token = await issueToken(link.userId, 'browser', 30 * 86_400_000);
      links.delete(hash);
      return { token, user };
    } catch (error) {
      links.set(hash, { ...link, state: 'free' });
      throw error;
    }
  };

  return {
    issueToken,
    authenticate: async (hash) => {
      const now = clock.now();
      if (revoking.has(hash)) throw refused();
      const known = callers.get(hash);
      if (known && known.until > now) return known.caller;
      const before = revocations;
      try {
        const { caller, until } = await lookUp(hash, now);
        if (revoking.has(hash)) throw refused();
        // Read while some token was deleted, perhaps this one: true of this request, not of the next.
        if (before === revocations) remember(hash, caller, until);
        return caller;
      } catch (error) {
        if (error instanceof TurnkeeperError && error.code === 'unauthenticated') callers.delete(hash);
        throw error;
      }
    },
    recognises: (hash) => callers.has(hash),
    user: (caller) => userOf(caller.id),
    newSignInLink: (userId, lifetimeMs) => {
      const token = newToken('tkl');
      links.set(hashToken(token), { userId, until: clock.now() + lifetimeMs, state: 'free' });
      return token;
    },
    signIn: async (token) => {
      const hash = hashToken(token);
      const link = links.get(hash);
      if (!link) return { token, user: await userOf((await tokenRow(hash)).userId) };
      if (link.until <= clock.now()) {
        links.delete(hash);
        throw new TurnkeeperError('unauthenticated', 'This sign-in link has expired. Restart the server for a new one, or paste a token.');
      }
      if (link.state === 'in_use') throw new TurnkeeperError('unauthenticated', 'This sign-in link is being used already.');
      return signInByLink(hash, link);
    },
    signOut: async (token) => {
      const hash = hashToken(token);
      if (revoking.has(hash)) throw refused();
      revoking.add(hash);
      callers.delete(hash);
      try {
        await catalog.deleteToken((await tokenRow(hash)).id);
      } finally {
        // Still valid if that failed: then the next request reads it again.
        revocations += 1;
        revoking.delete(hash);
      }
    },
  };
};
