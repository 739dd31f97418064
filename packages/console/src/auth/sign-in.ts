/**
 * Who is signed in. A token comes by link (`/?token=…`), by name and password, from the form, or from this browser's
 * storage.
 *
 * The token leaves the address bar at once, before anything is asked of the server: it must not end up in the
 * history, in a shared link or in a screenshot.
 */
import type { SignedIn as SignInAnswer } from '@turnkeeper/client/calls/account';
import { type Client, createClient } from '@turnkeeper/client/create-client';
import type { UserResource } from '@turnkeeper/core/protocol/wire/identity';
import type { TextKey } from '../i18n/en.ts';
import { commandTokenKey } from '../preferences/command-token-key.ts';
import { readStored, writeStored } from '../preferences/stored-value.ts';

/** Why nobody is signed in. `retryAt`: when another attempt is taken (Unix ms, by this browser's clock). */
export type SignInProblem = { readonly text: TextKey; readonly retryAt?: number };

export type SignIn =
  | { readonly kind: 'checking' }
  | { readonly kind: 'signed_out'; readonly problem: SignInProblem | undefined }
  /** `user` is known once the server has answered, or from the last time; the page does not wait for it. */
  | { readonly kind: 'signed_in'; readonly client: Client; readonly token: string; readonly user: UserResource | undefined };

const storageKey = 'turnkeeper.token';
const userKey = 'turnkeeper.user';
const askAgainMs = 5_000;

export type SignInStore = {
  readonly get: () => SignIn;
  readonly subscribe: (listener: () => void) => () => void;
  readonly signInWith: (token: string) => Promise<void>;
  readonly signInByPassword: (username: string, password: string) => Promise<void>;
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

const clientOf = (token: string): Client => createClient({ baseUrl: '', token, lingerMs: 3_000, snapshotLimit: 200 });
const codeOf = (error: unknown): string => String((error as { readonly code?: unknown }).code);
const isRefusal = (error: unknown): boolean => ['unauthenticated', 'forbidden', 'not_found', 'validation_failed'].includes(codeOf(error));

/** What the form says of a failed attempt; `refused` where the credential itself is no good. */
const problemOf = (error: unknown, refused: TextKey, now: number): SignInProblem => {
  if (isRefusal(error)) return { text: refused };
  if (codeOf(error) !== 'rate_limited') return { text: 'unreachable' };
  const wait = (error as { readonly details?: { readonly retry_after_ms?: unknown } }).details?.retry_after_ms;
  return { text: 'tooManyAttempts', retryAt: now + (typeof wait === 'number' ? wait : 60_000) };
};

const storedUser = (): UserResource | undefined => {
  try {
    return JSON.parse(readStored(userKey) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
};

type Held = { readonly get: () => SignIn; readonly moveTo: (next: SignIn) => void; readonly subscribe: (listener: () => void) => () => void };

const holdState = (): Held => {
  let state: SignIn = { kind: 'checking' };
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    moveTo: (next) => {
      state = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** The moves that more than one way of signing in makes. */
const createMoves = ({ get, moveTo }: Held) => {
  const signedIn = (token: string, user: UserResource | undefined): Client => {
    const client = clientOf(token);
    writeStored(storageKey, token);
    writeStored(userKey, user && JSON.stringify(user));
    moveTo({ kind: 'signed_in', client, token, user });
    return client;
  };
  const signOut = (problem?: TextKey): void => {
    const state = get();
    if (state.kind === 'signed_in') {
      const { client } = state;
      client.close();
      // Ends this browser's token; nothing is lost when that fails.
      if (problem === undefined) client.account.logout().catch(() => {});
    }
    writeStored(storageKey, undefined);
    writeStored(userKey, undefined);
    writeStored(commandTokenKey, undefined);
    moveTo({ kind: 'signed_out', problem: problem && { text: problem } });
  };

  /** A stored token is taken at its word, so that a reload shows its session at once; a refusal signs out. */
  const confirm = async (client: Client): Promise<void> => {
    try {
      const { user } = await client.account.me();
      const state = get();
      if (state.kind !== 'signed_in' || state.client !== client) return;
      writeStored(userKey, user && JSON.stringify(user));
      moveTo({ ...state, user });
    } catch (error) {
      const state = get();
      if (state.kind !== 'signed_in' || state.client !== client) return;
      if (isRefusal(error)) signOut('tokenRefused');
      else setTimeout(() => void confirm(client), askAgainMs);
    }
  };

  return { signedIn, signOut, confirm };
};

export const createSignIn = (linkToken: string | undefined): SignInStore => {
  const held = holdState();
  const { get, moveTo } = held;
  const { signedIn, signOut, confirm } = createMoves(held);

  const attempt = async (ask: (client: Client) => Promise<SignInAnswer>, refused: TextKey): Promise<SignInProblem | undefined> => {
    try {
      const { token, user } = await ask(createClient({ baseUrl: '' }));
      signedIn(token, user);
      return undefined;
    } catch (error) {
      return problemOf(error, refused, Date.now());
    }
  };
  const attemptFromForm = async (...given: Parameters<typeof attempt>): Promise<void> => {
    const problem = await attempt(...given);
    if (problem) moveTo({ kind: 'signed_out', problem });
  };

  const begin = async (): Promise<void> => {
    const stored = readStored(storageKey);
    const problem = linkToken === undefined ? undefined : await attempt((client) => client.account.exchangeLink(linkToken), 'linkUsed');
    if (get().kind === 'signed_in') return;
    if (stored === undefined) {
      moveTo({ kind: 'signed_out', problem });
      return;
    }
    await confirm(signedIn(stored, storedUser()));
  };
  void begin();

  return {
    get,
    subscribe: held.subscribe,
    signInWith: (token) => attemptFromForm((client) => client.account.exchangeLink(token), 'tokenRefused'),
    signInByPassword: (username, password) => attemptFromForm((client) => client.account.login(username, password), 'passwordRefused'),
    signOut,
  };
};
