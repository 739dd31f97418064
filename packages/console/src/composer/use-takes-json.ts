import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { targetCan } from '../auth/target-can.ts';
import { useLoaded } from '../ui/use-loaded.ts';

/** Whether a JSON object is an input of its own. Of an agent only the server knows: it is so where the session was made with an `inputSchema`. */
export const useTakesJson = (session: SessionResource | undefined): boolean => {
  const { sessions } = useClient();
  const asked = session?.target.type === 'agent' && !session.imported ? session.id : undefined;
  const read = useCallback(
    async () => (asked === undefined ? undefined : (await sessions.capabilities(asked)).capabilities['json_input'] === true),
    [sessions, asked],
  );
  return useLoaded(read).data ?? targetCan(session).json;
};
