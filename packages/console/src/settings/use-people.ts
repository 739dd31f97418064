import type { UserResource } from '@turnkeeper/core/protocol/wire/identity';
import { useEffect, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';

export type People = readonly UserResource[] | 'coming' | undefined;

/** Everyone, for admins, as soon as they have been read; undefined for others, who name people by their ids. */
export const usePeople = (): People => {
  const { client, user } = useSignedIn();
  const isAdmin = user?.roles.includes('admin') === true;
  const [people, setPeople] = useState<People>('coming');
  useEffect(() => {
    if (!isAdmin) return;
    let here = true;
    client.users.list({ limit: 200 }).then(
      ({ items }) => here && setPeople(items),
      () => here && setPeople(undefined),
    );
    return () => {
      here = false;
    };
  }, [client, isAdmin]);
  return isAdmin ? people : undefined;
};
