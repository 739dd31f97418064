import type { Client } from '@turnkeeper/client/create-client';
import { type ReactNode, useEffect, useMemo } from 'react';
import { ClientContext } from './client-context.ts';
import { visitorClient } from './visitor-client.ts';

export type TurnkeeperProviderProps = {
  readonly children?: ReactNode;
} & (
  | {
      /** Where the server is, e.g. `https://turns.example.com`. */
      readonly url: string;
      /** Of this visitor: made by your own server for one session (`clientTokens.create`). A new one makes a new client. */
      readonly token: string;
    }
  | { /** One that the application has already; it stays the application's to close. */ readonly client: Client }
);

/** The hooks and `<Chat>` below it share one client, and with that one connection a session. */
export const TurnkeeperProvider = (props: TurnkeeperProviderProps) => {
  const given = 'client' in props ? props.client : undefined;
  const [url, token] = 'client' in props ? ['', ''] : [props.url, props.token];
  const client = useMemo(() => given ?? visitorClient(url, token), [given, url, token]);
  useEffect(() => {
    // After the components below have let go. One that was given is not ours.
    return client === given ? undefined : () => client.close();
  }, [client, given]);
  return <ClientContext.Provider value={client}>{props.children}</ClientContext.Provider>;
};
