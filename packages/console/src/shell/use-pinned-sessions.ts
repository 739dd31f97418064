import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { useEffect, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { pinned, setPinned } from '../preferences/pinned.ts';
import { useStored } from '../preferences/use-stored.ts';

/** The pinned sessions, in the order of pinning: out of the list where they are in it, else each is read for itself. */
export const usePinnedSessions = (listed: readonly SessionResource[] | undefined): readonly SessionResource[] => {
  const client = useClient();
  const ids = useStored(pinned);
  const [read, setRead] = useState<ReadonlyMap<string, SessionResource>>(new Map());
  const ready = listed !== undefined;
  const missing = ready ? ids.filter((id) => !listed.some((session) => session.id === id) && !read.has(id)).join() : '';
  useEffect(() => {
    if (missing === '') return;
    let here = true;
    for (const id of missing.split(',')) {
      client.sessions.get(id).then(
        (session) => here && setRead((before) => new Map([...before, [id, session]])),
        (error: unknown) => {
          // It is gone: nothing is left to keep at hand.
          if ((error as { readonly code?: unknown }).code === 'not_found') setPinned([id], false);
        },
      );
    }
    return () => {
      here = false;
    };
  }, [client, missing]);
  return ids.flatMap((id) => listed?.find((session) => session.id === id) ?? read.get(id) ?? []);
};
