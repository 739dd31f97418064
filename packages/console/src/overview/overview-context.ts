import type { OverviewAnswer } from '@turnkeeper/core/protocol/wire/overview';
import { createContext, use, useCallback, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import type { Attempt } from '../ui/poll.ts';
import { useWhileSeen } from '../ui/use-while-seen.ts';

export type Overview = {
  /** Undefined until the first answer. */
  readonly overview: OverviewAnswer | undefined;
  /** Why the last reading failed; what was read before still stands. */
  readonly fault: string | undefined;
  readonly refresh: () => void;
};

const notYet: Overview = { overview: undefined, fault: undefined, refresh: () => {} };
export const OverviewContext = createContext<Overview>(notYet);
export const useOverview = (): Overview => use(OverviewContext);

const everyMs = 5_000;

/** Made once, for the numbers in the rail and for the page "Now"; read again now and then while the page is looked at. */
export const useOverviewStore = (): Overview => {
  const { client, user } = useSignedIn();
  const isAdmin = user?.roles.includes('admin') === true;
  const [state, setState] = useState<Omit<Overview, 'refresh'>>({ overview: undefined, fault: undefined });
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is how others ask for fresh numbers
  const read = useCallback(
    async (attempt: Attempt): Promise<boolean> => {
      const query = { ...(isAdmin ? { owner: 'all' } : {}), day_from: new Date().setHours(0, 0, 0, 0) };
      try {
        const overview = await client.overview(query, attempt);
        setState({ overview, fault: undefined });
        return true;
      } catch (error) {
        // A refused token is told by whoever lists sessions.
        if (!attempt.signal.aborted) setState((before) => ({ ...before, fault: (error as Error).message }));
        return false;
      }
    },
    [client, isAdmin, asked],
  );
  useWhileSeen(read, everyMs);
  return { ...state, refresh: useCallback(() => setAsked((before) => before + 1), []) };
};
