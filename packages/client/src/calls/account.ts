/** Signing in, and who one is. */
import type { UserResource } from '@turnkeeper/core/protocol/wire/identity';
import type { Transport } from '../transport/transport.ts';

export type SignedIn = { readonly token: string; readonly user: UserResource };

export type AccountCalls = {
  readonly me: () => Promise<{ readonly user: UserResource }>;
  /** Exchanges a sign-in link's token (good once), or a valid token, for a token of this browser. */
  readonly exchangeLink: (token: string) => Promise<SignedIn>;
  readonly logout: () => Promise<void>;
};

export const createAccountCalls = ({ request }: Transport): AccountCalls => ({
  me: () => request('GET', '/api/auth/me'),
  exchangeLink: (token) => request('POST', '/api/auth/link', { body: { token } }),
  logout: () => request('POST', '/api/auth/logout', { body: {} }),
});
