import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { useCallback, useEffect } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { unreadIn, useMinitools } from '../minitools/minitools-context.ts';
import { useIsVisible } from '../ui/use-is-visible.ts';

type Looked = {
  readonly session: SessionResource | undefined;
  /** As it is streamed. */
  readonly status: string | undefined;
  /** Whoever may not take the mark away is not asked to. */
  readonly manage: boolean;
};

/**
 * Whoever has the page of a mini-tool's session before them has looked at it: its unread mark goes, and so does that of what happens
 * meanwhile. The mark may come a little later than its events do: so whenever some are read to be there, this session is asked.
 */
export const useSeen = ({ session, status, manage }: Looked): void => {
  const { minitools, sessions } = useClient();
  const { minitools: all, refresh } = useMinitools();
  const isVisible = useIsVisible();
  const isKept = session?.owner.type === 'minitool' && session.placement.type === 'container' && session.path === undefined;
  const id = isVisible && manage && isKept ? session.id : undefined;
  // What fails is tried again with what happens next.
  const tell = useCallback((of: string) => void minitools.seen(of).then(refresh, () => {}), [minitools, refresh]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another status is something new
  useEffect(() => {
    if (id !== undefined) tell(id);
  }, [tell, id, status]);
  const reading = id !== undefined && unreadIn(all, session?.owner.id) > 0 ? all : undefined;
  useEffect(() => {
    if (id === undefined || reading === undefined) return;
    let here = true;
    void sessions.get(id).then(
      ({ unread }) => {
        if (here && unread) tell(id);
      },
      () => {},
    );
    return () => {
      here = false;
    };
  }, [sessions, tell, id, reading]);
};
