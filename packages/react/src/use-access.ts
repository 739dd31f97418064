import type { Client } from '@turnkeeper/client/create-client';
import { useEffect, useState } from 'react';
import { type Access, accessOf, noAccess } from './access.ts';
import { useClient } from './client-context.ts';

/** Asked once a client, however many components want to know. */
const asked = new WeakMap<Client, Promise<Access>>();

const askOnce = (client: Client): Promise<Access> => {
  const known = asked.get(client);
  if (known) return known;
  const answer = client.account.me().then(accessOf);
  asked.set(client, answer);
  // Not reached, or refused: the next component asks again.
  answer.catch(() => asked.delete(client));
  return answer;
};

/** What the token may do; nothing until the server has said so. */
export const useAccess = (): Access => {
  const client = useClient();
  const [known, setKnown] = useState<{ readonly client: Client; readonly access: Access }>();
  useEffect(() => {
    let here = true;
    askOnce(client).then(
      (access) => {
        if (here) setKnown({ client, access });
      },
      // The session's own connection meets the same refusal, and shows it.
      () => {},
    );
    return () => {
      here = false;
    };
  }, [client]);
  return known?.client === client ? known.access : noAccess;
};
