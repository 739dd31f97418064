/**
 * The token that copied commands carry: one of their own, good for a day, so that the one of this browser, which is good for
 * weeks, stays out of shells and their histories.
 */
import type { Client } from '@turnkeeper/client/create-client';
import { useCallback } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { commandTokenKey } from '../preferences/command-token-key.ts';
import { readStored, writeStored } from '../preferences/stored-value.ts';

const dayMs = 86_400_000;
/** One that is about to end is no use to whoever pastes it. */
const leastMs = 2 * 3_600_000;

type Kept = { readonly token: string; readonly user: string; readonly expiresAt: number };
export type CommandAccess = { readonly origin: string; readonly token: string };

const kept = (): Kept | undefined => {
  try {
    return JSON.parse(readStored(commandTokenKey) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
};

/** The one that was made before, while it is good, or a new one. */
export const commandToken = async (tokens: Pick<Client['tokens'], 'create'>, user: string, name: string, now: number): Promise<string> => {
  const before = kept();
  if (before?.user === user && before.expiresAt > now + leastMs) return before.token;
  const { token } = await tokens.create({ name, expiresAt: now + dayMs });
  writeStored(commandTokenKey, JSON.stringify({ token, user, expiresAt: now + dayMs } satisfies Kept));
  return token;
};

/** Where no token can be made, e.g. with an application's key, the one of this sign-in is taken. */
export const useCommandAccess = (): (() => Promise<CommandAccess>) => {
  const { client, token, user } = useSignedIn();
  const id = user?.id;
  return useCallback(async () => {
    const own = id === undefined ? token : await commandToken(client.tokens, id, 'copied command', Date.now()).catch(() => token);
    return { origin: location.origin, token: own };
  }, [client, token, id]);
};
