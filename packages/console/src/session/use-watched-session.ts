import type { SessionStoreView } from '@turnkeeper/client/stream/session-feed';
import { useWatch } from '@turnkeeper/react/use-watch';
import { useClient } from '../auth/signed-in-context.ts';

/** The view of the session, or of one below it, alive while the component is there. */
export const useWatchedSession = (sessionId: string, childId?: string): SessionStoreView => useWatch(useClient(), sessionId, childId);
