/**
 * Who is signed in. A token comes by link (`/?token=…`), from the form, or from this browser's storage.
 *
 * The token leaves the address bar at once, before anything is asked of the server: it must not end up in the
 * history, in a shared link or in a screenshot.
 */
import { type Client, createClient } from '@turnkeeper/client/create-client';
import type { UserResource } from '@turnkeeper/core/protocol/wire/identity';
import type { TextKey } from '../i18n/en.ts';
import { readStored, writeStored } from '../preferences/stored-value.ts';

export type SignIn =
  | { readonly kind: 'checking' }
  | { readonly kind: 'signed_out'; readonly problem: TextKey | undefined }
  /** `user` is known once the server has answered; the page does not wait for it. */
  | { readonly kind: 'signed_in'; readonly client: Client; readonly token: string; readonly user: UserResource | undefined };

const storageKey = 'turnkeeper.token';

export type SignInStore = {
  readonly get: () => SignIn;
  readonly subscribe: (listener: () => void) => () => void;
  readonly signInWith: (token: string) => Promise<void>;
  readonly signOut: (problem?: TextKey) => void;
};

/** Takes the token out of the address, if there is one. */
export const takeTokenFromAddress = (): string | undefined => {
  const url = new URL(location.href);
  const token = url.searchParams.get('token');
  if (token === null) return undefined;
  url.searchParams.delete('token');
  history.replaceState(history.state, '', url);
  return token === '' ? undefined : token;
};

const clientOf = (token: string): Client => createClient({ baseUrl: '', token, lingerMs: 3_000 });
const isRefusal = (error: unknown): boolean =>
  ['unauthenticated', 'forbidden', 'not_found', 'validation_failed'].includes(String((error as { readonly code?: unknown }).code));

export const createSignIn = (linkToken: string | undefined): SignInStore => {
  let state: SignIn = { kind: 'checking' };
  const listeners = new Set<() => void>();
  const moveTo = (next: SignIn): void => {
    state = next;
    for (const listener of [...listeners]) listener();
  };

  const signedIn = (token: string, user?: UserResource): void => {
    writeStored(storageKey, token);
    moveTo({ kind: 'signed_in', client: clientOf(token), token, user });
  };
  const signOut = (problem?: TextKey): void => {
    if (state.kind === 'signed_in') {
      const { client } = state;
      client.close();
      // Ends this browser's token; nothing is lost when that fails.
      if (problem === undefined) client.account.logout().catch(() => {});
    }
    writeStored(storageKey, undefined);
    moveTo({ kind: 'signed_out', problem });
  };

  /** A stored token is taken at its word, so that a reload shows its session at once; a refusal signs out. */
  const trustStored = (token: string): void => {
    signedIn(token);
    if (state.kind !== 'signed_in') return;
    const { client } = state;
    client.account.me().then(
      ({ user }) => {
        if (state.kind === 'signed_in' && state.client === client) moveTo({ ...state, user });
      },
      (error: unknown) => {
        if (isRefusal(error)) signOut('tokenRefused');
      },
    );
  };

  const exchange = async (token: string, refused: TextKey): Promise<TextKey | undefined> => {
    try {
      const answer = await createClient({ baseUrl: '' }).account.exchangeLink(token);
      signedIn(answer.token, answer.user);
      return undefined;
    } catch (error) {
      return isRefusal(error) ? refused : 'unreachable';
    }
  };

  const begin = async (): Promise<void> => {
    const stored = readStored(storageKey);
    const problem = linkToken === undefined ? undefined : await exchange(linkToken, 'linkUsed');
    if (state.kind === 'signed_in') return;
    if (stored === undefined) moveTo({ kind: 'signed_out', problem });
    else trustStored(stored);
  };
  void begin();

  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    signInWith: async (token) => {
      const problem = await exchange(token, 'tokenRefused');
      if (problem !== undefined) moveTo({ kind: 'signed_out', problem });
    },
    signOut,
  };
};
