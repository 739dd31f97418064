/**
 * The feeds of this process, one for each watched session.
 *
 * B5 A feed exists only while somebody watches; idle sessions cost nothing.
 * B7 A sweep asks for all watched sessions at once, and only for those of which this process may have missed something.
 */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { Head, SessionRow, SessionStore } from '../ports/session-store.ts';
import { Feed, FeedRow, type Watcher } from './feed.ts';
import { readLogPage } from './log-pages.ts';

export type Watch = { readonly stop: () => void };
/** A watcher that also takes pages of the log; `page` says whether it wants more. */
export type PagedWatcher = Watcher & { readonly page: (rows: readonly FeedRow[]) => Promise<boolean> };

/** Memory of one feed's newest rows, and of those of all feeds together: readers who come back to more read the log. */
const mostRingBytes = 128 * 1024;
const allRingsBytes = 32 * 1024 * 1024;

type Newest = (sid: number) => Promise<{ readonly row: Pick<SessionRow, 'deletedAt'>; readonly head: Head } | undefined>;

export class Feeds {
  readonly #store: SessionStore;
  readonly #shared: boolean;
  readonly #newest: Newest;
  readonly #feeds = new Map<number, Feed>();
  readonly #ringBytes = (): number => Math.min(mostRingBytes, allRingsBytes / Math.max(this.#feeds.size, 1));

  /** `shared`: other processes write the same sessions. `newest`: a session as it stands in the store now. */
  constructor(store: SessionStore, { shared, newest }: { readonly shared: boolean; readonly newest: Newest }) {
    this.#store = store;
    this.#shared = shared;
    this.#newest = newest;
  }

  get size(): number {
    return this.#feeds.size;
  }

  committed(sid: number, rows: () => readonly LogRow[]): void {
    // Rows are made only for those who watch.
    this.#feeds.get(sid)?.committed(rows());
  }

  moved(sid: number, seq: number): void {
    this.#feeds.get(sid)?.moved(seq);
  }

  gone(sid: number): void {
    this.#feeds.get(sid)?.gone();
    this.#feeds.delete(sid);
  }

  /** Looks for what a lost wake-up, or a log that could not be read, has only delayed (B7). */
  async sweep(): Promise<void> {
    const asked = [...this.#feeds.values()].filter((feed) => this.#shared || feed.behind);
    if (asked.length === 0) return;
    const found = new Map((await this.#store.heads(asked.map(({ sid }) => sid))).map((position) => [position.sid, position]));
    for (const feed of asked) {
      // Nobody watches it any more, or others watch a newer one.
      if (this.#feeds.get(feed.sid) !== feed) continue;
      const position = found.get(feed.sid);
      if (!position || position.deleted) this.gone(feed.sid);
      else feed.moved(position.seq);
    }
  }

  /**
   * Hands `watcher` every row after `after`: first what the log has, in pages, then what comes. `push` may answer by
   * a promise that the pages wait for (a slow reader reads slowly); live rows never wait.
   */
  async watch(session: { readonly sid: number; readonly id: SessionId; readonly head: Head }, after: number, watcher: PagedWatcher): Promise<Watch> {
    const known = this.#feeds.get(session.sid);
    const feed = known ?? new Feed(this.#store, { sid: session.sid, id: session.id, seq: session.head.seq }, this.#ringBytes);
    this.#feeds.set(session.sid, feed);
    // Kept alive while the pages are read, though nobody has joined yet.
    const placeholder: Watcher = { push: () => {}, gone: () => watcher.gone() };
    feed.join(placeholder, feed.seq);
    const stop = (): void => {
      feed.leave(placeholder);
      feed.leave(watcher);
      if (feed.empty && this.#feeds.get(feed.sid) === feed) this.#feeds.delete(feed.sid);
    };
    try {
      if (!known) await this.#lookAgain(feed);
      if (!(await this.#catchUp(feed, after, watcher))) stop();
    } catch (error) {
      // The log cannot be read: nobody watches, so nothing may be left that looks as if somebody did (B5).
      stop();
      throw error;
    }
    feed.leave(placeholder);
    return { stop };
  }

  /** What was committed between the caller's look at the head and the feed's beginning would be heard of by nobody. */
  async #lookAgain(feed: Feed): Promise<void> {
    const loaded = await this.#newest(feed.sid);
    if (!loaded || loaded.row.deletedAt !== null) this.gone(feed.sid);
    else feed.moved(loaded.head.seq);
  }

  /** Pages until the feed takes the watcher; false when the watcher wants no more. */
  async #catchUp(feed: Feed, after: number, watcher: PagedWatcher): Promise<boolean> {
    let at = after;
    while (!feed.join(watcher, at)) {
      const { rows } = await readLogPage(this.#store, { sid: feed.sid, after: at });
      // Nothing there: the floor moved past `at`, or the feed is ahead of a failing read: go on from where the feed is.
      at = rows.at(-1)?.seq ?? feed.seq;
      if (rows.length > 0 && !(await watcher.page(rows.map((row) => new FeedRow(feed.sessionId, row))))) return false;
    }
    return true;
  }
}
