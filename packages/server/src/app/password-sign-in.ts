/**
 * Signing in by name and password.
 *
 * A9 Nobody learns from signing in whether a name is there: an unknown name, a wrong password, a user without one and a
 *    disabled user are answered alike, after the same work.
 * A10 A password gives no token once it has been replaced: the write that adds the token looks whether it still is the one
 *    that was compared with.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { Passwords } from './passwords.ts';
import type { IdentityServices, SignedIn, UserTokens } from './user-tokens.ts';

const wrongPassword = (): TurnkeeperError => new TurnkeeperError('unauthenticated', 'The name or the password is wrong.');

type Given = { readonly username: string; readonly password: string };

export const createPasswordSignIn =
  ({ catalog }: IdentityServices, passwords: Passwords, { forBrowser }: Pick<UserTokens, 'forBrowser'>) =>
  async ({ username, password }: Given, address?: string): Promise<SignedIn> => {
    const user = await catalog.userByName(username);
    const kept = user?.passwordHash ?? null;
    const right = await passwords.matches(password, kept);
    if (!user || kept === null || !right || user.status !== 'active') throw wrongPassword();
    const { token, row, audit } = await forBrowser(user, address);
    if (!(await catalog.addTokenByPassword(row, kept, audit))) throw wrongPassword();
    return { token, user };
  };
