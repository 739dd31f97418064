import { type TimelineEntry, timelineOf } from '@turnkeeper/client/view/timeline';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import { useMemo } from 'react';
import { useSession } from './use-session.ts';

export type WatchedTurn = {
  /** Undefined until it is known, and where it is older than the session's snapshot reaches. */
  readonly turn: TurnBody | undefined;
  /** What was said in it, and each tool call where it was made. */
  readonly entries: readonly TimelineEntry[];
  /** It has its outcome: `turn.status` says which. */
  readonly done: boolean;
};

const nothing: WatchedTurn = { turn: undefined, entries: [], done: false };

/** One turn of a session, while it runs and after; over the session's own connection. */
export const useTurn = (sessionId: string, turnId: string): WatchedTurn => {
  const { view } = useSession(sessionId);
  return useMemo(() => {
    const found = view && timelineOf(view).find((each) => each.turnId === turnId);
    return found ? { turn: found.turn, entries: found.entries, done: found.turn?.ended_at !== undefined } : nothing;
  }, [view, turnId]);
};
