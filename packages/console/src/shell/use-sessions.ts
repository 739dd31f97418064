import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { useCallback, useEffect, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';

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

/** The list, read again now and then while the page is looked at. What could not be read stays as it was. */
export const useSessions = (status: 'active' | 'archived'): SessionList => {
  const { client, signOut } = useSignedIn();
  const [page, setPage] = useState<{ readonly sessions: readonly SessionResource[]; readonly hasMore: boolean }>();
  const [limit, setLimit] = useState(pageSize);
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is how others ask for a fresh list
  useEffect(() => {
    const controller = new AbortController();
    const read = async (): Promise<void> => {
      if (document.hidden) return;
      try {
        const { items, next_offset } = await client.sessions.list({ status, limit }, { signal: controller.signal });
        setPage({ sessions: newestFirst(items), hasMore: next_offset !== null });
      } catch (error) {
        if ((error as { readonly code?: unknown }).code === 'unauthenticated') signOut('tokenRefused');
      }
    };
    void read();
    const timer = setInterval(read, everyMs);
    document.addEventListener('visibilitychange', read);
    return () => {
      controller.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [client, signOut, status, limit, asked]);
  return {
    sessions: page?.sessions,
    hasMore: page?.hasMore === true,
    refresh: useCallback(() => setAsked((before) => before + 1), []),
    showMore: useCallback(() => setLimit((before) => Math.min(before + pageSize, 200)), []),
  };
};
