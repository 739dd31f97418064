import type { SessionSnapshot } from '@turnkeeper/client/calls/sessions';
import type { OlderCalls } from '@turnkeeper/client/view/older-parts';
import { type Older, useOlderParts } from '@turnkeeper/react/use-older-parts';
import { useMemo } from 'react';
import { useClient } from '../auth/signed-in-context.ts';

const pageSize = 200;
/** As many as one answer may hold. */
const freshSize = 1_000;

/** What is older than the view of a session, or of one below it. */
export const useOlder = (sessionId: string, childId: string | undefined, view: SessionSnapshot | undefined): Older => {
  const { sessions, subagents } = useClient();
  const calls = useMemo<OlderCalls>(
    () => ({
      page: (list, after) =>
        childId === undefined
          ? sessions.resources(sessionId, list, { after, limit: pageSize })
          : subagents.resources(sessionId, childId, list, { after, limit: pageSize }),
      snapshot: () =>
        childId === undefined ? sessions.snapshot(sessionId, { limit: freshSize }) : subagents.snapshot(sessionId, childId, { limit: freshSize }),
    }),
    [sessions, subagents, sessionId, childId],
  );
  return useOlderParts(calls, view);
};
