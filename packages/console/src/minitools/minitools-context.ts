import type { MinitoolResource } from '@turnkeeper/core/protocol/wire/minitools';
import { createContext, use, useCallback, useMemo, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import type { Attempt } from '../ui/poll.ts';
import { useWhileSeen } from '../ui/use-while-seen.ts';

export type SeenMinitools = {
  /** Those that this person sees; undefined until the first answer. */
  readonly minitools: readonly MinitoolResource[] | undefined;
  readonly refresh: () => void;
};

export const MinitoolsContext = createContext<SeenMinitools>({ minitools: undefined, refresh: () => {} });
export const useMinitools = (): SeenMinitools => use(MinitoolsContext);

const everyMs = 15_000;
const none: readonly MinitoolResource[] = [];

/** Made once, for the mark in the rail and for whatever depends on which mini-tools are this person's; keys have none. */
export const useMinitoolsStore = (): SeenMinitools => {
  const { client, user } = useSignedIn();
  const [minitools, setMinitools] = useState<readonly MinitoolResource[]>();
  const [asked, setAsked] = useState(0);
  const isPerson = user !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is how others ask for a fresh list
  const read = useCallback(
    async ({ signal }: Attempt): Promise<boolean> => {
      if (!isPerson) return true;
      try {
        const { items } = await client.minitools.list();
        if (!signal.aborted) setMinitools(items);
        return true;
      } catch (error) {
        // A server without any says so. A refused token is told by whoever lists sessions.
        const hasNone = (error as { readonly code?: unknown }).code === 'not_found';
        if (hasNone && !signal.aborted) setMinitools(none);
        return hasNone;
      }
    },
    [client, isPerson, asked],
  );
  useWhileSeen(read, everyMs);
  const refresh = useCallback(() => setAsked((before) => before + 1), []);
  return useMemo(() => ({ minitools, refresh }), [minitools, refresh]);
};

/** Of those that are this person's: others have nothing to look at there. */
export const unreadIn = (minitools: readonly MinitoolResource[] = none, id?: string): number =>
  minitools.reduce((sum, each) => sum + (each.isUser && (id === undefined || each.id === id) ? each.unreadCount : 0), 0);
