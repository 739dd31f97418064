/** Signing in, who one is, and one's personal tokens. */
import type { CreatedToken, CreateTokenRequest, MeAnswer, TokenResource, UserResource } from '@turnkeeper/core/protocol/wire/identity';
import type { Transport } from '../transport/transport.ts';
import { api, type Page, type PageQuery, part } from './paths.ts';

export type SignedIn = { readonly token: string; readonly user: UserResource };

export type AccountCalls = {
  /** `user` for a user's token, `key` for an application's. */
  readonly me: () => Promise<MeAnswer>;
  readonly login: (username: string, password: string) => Promise<SignedIn>;
  /** Exchanges a sign-in link's token (good once), or a valid token, for a token of this browser. */
  readonly exchangeLink: (token: string) => Promise<SignedIn>;
  /** Ends the token that this client uses. */
  readonly logout: () => Promise<void>;
};

export const createAccountCalls = ({ request }: Transport): AccountCalls => ({
  me: () => request('GET', '/api/auth/me'),
  login: (username, password) => request('POST', '/api/auth/login', { body: { username, password } }),
  exchangeLink: (token) => request('POST', '/api/auth/link', { body: { token } }),
  logout: () => request('POST', '/api/auth/logout', { body: {} }),
});

export type TokenCalls = {
  readonly list: (query?: PageQuery) => Promise<Page<TokenResource>>;
  /** `token` is shown in this answer and never again. */
  readonly create: (token: CreateTokenRequest) => Promise<CreatedToken>;
  readonly revoke: (tokenId: string) => Promise<void>;
};

export const createTokenCalls = ({ request }: Transport): TokenCalls => ({
  list: (query) => request('GET', `${api}/tokens`, query ? { query } : {}),
  create: (body) => request('POST', `${api}/tokens`, { body }),
  revoke: (id) => request('DELETE', `${api}/tokens/${part(id)}`),
});
