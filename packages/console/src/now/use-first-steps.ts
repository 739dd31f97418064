import { useCallback } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { createStoredValue } from '../preferences/stored-value.ts';
import { useStored } from '../preferences/use-stored.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { type Step, stepsOf } from './first-steps.ts';

/** Whoever does not want to see them any more, in this browser. */
export const stepsHidden = createStoredValue<boolean>(
  'turnkeeper.first-steps-hidden',
  (text) => text === '1',
  (hidden) => (hidden ? '1' : undefined),
);

const everyMs = 15_000;

/** For admins: they are the ones who can take them. Undefined while it is not known what is there, and when there is nothing to show. */
export const useFirstSteps = (): readonly Step[] | undefined => {
  const hidden = useStored(stepsHidden);
  const { client, user } = useSignedIn();
  const isAdmin = user?.roles.includes('admin') === true;
  const userId = user?.id;
  const read = useCallback(async () => {
    if (hidden || !isAdmin || userId === undefined) return undefined;
    const [models, tokens, applications, minitools, me] = await Promise.all([
      client.models(),
      client.tokens.list({ limit: 200 }),
      client.applications.list({ limit: 1 }),
      // A server may run none.
      client.minitools.list().catch(() => ({ items: [] })),
      client.account.me(),
    ]);
    return stepsOf({
      providers: models.map(({ provider }) => provider),
      tokens: tokens.items.map(({ name }) => name),
      applications: applications.items.length,
      enabledMinitools: minitools.items.filter(({ status }) => status === 'enabled').length,
      hasPassword: me.user?.hasPassword === true,
    });
  }, [client, hidden, isAdmin, userId]);
  const steps = useLoaded(read, everyMs).data;
  return steps?.every(({ done }) => done) ? undefined : steps;
};
