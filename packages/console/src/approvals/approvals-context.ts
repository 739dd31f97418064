import { createContext, use, useCallback, useMemo, useSyncExternalStore } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import type { Attempt } from '../ui/poll.ts';
import { useWhileSeen } from '../ui/use-while-seen.ts';
import { type Approvals, type ApprovalsStore, createApprovals } from './approvals-store.ts';

export const ApprovalsContext = createContext<ApprovalsStore | undefined>(undefined);

const everyMs = 3_000;

/** Made once, for the count in the rail and for the page; read again now and then while the page is looked at. */
export const useApprovalsStore = (): ApprovalsStore => {
  const { client, signOut } = useSignedIn();
  const store = useMemo(() => createApprovals({ page: client.actions.page, allActions: client.sessions.allActions }), [client]);
  const read = useCallback(
    // Without the signal: others wait for the same reading.
    async ({ attempts }: Attempt): Promise<boolean> => {
      await store.refresh(attempts === undefined ? {} : { attempts });
      const { fault } = store.get();
      if ((fault as { readonly code?: unknown } | undefined)?.code === 'unauthenticated') signOut('tokenRefused');
      return fault === undefined;
    },
    [store, signOut],
  );
  useWhileSeen(read, everyMs);
  return store;
};

/** Only below a signed-in page. */
export const useApprovals = (): Approvals & { readonly store: ApprovalsStore } => {
  const store = use(ApprovalsContext);
  if (!store) throw new Error('useApprovals is used outside of the shell');
  return { ...useSyncExternalStore(store.subscribe, store.get), store };
};
