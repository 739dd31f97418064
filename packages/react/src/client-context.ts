import type { Client } from '@turnkeeper/client/create-client';
import { createContext, useContext } from 'react';

export const ClientContext = createContext<Client | undefined>(undefined);

/** The client that the hooks work by. */
export const useClient = (): Client => {
  const client = useContext(ClientContext);
  if (!client) throw new Error('There is no <TurnkeeperProvider> around this component.');
  return client;
};
