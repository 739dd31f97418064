import type { OlderCalls } from '@turnkeeper/client/view/older-parts';
import type { TimelineTurn } from '@turnkeeper/client/view/timeline';
import { createWholeTimeline } from '@turnkeeper/client/view/whole-timeline';
import { useMemo, useState } from 'react';
import { useClient } from './client-context.ts';
import { useOlderParts } from './use-older-parts.ts';
import { useSession } from './use-session.ts';

export type WatchedTimeline = {
  /** What was said and done, turn by turn, each tool call where it was made: of late, and what older turns were asked for. */
  readonly turns: readonly TimelineTurn[];
  /** There are older ones. */
  readonly hasOlder: boolean;
  readonly loadingOlder: boolean;
  /** Why the last reading of older ones failed. */
  readonly olderError: Error | undefined;
  /** Reads some of them; asked for twice it reads once. */
  readonly loadOlder: () => Promise<void>;
};

const pageSize = 100;
/** As many as one answer may hold. */
const freshSize = 1_000;

/** The session as it is read, kept up to date; what is older than its snapshot comes when it is asked for. */
export const useTimeline = (sessionId: string): WatchedTimeline => {
  const { sessions } = useClient();
  const { view } = useSession(sessionId);
  const calls = useMemo<OlderCalls>(
    () => ({
      page: (list, after) => sessions.resources(sessionId, list, { after, limit: pageSize }),
      snapshot: () => sessions.snapshot(sessionId, { limit: freshSize }),
    }),
    [sessions, sessionId],
  );
  const older = useOlderParts(calls, view);
  const [timelineOf] = useState(createWholeTimeline);
  const turns = useMemo(() => (view ? timelineOf(view, older) : []), [view, older, timelineOf]);
  return useMemo(() => ({ turns, hasOlder: older.hasMore, loadingOlder: older.loading, olderError: older.fault, loadOlder: older.load }), [turns, older]);
};
