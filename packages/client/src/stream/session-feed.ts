/**
 * The view of one session, kept up to date: a snapshot, then the stream from its `as_of`, for as long as it is watched.
 *
 * O1 One connection at a time. O2 After a cut it goes on at the cursor of the last event applied: nothing is lost,
 *    nothing applied twice (core V4, V5). O3 A cursor that is too old is answered by reading the snapshot again, in
 *    silence. O4 A refusal that repeating cannot change (401, 403, 404) closes the feed with that error.
 */
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { applyEvent } from '@turnkeeper/core/view/session-view';
import { listsOf } from '@turnkeeper/core/view/view-maps';
import { childPath, sessionPath } from '../calls/paths.ts';
import type { SessionSnapshot } from '../calls/sessions.ts';
import { sleep } from '../transport/sleep.ts';
import { type Transport, waitBefore } from '../transport/transport.ts';
import { createCoalescer } from './coalesce.ts';
import { afterFailure, type ConnectionState } from './connection-state.ts';
import { readEventStream } from './read-event-stream.ts';

/** What a page shows: undefined until the first snapshot is there. A new value with every notification. */
export type SessionStoreView = { readonly view: SessionSnapshot | undefined; readonly connection: ConnectionState };

/** What happened, in order and without joining, for those who print or count it. */
export type FeedMessage =
  | { readonly type: 'snapshot'; readonly view: SessionSnapshot; readonly reason: 'start' | 'expired' }
  | { readonly type: 'events'; readonly events: readonly Envelope[]; readonly view: SessionSnapshot }
  | { readonly type: 'connection'; readonly connection: ConnectionState };

export type SessionFeed = {
  readonly getSnapshot: () => SessionStoreView;
  readonly subscribe: (listener: () => void) => () => void;
  readonly onMessage: (listener: (message: FeedMessage) => void) => () => void;
  /** Ends a back-off at once, e.g. when the network is back. */
  readonly retryNow: () => void;
  readonly close: () => void;
};

export type FeedOptions = { readonly silenceMs?: number; readonly snapshotLimit?: number };
/** A session, or one below it. */
export type FeedSubject = { readonly sessionId: string; readonly childId?: string };

const pathOf = ({ sessionId, childId }: FeedSubject): string => (childId === undefined ? sessionPath(sessionId) : childPath(sessionId, childId));

/** A connection that lived this long was a good one: the back-off begins anew. */
const goodAfterMs = 2_000;

export const createSessionFeed = (transport: Transport, subject: FeedSubject, options: FeedOptions = {}): SessionFeed => {
  const path = pathOf(subject);
  const stop = new AbortController();
  let skipWait = new AbortController();
  let view: SessionSnapshot | undefined;
  let connection: ConnectionState = { kind: 'connecting' };
  let published: SessionStoreView = { view, connection };
  const listeners = new Set<() => void>();
  const messageListeners = new Set<(message: FeedMessage) => void>();

  const changed = createCoalescer(() => {
    published = { view, connection };
    for (const listener of [...listeners]) listener();
  });
  const tell = (message: FeedMessage): void => {
    for (const listener of [...messageListeners]) listener(message);
    changed();
  };
  const moveTo = (next: ConnectionState): void => {
    if (connection.kind === 'closed' || (connection.kind === 'live' && next.kind === 'live')) return;
    connection = next;
    tell({ type: 'connection', connection });
  };

  const load = async (reason: 'start' | 'expired'): Promise<SessionSnapshot> => {
    const read = await transport.request<SessionSnapshot>('GET', `${path}/snapshot`, {
      query: { limit: options.snapshotLimit ?? 1_000 },
      signal: stop.signal,
      attempts: 1,
    });
    const snapshot = listsOf(read);
    view = snapshot;
    tell({ type: 'snapshot', view: snapshot, reason });
    return snapshot;
  };

  const follow = async (from: SessionSnapshot): Promise<void> => {
    let current = from;
    const stream = readEventStream({
      open: (signal) => transport.open(`${path}/events/stream`, { query: { after: current.as_of, ...transport.streamQuery() }, signal }),
      onSilence: transport.fellSilent,
      signal: stop.signal,
      onOpen: () => moveTo({ kind: 'live' }),
      ...(options.silenceMs === undefined ? {} : { silenceMs: options.silenceMs }),
    });
    for await (const events of stream) {
      // The reducer keeps members that it does not know, `has_more` among them.
      current = events.reduce((before, event) => applyEvent(before, event) as SessionSnapshot, current);
      view = current;
      tell({ type: 'events', events, view: current });
    }
  };

  const pause = async (error: unknown, attempt: number): Promise<void> => {
    const reason = error instanceof Error ? error.message : 'The stream ended.';
    moveTo({ kind: 'reconnecting', attempt: attempt + 1, reason });
    await sleep(waitBefore(error, attempt), AbortSignal.any([stop.signal, skipWait.signal])).catch(() => {});
    if (skipWait.signal.aborted) skipWait = new AbortController();
  };

  const run = async (): Promise<void> => {
    let failures = 0;
    let stale = false;
    while (!stop.signal.aborted) {
      const began = performance.now();
      let fault: unknown;
      try {
        const from: SessionSnapshot = view && !stale ? view : await load(stale ? 'expired' : 'start');
        stale = false;
        await follow(from);
      } catch (error) {
        fault = error;
      }
      if (stop.signal.aborted) return;
      const next = fault === undefined ? 'retry' : afterFailure(fault);
      if (next === 'stop') {
        moveTo({ kind: 'closed', ...(fault instanceof TurnkeeperError ? { error: fault } : {}) });
        return;
      }
      failures = performance.now() - began > goodAfterMs ? 1 : failures + 1;
      if (next === 'reload') {
        stale = true;
        // Once at once; a server that calls its own fresh cursor too old is not asked in a tight loop.
        if (failures <= 1) continue;
      }
      await pause(fault, failures - 1);
    }
  };
  void run();

  return {
    getSnapshot: () => published,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onMessage: (listener) => {
      messageListeners.add(listener);
      // A late watcher begins with what is known already.
      if (view) listener({ type: 'snapshot', view, reason: 'start' });
      listener({ type: 'connection', connection });
      return () => messageListeners.delete(listener);
    },
    retryNow: () => skipWait.abort(),
    close: () => {
      moveTo({ kind: 'closed' });
      stop.abort(new Error('The feed was closed.'));
    },
  };
};
