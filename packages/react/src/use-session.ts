import type { SessionSnapshot } from '@turnkeeper/client/calls/sessions';
import type { ConnectionState } from '@turnkeeper/client/stream/connection-state';
import { useMemo } from 'react';
import { useClient } from './client-context.ts';
import { useWatch } from './use-watch.ts';

export type WatchedSession = {
  /** All that was said and done lately, kept up to date; undefined until it was read. What is older: `useTimeline`. */
  readonly view: SessionSnapshot | undefined;
  /** `idle`, `running`, `requires_action` or `archived`; undefined until it is known. */
  readonly status: string | undefined;
  readonly connection: ConnectionState;
};

/** The session, alive while the component is there. However many components watch a session, it has one connection. */
export const useSession = (sessionId: string): WatchedSession => {
  const { view, connection } = useWatch(useClient(), sessionId);
  return useMemo(() => ({ view, connection, status: view?.session.archived ? 'archived' : view?.session.status }), [view, connection]);
};
