/** How it stands with all sessions of one mini-tool: `ctx.status`. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { MinitoolStore } from '../ports/minitools.ts';
import type { SessionStore } from '../ports/session-store.ts';

/** Sessions that are counted; who has more is told so many. */
const mostCounted = 1_000;

const statusOf = (running: number, waiting: number, unread: number): string => {
  if (waiting > 0) return 'waiting';
  if (running > 0) return 'running';
  return unread > 0 ? 'unread' : 'idle';
};

export const standingOf = async (
  id: string,
  { sessions, store }: { readonly sessions: Pick<SessionStore, 'list'>; readonly store: Pick<MinitoolStore, 'marks'> },
  now: number,
): Promise<JsonObject> => {
  const count = async (activity: string): Promise<number> =>
    (await sessions.list({ owner: `minitool:${id}`, status: 'active', activity, offset: 0, limit: mostCounted })).length;
  const [running, waiting, marks] = await Promise.all([count('running'), count('requires_action'), store.marks(id)]);
  const latest = marks.toSorted((a, b) => b.unreadSince - a.unreadSince)[0];
  return {
    status: statusOf(running, waiting, marks.length),
    runningCount: running,
    waitingCount: waiting,
    unreadCount: marks.length,
    ...(latest ? { latestUnreadSessionId: latest.sessionId } : {}),
    updatedAt: new Date(now).toISOString(),
  };
};
