/** What the assistant says while it says it: straight from the feed, for sessions whose turn runs (FW3). */

import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { type EventData, outcomeEvents } from '@turnkeeper/core/session/events';
import type { App } from '../../app/app.ts';
import type { FeedRow } from '../../app/feed.ts';
import type { FollowedSession } from '../../ports/minitools.ts';
import { isTold, metadataOfTurn } from './events-of-log.ts';

type Watched = {
  readonly followed: FollowedSession;
  /** Durable events up to here were told. */
  place: number;
  /** The newest row that is, or may be, a durable event. */
  owed: number;
  /** Of the turn whose text was told last: it is read once for each. */
  turn: { readonly id: string; readonly metadata: JsonObject | undefined } | undefined;
  /** What is told goes one after another. */
  work: Promise<void>;
  stop: () => void;
  ended: boolean;
};

export type LiveTextOptions = {
  readonly app: Pick<App, 'sessions'>;
  readonly catchUp: (sid: number) => Promise<void>;
  /** Whether anybody of a mini-tool listens: for nobody nothing is watched. */
  readonly hears: (minitoolId: string) => boolean;
  readonly tell: (minitoolId: string, event: JsonObject) => void;
};

export class LiveText {
  readonly #options: LiveTextOptions;
  readonly #watched = new Map<number, Watched>();
  /** Sessions whose turn runs, watched or not. */
  readonly #running = new Set<number>();

  constructor(options: LiveTextOptions) {
    this.#options = options;
  }

  /** The log was read up to `place`, and its events were told. A session is watched from the beginning of a run to its turn's end. */
  followed(followed: FollowedSession, place: number, rows: readonly LogRow[]): void {
    const watched = this.#watched.get(followed.sid);
    if (watched) watched.place = Math.max(watched.place, place);
    const last = rows.findLast(({ type }) => type === 'turn.running' || type === 'turn.requires_action' || outcomeEvents.has(type))?.type;
    if (last === 'turn.running') this.#running.add(followed.sid);
    else if (last !== undefined) this.end(followed.sid);
    // Who begins to listen in the middle hears what follows the next event.
    if (!watched && this.#running.has(followed.sid) && this.#options.hears(followed.minitoolId)) void this.#watch(followed, place);
  }

  end(sid: number): void {
    this.#running.delete(sid);
    const watched = this.#watched.get(sid);
    if (!watched) return;
    watched.ended = true;
    watched.stop();
    this.#watched.delete(sid);
  }

  stop(): void {
    for (const sid of [...this.#watched.keys(), ...this.#running]) this.end(sid);
  }

  async #watch(followed: FollowedSession, place: number): Promise<void> {
    const { sid, sessionId } = followed;
    const { sessions } = this.#options.app;
    const watched: Watched = { followed, place, owed: place, turn: undefined, work: Promise.resolve(), stop: () => {}, ended: false };
    this.#watched.set(sid, watched);
    const push = (rows: readonly FeedRow[]): void => {
      watched.work = watched.work.then(() => this.#tellRows(watched, rows)).catch(() => {});
    };
    const page = async (rows: readonly FeedRow[]): Promise<boolean> => {
      push(rows);
      return !watched.ended;
    };
    try {
      const newest = await sessions.newest(sid);
      if (!newest) return this.end(sid);
      const { stop } = await sessions.feeds.watch({ sid, id: sessionId, head: newest.head }, place, { push, page, gone: () => this.end(sid) });
      watched.stop = stop;
      if (watched.ended) stop();
    } catch {
      // What cannot be watched is told when it is whole.
      this.end(sid);
    }
  }

  async #tellRows(watched: Watched, rows: readonly FeedRow[]): Promise<void> {
    for (const { row } of rows) {
      if (isTold(row.type)) watched.owed = Math.max(watched.owed, row.seq);
      if (row.type !== 'item.delta' || !this.#options.hears(watched.followed.minitoolId)) continue;
      // What came before it is told before it.
      if (watched.owed > watched.place) await this.#options.catchUp(watched.followed.sid);
      await this.#tellDelta(watched, row);
    }
  }

  async #tellDelta(watched: Watched, { data, at, seq }: LogRow): Promise<void> {
    const { sessionId, minitoolId } = watched.followed;
    const { turn_id: turnId, item_id: messageId, content } = JSON.parse(data) as EventData<'item.delta'>;
    const delta = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
    if (delta === '') return;
    const metadata = await this.#metadataOf(watched, turnId);
    // An event behind it was told meanwhile: it says all of it.
    if (seq <= watched.place || watched.ended) return;
    const about = { type: 'assistant.delta', sessionId, turnId, messageId, delta, createdAt: new Date(at).toISOString() };
    this.#options.tell(minitoolId, metadata ? { ...about, metadata } : about);
  }

  async #metadataOf(watched: Watched, turnId: string): Promise<JsonObject | undefined> {
    if (watched.turn?.id !== turnId) watched.turn = { id: turnId, metadata: await metadataOfTurn(this.#options.app, watched.followed.sid, turnId) };
    return watched.turn.metadata;
  }
}
