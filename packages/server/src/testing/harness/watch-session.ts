/** A reader of a session's feed in this process, as the event streams are. */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { Caller } from '../../app/caller.ts';
import { openStream } from '../../app/read-events.ts';
import { ann } from './client.ts';
import type { World } from './world.ts';

export type SessionWatch = { readonly rows: readonly LogRow[]; readonly gone: () => boolean; readonly stop: () => void };

/** Reads everything after seq `after` (default: from the beginning); `seen` is told of all rows so far, after each push. */
export const watchSession = async (
  world: World,
  sessionId: string,
  caller: Caller = ann,
  seen: (rows: readonly LogRow[]) => void = () => {},
  after = 0,
): Promise<SessionWatch> => {
  const { app } = world.engine;
  const opened = await openStream(app, caller, sessionId, undefined);
  const rows: LogRow[] = [];
  let gone = false;
  const take = (more: readonly { readonly row: LogRow }[]): void => {
    rows.push(...more.map((entry) => entry.row));
    seen(rows);
  };
  const watch = await app.sessions.feeds.watch({ sid: opened.head.sid, id: opened.session.row.id, head: opened.head }, after, {
    push: take,
    gone: () => {
      gone = true;
    },
    page: async (page) => {
      take(page);
      return true;
    },
  });
  return { rows, gone: () => gone, stop: watch.stop };
};
