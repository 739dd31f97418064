import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { useCallback, useRef, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import type { Attempt } from '../ui/poll.ts';
import { useWhileSeen } from '../ui/use-while-seen.ts';

export type SessionList = {
  /** Undefined until the first answer. Newest first. */
  readonly sessions: readonly SessionResource[] | undefined;
  readonly hasMore: boolean;
  readonly refresh: () => void;
  readonly showMore: () => void;
};

const everyMs = 4_000;
const pageSize = 30;

const newestFirst = (items: readonly SessionResource[]): SessionResource[] => [...items].sort((a, b) => b.updatedAt - a.updatedAt);

/** One's own sessions, read again now and then while the page is looked at. What could not be read stays as it was. */
export const useSessions = (status: 'active' | 'archived'): SessionList => {
  const { client, signOut } = useSignedIn();
  const [page, setPage] = useState<{ readonly sessions: readonly SessionResource[]; readonly hasMore: boolean }>();
  const [limit, setLimit] = useState(pageSize);
  const [asked, setAsked] = useState(0);
  const unanswered = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is how others ask for a fresh list
  const read = useCallback(
    async (attempt: Attempt): Promise<boolean> => {
      try {
        const { items, next_offset } = await client.sessions.list({ status, owner: 'me', limit }, attempt);
        setPage({ sessions: newestFirst(items), hasMore: next_offset !== null });
        // The server is back: whoever waits to reconnect need not wait for the end of a long back-off.
        if (unanswered.current) client.retryNow();
        unanswered.current = false;
        return true;
      } catch (error) {
        if (attempt.signal.aborted) return false;
        unanswered.current = true;
        if ((error as { readonly code?: unknown }).code === 'unauthenticated') signOut('tokenRefused');
        return false;
      }
    },
    [client, signOut, status, limit, asked],
  );
  useWhileSeen(read, everyMs);
  return {
    sessions: page?.sessions,
    hasMore: page?.hasMore === true,
    refresh: useCallback(() => setAsked((before) => before + 1), []),
    showMore: useCallback(() => setLimit((before) => Math.min(before + pageSize, 200)), []),
  };
};
