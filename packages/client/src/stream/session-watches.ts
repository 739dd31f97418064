/**
 * Who watches which session: however many watchers there are in the process, a session has one feed, one connection.
 */

import type { Transport } from '../transport/transport.ts';
import { createSessionFeed, type FeedMessage, type FeedOptions, type FeedSubject, type SessionFeed, type SessionStoreView } from './session-feed.ts';

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

export type SessionWatches = {
  /** `childId`: of a session below it, which is read only there. */
  readonly watch: (sessionId: string, childId?: string) => SessionWatch;
  /** For those that wait to reconnect. */
  readonly retryAllNow: () => void;
  readonly closeAll: () => void;
};

type Shared = { readonly feed: SessionFeed; watchers: number; lingering?: ReturnType<typeof setTimeout> };

/**
 * `lingerMs`: how long a feed without watchers stays open, so that a page that leaves a session and comes back (or a
 * component that is mounted twice) does not connect anew.
 */
export const createSessionWatches = (transport: Transport, options: FeedOptions & { readonly lingerMs?: number } = {}): SessionWatches => {
  const feeds = new Map<string, Shared>();

  const drop = (name: string, shared: Shared): void => {
    if (feeds.get(name) === shared) feeds.delete(name);
    shared.feed.close();
  };

  const hold = (name: string, subject: FeedSubject): Shared => {
    const known = feeds.get(name);
    // A feed that the server has refused is not kept: whoever watches again asks again.
    if (known && known.feed.getSnapshot().connection.kind !== 'closed') {
      clearTimeout(known.lingering);
      known.watchers += 1;
      return known;
    }
    const shared: Shared = { feed: createSessionFeed(transport, subject, options), watchers: 1 };
    feeds.set(name, shared);
    return shared;
  };

  const release = (name: string, shared: Shared): void => {
    shared.watchers -= 1;
    if (shared.watchers > 0) return;
    if (options.lingerMs === undefined || options.lingerMs === 0) drop(name, shared);
    else shared.lingering = setTimeout(() => drop(name, shared), options.lingerMs);
  };

  return {
    watch: (sessionId, childId) => {
      const name = childId === undefined ? sessionId : `${sessionId}/${childId}`;
      const shared = hold(name, { sessionId, ...(childId === undefined ? {} : { childId }) });
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
          release(name, shared);
        },
      };
    },
    retryAllNow: () => {
      for (const { feed } of feeds.values()) if (feed.getSnapshot().connection.kind === 'reconnecting') feed.retryNow();
    },
    closeAll: () => {
      for (const [name, shared] of [...feeds]) {
        clearTimeout(shared.lingering);
        drop(name, shared);
      }
    },
  };
};
