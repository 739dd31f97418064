/**
 * Sign-in links: kept as hashes, and used up in the transaction that adds their token.
 *
 * A2 A sign-in link gives one token, and only until its time is over. It is used up when that token is durable: of uses
 *    at the same moment, on whichever nodes, one wins, and a use that failed leaves the link as it was.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { activeUser, refusedCredential } from './look-up-caller.ts';
import { hashToken, newToken } from './tokens.ts';
import type { IdentityServices, SignedIn, UserTokens } from './user-tokens.ts';

/** One that was used may be forgotten by now: which of both it was cannot always be told. */
const linkIsOver = (): TurnkeeperError =>
  new TurnkeeperError('unauthenticated', 'This link was used or has expired. Restart the server for a new one, or paste a token.');

/** Why what was to be exchanged is neither a link nor a token. */
export const refusedSignIn = (token: string): TurnkeeperError => (token.startsWith('tkl_') ? linkIsOver() : refusedCredential());

export const createSignInLinks = ({ catalog, clock }: IdentityServices, { forBrowser }: Pick<UserTokens, 'forBrowser'>) => ({
  add: async (userId: string, lifetimeMs: number): Promise<string> => {
    const link = newToken('tkl');
    const at = clock.now();
    await catalog.addSignInLink({ hash: hashToken(link), userId, expiresAt: at + lifetimeMs }, at);
    return link;
  },
  /** Undefined when there is no such link. Throws `unauthenticated`. */
  use: async (hash: string, address: string | undefined): Promise<SignedIn | undefined> => {
    const link = await catalog.signInLink(hash);
    if (!link) return undefined;
    if (link.expiresAt <= clock.now()) {
      throw linkIsOver();
    }
    const user = await activeUser(catalog, link.userId);
    const { token, row, audit } = await forBrowser(user, address);
    if (!(await catalog.useSignInLink(hash, row, audit))) throw linkIsOver();
    return { token, user };
  },
});
