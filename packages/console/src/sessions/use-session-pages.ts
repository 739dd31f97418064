import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { useCallback, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import type { Attempt } from '../ui/poll.ts';
import { useWhileSeen } from '../ui/use-while-seen.ts';
import { queryOf, type SessionFilters } from './filters.ts';

export type SessionPages = {
  /** Undefined until the first answer to these filters. */
  readonly sessions: readonly SessionResource[] | undefined;
  readonly hasMore: boolean;
  /** Of a search in messages that has yet to go on: how far back it came (Unix ms). */
  readonly searchedUntil: number | undefined;
  readonly fault: string | undefined;
  readonly refresh: () => void;
  readonly showMore: () => void;
};

type Read = {
  readonly filters: SessionFilters;
  readonly sessions: readonly SessionResource[];
  readonly hasMore: boolean;
  readonly searchedUntil: number | undefined;
};

const everyMs = 5_000;
const pageSize = 50;
/** As much as the server gives at once. */
const mostAtOnce = 200;
/** A search in messages looks through a limited amount an answer: so many answers until somebody wants more. */
const answersAtOnce = 8;

/** The sessions that fit, page after page, read again now and then while the page is looked at. */
export const useSessionPages = (filters: SessionFilters): SessionPages => {
  const { client, signOut, user } = useSignedIn();
  const isAdmin = user?.roles.includes('admin') === true;
  const [read, setRead] = useState<Read>();
  const [fault, setFault] = useState<string>();
  const [wanted, setWanted] = useState({ filters, count: pageSize });
  const [asked, setAsked] = useState(0);
  const steps = wanted.filters === filters ? Math.ceil(wanted.count / pageSize) : 1;
  const count = wanted.filters === filters ? wanted.count : pageSize;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is how others ask for a fresh list
  const readAll = useCallback(
    async (attempt: Attempt): Promise<boolean> => {
      const found: SessionResource[] = [];
      const query = queryOf(filters, { isAdmin, now: Date.now() });
      let answers = 0;
      try {
        for (let offset: number | null = 0; offset !== null && found.length < count; ) {
          const limit = Math.min(count - found.length, mostAtOnce);
          const page: Awaited<ReturnType<typeof client.sessions.list>> = await client.sessions.list({ ...query, offset, limit }, attempt);
          found.push(...page.items);
          offset = page.next_offset;
          answers += 1;
          const rests = query.text !== undefined && answers >= answersAtOnce * steps;
          if (offset !== null && found.length < count && !rests) continue;
          setRead({ filters, sessions: found, hasMore: offset !== null, searchedUntil: offset === null ? undefined : page.searched_until });
          if (rests) break;
        }
        setFault(undefined);
        return true;
      } catch (error) {
        if (attempt.signal.aborted) return false;
        if ((error as { readonly code?: unknown }).code === 'unauthenticated') signOut('tokenRefused');
        else setFault((error as Error).message);
        return false;
      }
    },
    [client, signOut, isAdmin, filters, count, steps, asked],
  );
  useWhileSeen(readAll, everyMs);
  return {
    // While other filters are read, what was there stays: the page does not flash with every letter of a search.
    sessions: read?.sessions,
    hasMore: read?.hasMore === true,
    searchedUntil: read?.searchedUntil,
    fault,
    refresh: useCallback(() => setAsked((before) => before + 1), []),
    showMore: () => setWanted({ filters, count: count + pageSize }),
  };
};
