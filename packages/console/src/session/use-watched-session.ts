import type { SessionStoreView } from '@turnkeeper/client/stream/session-feed';
import type { SessionWatch } from '@turnkeeper/client/stream/session-watches';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useClient } from '../auth/signed-in-context.ts';

const notYet: SessionStoreView = { view: undefined, connection: { kind: 'connecting' } };
const subscribeToNothing = () => () => {};
const getNothing = (): SessionStoreView => notYet;

/** The session's view, alive while the component is there. A page that comes back from sleep reconnects at once. */
export const useWatchedSession = (sessionId: string): SessionStoreView => {
  const client = useClient();
  const [watch, setWatch] = useState<SessionWatch>();
  useEffect(() => {
    const held = client.watchSession(sessionId);
    const hurry = (): void => {
      if (!document.hidden) held.retryNow();
    };
    setWatch(held);
    addEventListener('online', hurry);
    document.addEventListener('visibilitychange', hurry);
    return () => {
      removeEventListener('online', hurry);
      document.removeEventListener('visibilitychange', hurry);
      held.close();
    };
  }, [client, sessionId]);
  return useSyncExternalStore(watch?.subscribe ?? subscribeToNothing, watch?.getSnapshot ?? getNothing);
};
