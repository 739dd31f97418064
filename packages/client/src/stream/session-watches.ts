/**
 * Who watches which session: however many watchers there are in the process, a session has one feed, one connection.
 */

import type { Transport } from '../transport/transport.ts';
import { createSessionFeed, type FeedMessage, type FeedOptions, type SessionFeed, type SessionStoreView } from './session-feed.ts';

/** One watcher's hold on a session's feed. `subscribe` and `getSnapshot` fit React's useSyncExternalStore. */
export type SessionWatch = {
  readonly sessionId: string;
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => SessionStoreView;
  readonly onMessage: (listener: (message: FeedMessage) => void) => () => void;
  readonly retryNow: () => void;
  /** Lets go; the last one closes the connection. Nothing on the server is cancelled. */
  readonly close: () => void;
};

export type SessionWatches = { readonly watch: (sessionId: string) => SessionWatch; readonly closeAll: () => void };

type Shared = { readonly feed: SessionFeed; watchers: number; lingering?: ReturnType<typeof setTimeout> };

/**
 * `lingerMs`: how long a feed without watchers stays open, so that a page that leaves a session and comes back (or a
 * component that is mounted twice) does not connect anew.
 */
export const createSessionWatches = (transport: Transport, options: FeedOptions & { readonly lingerMs?: number } = {}): SessionWatches => {
  const feeds = new Map<string, Shared>();

  const drop = (sessionId: string, shared: Shared): void => {
    if (feeds.get(sessionId) === shared) feeds.delete(sessionId);
    shared.feed.close();
  };

  const hold = (sessionId: string): Shared => {
    const known = feeds.get(sessionId);
    // A feed that the server has refused is not kept: whoever watches again asks again.
    if (known && known.feed.getSnapshot().connection.kind !== 'closed') {
      clearTimeout(known.lingering);
      known.watchers += 1;
      return known;
    }
    const shared: Shared = { feed: createSessionFeed(transport, sessionId, options), watchers: 1 };
    feeds.set(sessionId, shared);
    return shared;
  };

  const release = (sessionId: string, shared: Shared): void => {
    shared.watchers -= 1;
    if (shared.watchers > 0) return;
    if (options.lingerMs === undefined || options.lingerMs === 0) drop(sessionId, shared);
    else shared.lingering = setTimeout(() => drop(sessionId, shared), options.lingerMs);
  };

  return {
    watch: (sessionId) => {
      const shared = hold(sessionId);
      let held = true;
      return {
        sessionId,
        subscribe: shared.feed.subscribe,
        getSnapshot: shared.feed.getSnapshot,
        onMessage: shared.feed.onMessage,
        retryNow: shared.feed.retryNow,
        close: () => {
          if (!held) return;
          held = false;
          release(sessionId, shared);
        },
      };
    },
    closeAll: () => {
      for (const [sessionId, shared] of [...feeds]) {
        clearTimeout(shared.lingering);
        drop(sessionId, shared);
      }
    },
  };
};
