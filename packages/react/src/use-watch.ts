import type { Client } from '@turnkeeper/client/create-client';
import type { SessionStoreView } from '@turnkeeper/client/stream/session-feed';
import type { SessionWatch } from '@turnkeeper/client/stream/session-watches';
import { useEffect, useState, useSyncExternalStore } from 'react';

const notYet: SessionStoreView = { view: undefined, connection: { kind: 'connecting' } };
const subscribeToNothing = () => () => {};
const getNothing = (): SessionStoreView => notYet;

type Held = { readonly sessionId: string; readonly childId: string | undefined; readonly watch: SessionWatch };

/**
 * The view of a session, or of one below it, alive while the component is there. A page that comes back from sleep reconnects at
 * once. Nothing on the server ends when the component does.
 */
export const useWatch = (client: Client, sessionId: string, childId?: string): SessionStoreView => {
  const [held, setHeld] = useState<Held>();
  useEffect(() => {
    const watch = client.watchSession(sessionId, childId);
    const hurry = (): void => {
      if (!document.hidden) watch.retryNow();
    };
    setHeld({ sessionId, childId, watch });
    addEventListener('online', hurry);
    document.addEventListener('visibilitychange', hurry);
    return () => {
      removeEventListener('online', hurry);
      document.removeEventListener('visibilitychange', hurry);
      watch.close();
    };
  }, [client, sessionId, childId]);
  // What is held is of another one until the effect has run.
  const watch = held?.sessionId === sessionId && held.childId === childId ? held.watch : undefined;
  return useSyncExternalStore(watch?.subscribe ?? subscribeToNothing, watch?.getSnapshot ?? getNothing, getNothing);
};
