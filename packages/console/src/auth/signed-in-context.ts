import type { Client } from '@turnkeeper/client/create-client';
import type { UserResource } from '@turnkeeper/core/protocol/wire/identity';
import { createContext, use } from 'react';
import type { TextKey } from '../i18n/en.ts';

export type SignedIn = {
  readonly client: Client;
  readonly token: string;
  readonly user: UserResource | undefined;
  readonly signOut: (problem?: TextKey) => void;
};

export const SignedInContext = createContext<SignedIn | undefined>(undefined);

/** Only below a signed-in page. */
export const useSignedIn = (): SignedIn => {
  const value = use(SignedInContext);
  if (!value) throw new Error('useSignedIn is used outside of a signed-in page');
  return value;
};

export const useClient = (): Client => useSignedIn().client;
