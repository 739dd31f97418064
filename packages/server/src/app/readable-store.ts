/**
 * The store as a release reads it: the log in its current shape, and nothing that is newer than it knows.
 *
 * Owns: that no reader of the log (streams, pages, snapshots, folds) sees another shape than the one it was written for.
 * States are read where sessions are opened (sessions.ts).
 *
 * FM3 A row, or a page of resources, of a newer format is refused with `newer_release`: another node answers.
 */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { type Formats, formatOfState, newestRead, readRow } from '@turnkeeper/core/session/formats';
import type { SessionStore } from '../ports/session-store.ts';

export const newerRelease = (): TurnkeeperError =>
  new TurnkeeperError('newer_release', 'The session was written by a newer release; servers of that release answer for it.', { retry_after_ms: 2_000 });

/** Rows as they are stored, in their current shape. Throws `newer_release`. */
export const readRows = (formats: Formats, rows: readonly LogRow[]): readonly LogRow[] =>
  rows.map((row) => {
    const read = readRow(formats, row);
    if (!read) throw newerRelease();
    return read;
  });

/** The store, with what it gives in the shape that these formats end in, and this node announced as one that reads them. */
export const readableStore = (store: SessionStore, formats: Formats): SessionStore => {
  const reads = newestRead(formats);
  return {
    ...store,
    events: async (query) => readRows(formats, await store.events(query)),
    resources: async (sid, queries) => {
      const page = await store.resources(sid, queries);
      if (page && formatOfState(page.state) > reads) throw newerRelease();
      return page;
    },
    claim: (query) => store.claim({ ...query, reads }),
    nextDue: (now) => store.nextDue(now, reads),
    heartbeat: (node, leaseMs) => store.heartbeat(node, leaseMs, reads),
  };
};
