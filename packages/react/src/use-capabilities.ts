import type { Client } from '@turnkeeper/client/create-client';
import { useEffect, useState } from 'react';
import { useClient } from './client-context.ts';

/** What the session takes, by name (`GET {S}/capabilities`): `json_input`, `file_input`, `steer` and the others. */
export type Capabilities = { readonly [name: string]: boolean };

/** Asked once a session, however many components want to know: it does not change. */
const asked = new WeakMap<Client, Map<string, Promise<Capabilities>>>();

const askOnce = (client: Client, sessionId: string): Promise<Capabilities> => {
  const ofClient = asked.get(client) ?? new Map<string, Promise<Capabilities>>();
  asked.set(client, ofClient);
  const known = ofClient.get(sessionId);
  if (known) return known;
  const answer = client.sessions.capabilities(sessionId).then(({ capabilities }) => capabilities);
  ofClient.set(sessionId, answer);
  // Not reached, or refused: the next component asks again.
  answer.catch(() => ofClient.delete(sessionId));
  return answer;
};

/** What the session takes; undefined until the server has said so. */
export const useCapabilities = (sessionId: string): Capabilities | undefined => {
  const client = useClient();
  const [known, setKnown] = useState<{ readonly client: Client; readonly sessionId: string; readonly capabilities: Capabilities }>();
  useEffect(() => {
    let here = true;
    askOnce(client, sessionId).then(
      (capabilities) => {
        if (here) setKnown({ client, sessionId, capabilities });
      },
      // The session's own connection meets the same refusal, and shows it.
      () => {},
    );
    return () => {
      here = false;
    };
  }, [client, sessionId]);
  return known?.client === client && known.sessionId === sessionId ? known.capabilities : undefined;
};
