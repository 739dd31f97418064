import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { useCallback } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useLoaded } from '../ui/use-loaded.ts';

const most = 200;

/** How many of the newest sessions that one may read are on each version: they keep theirs. Undefined until it is known. */
export const usePinned = (type: SessionResource['target']['type'], id: string): ((version: number) => string) | undefined => {
  const { client, user } = useSignedIn();
  const isAdmin = user?.roles.includes('admin') === true;
  const { data } = useLoaded(
    useCallback(() => client.sessions.list({ target: id, status: 'all', limit: most, ...(isAdmin ? { owner: 'all' } : {}) }), [client, id, isAdmin]),
  );
  if (!data) return undefined;
  const mine = data.items.filter(({ target }) => target.type === type && target.id === id);
  return (version) => `${mine.filter(({ target }) => target.version === version).length}${data.next_offset === null ? '' : '+'}`;
};
