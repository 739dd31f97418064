import type { SessionSnapshot } from '@turnkeeper/client/calls/sessions';
import { createOlderParts, type OlderCalls, type OlderParts, olderThan } from '@turnkeeper/client/view/older-parts';
import { useEffect, useMemo, useSyncExternalStore } from 'react';

export type Older = OlderParts & { readonly load: () => Promise<void> };

/** What is older than the view, by `calls` that stay the same. A snapshot that was read anew has cursors of its own: then it begins anew, too. */
export const useOlderParts = (calls: OlderCalls, view: SessionSnapshot | undefined): Older => {
  const store = useMemo(() => createOlderParts(calls), [calls]);
  const cursors = view?.page_cursors;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view of the moment at which the cursors are other ones
  useEffect(() => {
    if (view) store.begin(view);
  }, [store, cursors]);
  const parts = useSyncExternalStore(store.subscribe, store.get, store.get);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  return useMemo(() => ({ ...(view && parts.of !== cursors ? olderThan(view) : parts), load: store.load }), [parts, cursors, store]);
};
