import { type ComponentType, lazy, Suspense, useCallback, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import type { Attempt } from '../ui/poll.ts';
import { useWhileSeen } from '../ui/use-while-seen.ts';

const everyMs = 15_000;
const Nothing: ComponentType = () => null;

/** Whoever cannot load it has no place for what is shown, and is not there. */
const ShowLayer = lazy(() =>
  import('./show-layer.tsx').then(
    (loaded): { readonly default: ComponentType } => ({ default: loaded.ShowLayer }),
    (): { readonly default: ComponentType } => ({ default: Nothing }),
  ),
);

const WhereAnyRuns = () => {
  const { client } = useSignedIn();
  const [any, setAny] = useState(false);
  const read = useCallback(
    async ({ signal }: Attempt): Promise<boolean> => {
      try {
        const { items } = await client.minitools.list();
        if (!signal.aborted) setAny(items.some(({ status }) => status === 'enabled'));
        return true;
      } catch (error) {
        // A server without any says so.
        return (error as { readonly code?: unknown }).code === 'not_found';
      }
    },
    [client],
  );
  useWhileSeen(read, everyMs);
  return any ? (
    <Suspense fallback={null}>
      <ShowLayer />
    </Suspense>
  ) : null;
};

/** Toasts and dialogs of mini-tools, for people who may see one that is enabled: only they open a stream for it. */
export const MinitoolShows = () => (useSignedIn().user === undefined ? null : <WhereAnyRuns />);
