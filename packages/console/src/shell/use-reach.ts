import { useEffect, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import type { Reach } from './nav-pages.ts';

const nothing: Reach = { minitools: false, deliveries: false };
const everything: Reach = { minitools: true, deliveries: true };

/** Admins have a use for all pages; others for what there is for them: it is looked up once. */
export const useReach = (): Reach => {
  const { client, user } = useSignedIn();
  const isAdmin = user?.roles.includes('admin') === true;
  const [found, setFound] = useState(nothing);
  const userId = user?.id;
  useEffect(() => {
    if (isAdmin || userId === undefined) return;
    let here = true;
    const any = (list: Promise<{ readonly items: readonly unknown[] }>): Promise<boolean> =>
      list.then(
        ({ items }) => items.length > 0,
        () => false,
      );
    void Promise.all([any(client.minitools.list()), any(client.applications.list({ limit: 1 }))]).then(([minitools, deliveries]) => {
      if (here) setFound({ minitools, deliveries });
    });
    return () => {
      here = false;
    };
  }, [client, isAdmin, userId]);
  return isAdmin ? everything : found;
};
