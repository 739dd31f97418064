/**
 * Use cases: who is calling, and how people sign in and out.
 *
 * A1 Tokens and keys are kept as hashes only; each is shown once, when it is made.
 *    One that is revoked stops working here at once, on other nodes within 5 s: from the moment that its revocation
 *    begins it is refused, and what was read of it before that is not remembered.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { TokenRow } from '../ports/catalog.ts';
import { auditOf } from './audit.ts';
import { type Caller, holderOf, isClient } from './caller.ts';
import { CallerCache } from './caller-cache.ts';
import { activeUser, liveToken, lookUpCaller, refusedCredential } from './look-up-caller.ts';
import { createPasswordSignIn } from './password-sign-in.ts';
import { Passwords } from './passwords.ts';
import { createSignInLinks, refusedSignIn } from './sign-in-links.ts';
import { hashToken } from './tokens.ts';
import { createUserTokens, type IdentityServices, type NewToken, type SignedIn } from './user-tokens.ts';

export type Identity = {
  readonly passwords: Passwords;
  /** The caller of a token or key, given by its hash (`hashToken`); throws `unauthenticated`. */
  readonly authenticate: (hash: string) => Promise<Caller>;
  /** Whether the credential of this hash was valid here when it was last looked up: a guess never was. Reads nothing. */
  readonly recognises: (hash: string) => boolean;
  /** Makes a token for a user, on behalf of `by`; its text is returned here only. */
  readonly makeToken: (token: NewToken, by: Caller | 'system') => Promise<{ readonly token: string; readonly row: TokenRow }>;
  /** The same for the server itself. */
  readonly issueToken: (userId: string, name: string, lifetimeMs: number | null) => Promise<string>;
  /** A link's token, good once for `lifetimeMs`, on every node. */
  readonly newSignInLink: (userId: string, lifetimeMs: number) => Promise<string>;
  /** Exchanges a link's token, or a valid token, for a token of this browser. */
  readonly signIn: (token: string, address?: string) => Promise<SignedIn>;
  /** Throws `unauthenticated` (A9). */
  readonly signInByPassword: (given: { readonly username: string; readonly password: string }, address?: string) => Promise<SignedIn>;
  /** Revokes the token that the caller came with. */
  readonly signOut: (token: string, caller: Caller) => Promise<void>;
  /** Refuses the credentials of these hashes from now on while `work` revokes them; then what is open with them ends (A1). */
  readonly whileRevoking: <Of>(hashes: readonly string[], work: () => Promise<Of>) => Promise<Of>;
  /** Called with the hash of each credential that was revoked here. */
  readonly onRevoked: (listener: (hash: string) => void) => void;
  /** Something of this user has changed: memberships, roles, status. */
  readonly forgetUser: (id: string) => void;
  readonly forgetApplication: (id: string) => void;
  /** Called with whoever has changed so, `user:<id>` or `app:<id>`: what its credentials opened may be open no more. */
  readonly onChanged: (listener: (who: string) => void) => void;
};

type Listeners = { readonly add: (listener: (value: string) => void) => void; readonly tell: (value: string) => void };

const createListeners = (): Listeners => {
  const listeners: ((value: string) => void)[] = [];
  return {
    add: (listener) => {
      listeners.push(listener);
    },
    tell: (value) => {
      for (const listener of listeners) listener(value);
    },
  };
};

/** The callers of this node: looked up, remembered for a moment, forgotten when something of them changes (A1). */
const createCallers = (services: IdentityServices, revoked: Listeners, changed: Listeners) => {
  const cache = new CallerCache();
  /** A client's token ends with the credential that it was made with [CT3]. */
  const unlessEnding = (caller: Caller): Caller => {
    if (isClient(caller) && cache.isEnding(caller.issuerHash)) throw refusedCredential();
    return caller;
  };
  return {
    isEnding: (hash: string) => cache.isEnding(hash),
    recognises: (hash: string) => cache.has(hash),
    authenticate: async (hash: string): Promise<Caller> => {
      const now = services.clock.now();
      if (cache.isEnding(hash)) throw refusedCredential();
      const known = cache.get(hash, now);
      if (known) return unlessEnding(known);
      try {
        const caller = await cache.read(hash, now, () => lookUpCaller(services, hash));
        if (cache.isEnding(hash)) throw refusedCredential();
        return unlessEnding(caller);
      } catch (error) {
        if (error instanceof TurnkeeperError && error.code === 'unauthenticated') cache.forget(hash);
        throw error;
      }
    },
    whileRevoking: async <Of>(hashes: readonly string[], work: () => Promise<Of>): Promise<Of> => {
      const ended = new Set(hashes);
      let clients: readonly string[] = [];
      const done = await cache.whileEnding(hashes, async () => {
        const worked = await work();
        clients = cache.forgetAll((caller) => isClient(caller) && ended.has(caller.issuerHash));
        return worked;
      });
      for (const hash of [...hashes, ...clients]) revoked.tell(hash);
      return done;
    },
    forget: (type: 'user' | 'application', id: string): void => {
      const who = `${type === 'user' ? 'user' : 'app'}:${id}`;
      cache.forgetAll((caller) => holderOf(caller) === who);
      changed.tell(who);
    },
  };
};

export const createIdentity = (services: IdentityServices): Identity => {
  const { catalog, clock, ids } = services;
  const [revoked, changed] = [createListeners(), createListeners()];
  const callers = createCallers(services, revoked, changed);
  const passwords = new Passwords();
  const tokens = createUserTokens(services);
  const links = createSignInLinks(services, tokens);
  return {
    passwords,
    authenticate: callers.authenticate,
    recognises: callers.recognises,
    whileRevoking: callers.whileRevoking,
    makeToken: tokens.make,
    issueToken: async (userId, name, lifetimeMs) => (await tokens.make({ userId, name, lifetimeMs }, 'system')).token,
    newSignInLink: links.add,
    signIn: async (token, address) => {
      const hash = hashToken(token);
      const byLink = await links.use(hash, address);
      if (byLink) return byLink;
      const row = await liveToken(services, hash);
      if (!row || callers.isEnding(hash)) throw refusedSignIn(token);
      return { token, user: await activeUser(catalog, row.userId) };
    },
    signInByPassword: createPasswordSignIn(services, passwords, tokens),
    signOut: async (token, caller) => {
      const hash = hashToken(token);
      if (callers.isEnding(hash)) throw refusedCredential();
      await callers.whileRevoking([hash], async () => {
        const row = await liveToken(services, hash);
        if (!row) throw refusedCredential();
        const entry = auditOf({ clock, ids }, caller, { action: 'token.revoked', subject: `token:${row.id}`, details: { name: row.name } });
        await catalog.deleteToken(row.id, entry);
      });
    },
    onRevoked: revoked.add,
    onChanged: changed.add,
    forgetUser: (id) => callers.forget('user', id),
    forgetApplication: (id) => callers.forget('application', id),
  };
};
