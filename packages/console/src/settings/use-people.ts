import type { UserResource } from '@turnkeeper/core/protocol/wire/identity';
import { useEffect, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';

/** Everyone, for admins; undefined for others, who name people by their ids. */
export const usePeople = (): readonly UserResource[] | undefined => {
  const { client, user } = useSignedIn();
  const isAdmin = user?.roles.includes('admin') === true;
  const [people, setPeople] = useState<readonly UserResource[]>();
  useEffect(() => {
    if (!isAdmin) return;
    let here = true;
    client.users.list({ limit: 200 }).then(
      ({ items }) => here && setPeople(items),
      () => {},
    );
    return () => {
      here = false;
    };
  }, [client, isAdmin]);
  return people;
};
