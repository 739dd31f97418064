/**
 * The events of a session and of its open children, as one run.
 *
 * TE1 Order is that of each session. A child's log goes out to its end before its `subagent.completed` does; after that
 *     nothing of it comes.
 * TE2 The cursor of an event holds the place in every session that is followed then: whoever goes on from it misses nothing,
 *     and gets nothing twice.
 * TE3 At most 64 children are followed at once; those beyond them are read by their own streams.
 * TE4 Read from the log in pages, at the pace of the reader: who watches is only woken (B6).
 */
import { eventIdOf, readTreeCursor, type TreePlace, treeCursorOf } from '@turnkeeper/core/protocol/cursors';
import type { Envelope, LogRow } from '@turnkeeper/core/protocol/envelope';
import { envelopeOf } from '@turnkeeper/core/protocol/envelope';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { readState } from '@turnkeeper/core/session/formats';
import { isSessionId, type SessionId } from '@turnkeeper/core/session/ids';
import type { Head, Loaded } from '../ports/session-store.ts';
import type { App } from './app.ts';
import type { Watch } from './feeds.ts';
import { isBelow } from './find-child.ts';
import type { Session } from './lane.ts';
import { readLogPage } from './log-pages.ts';

const mostFollowed = 64;

/** An event of the merged stream. `path`: the names on the way down to its session; absent for the session itself. */
export type TreeEvent = { readonly type: string; readonly cursor: string; readonly envelope: Envelope & { readonly path?: string } };

type Member = { readonly sid: number; readonly id: SessionId; readonly path: string; seq: number; isDirty: boolean; watch: Watch | undefined };

/** What happens to a child, by a row of its parent's log. */
const childIn = ({ type, data }: LogRow, of: string): SessionId | undefined => {
  if (type !== of) return undefined;
  const id = (JSON.parse(data) as { readonly child_session_id?: unknown }).child_session_id;
  return typeof id === 'string' && isSessionId(id) ? id : undefined;
};

/** Bookkeeping that follows a child's end. */
const hidden = 'session.parent_told';

export class TreeLog {
  readonly #app: App;
  readonly #top: Session['row'];
  readonly #members = new Map<number, Member>();
  #wake: () => void = () => {};
  #isOver = false;
  /** The session is deleted: what it had to say is still told. */
  #isGone = false;

  constructor(app: App, top: Session['row']) {
    this.#app = app;
    this.#top = top;
  }

  /**
   * Begins after a cursor of this stream, at what is there now (`latest`), or at the oldest event kept. Throws
   * `invalid_cursor`, `cursor_ahead`, `cursor_expired`.
   */
  async open(head: Head, after: string | undefined): Promise<void> {
    if (after === 'latest') {
      await this.#joinOpen(this.#top.id);
      return;
    }
    const place = after === undefined ? [{ sid: head.sid, seq: head.horizon }] : this.#placeOf(head, after);
    for (const { sid, seq } of place) {
      const loaded = sid === head.sid ? { row: this.#top, head } : await this.#app.sessions.store.loadBySid(sid);
      if (!loaded || (sid !== head.sid && !isBelow(loaded.row, this.#top))) throw this.#noCursor();
      if (seq > loaded.head.seq) throw new TurnkeeperError('cursor_ahead', 'The cursor lies beyond what is committed.');
      // A child's log may be forgotten sooner than that of a session whose turn is unfinished.
      if (seq < loaded.head.horizon)
        throw new TurnkeeperError('cursor_expired', 'What follows this cursor is no longer kept. Read the snapshot, and follow from `latest`.', {
          snapshot_url: `/api/v1/agent-sessions/${this.#top.id}/snapshot`,
        });
      this.#add(loaded, seq);
    }
  }

  #placeOf(head: Head, cursor: string): TreePlace {
    const place = readTreeCursor(head.sid, cursor);
    if (!place) throw this.#noCursor();
    return place;
  }

  #noCursor(): TurnkeeperError {
    return new TurnkeeperError('invalid_cursor', 'This is not a cursor of this stream: with `include_children` it has cursors of its own.');
  }

  /** Events as they come; ends when the session is deleted or `stop` was called. */
  async *events(): AsyncGenerator<TreeEvent, void, undefined> {
    try {
      for (const member of this.#members.values()) await this.#watch(member);
      while (!this.#isOver) {
        const woken = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        let any = false;
        for (const member of [...this.#members.values()]) {
          if (!member.isDirty) continue;
          any = true;
          member.isDirty = false;
          yield* this.#rowsOf(member);
        }
        if (any || this.#isOver) continue;
        if (this.#isGone || this.#members.size === 0) return;
        await woken;
      }
    } finally {
      this.stop();
    }
  }

  /** The place in every session that is followed now (TE2). */
  get cursor(): string {
    return treeCursorOf([...this.#members.values()].map(({ sid, seq }) => ({ sid, seq })));
  }

  stop(): void {
    this.#isOver = true;
    for (const { watch } of this.#members.values()) watch?.stop();
    this.#members.clear();
    this.#wake();
  }

  /** All that is there of one session now, its ended children before their ends. */
  async *#rowsOf(member: Member): AsyncGenerator<TreeEvent, void, undefined> {
    for (;;) {
      const { rows, full } = await readLogPage(this.#app.sessions.store, { sid: member.sid, after: member.seq });
      for (const row of rows) {
        if (this.#isOver) return;
        const ended = this.#known(childIn(row, 'subagent.completed'));
        if (ended) yield* this.#ended(ended);
        member.seq = row.seq;
        const started = childIn(row, 'subagent.started');
        if (started) await this.#join(started);
        if (row.type !== hidden) yield this.#shown(member, row);
      }
      // What comes later makes it dirty again.
      if (!full) return;
    }
  }

  /** What is left of a child and of all below it; then they are followed no more. */
  async *#ended(child: Member): AsyncGenerator<TreeEvent, void, undefined> {
    yield* this.#rowsOf(child);
    for (const below of [...this.#members.values()].filter(({ path }) => path.startsWith(`${child.path}/`))) {
      yield* this.#rowsOf(below);
      this.#leave(below);
    }
    this.#leave(child);
  }

  #shown({ id, path, sid }: Member, row: LogRow): TreeEvent {
    const { cursor } = this;
    const envelope = { ...envelopeOf(id, { kind: 'session', sid }, row), id: eventIdOf(sid, row.seq), cursor };
    return { type: row.type, cursor, envelope: id === this.#top.id ? envelope : { ...envelope, path } };
  }

  #known(id: SessionId | undefined): Member | undefined {
    return id === undefined ? undefined : [...this.#members.values()].find((member) => member.id === id);
  }

  #add({ row, head }: Pick<Loaded, 'row' | 'head'>, seq: number): Member {
    const member: Member = { sid: head.sid, id: row.id, path: row.path, seq, isDirty: true, watch: undefined };
    this.#members.set(head.sid, member);
    return member;
  }

  async #join(id: SessionId): Promise<void> {
    if (this.#known(id) || this.#members.size > mostFollowed) return;
    const loaded = await this.#app.sessions.store.load(id);
    if (!loaded || loaded.row.deletedAt !== null || !isBelow(loaded.row, this.#top)) return;
    await this.#watch(this.#add(loaded, loaded.head.horizon));
  }

  /** A session as it is now, and its open children. */
  async #joinOpen(id: SessionId): Promise<void> {
    const loaded = this.#members.size > mostFollowed ? undefined : await this.#app.sessions.store.load(id);
    if (!loaded || loaded.row.deletedAt !== null) return;
    this.#add(loaded, loaded.head.seq);
    const { children = [] } = readState(this.#app.sessions.formats.formats, loaded.state) ?? {};
    for (const link of children) if (link.status !== 'owed') await this.#joinOpen(link.id);
  }

  #leave(member: Member): void {
    member.watch?.stop();
    this.#members.delete(member.sid);
  }

  /** Only to be woken: what was committed is read from the log. */
  async #watch(member: Member): Promise<void> {
    const news = (): void => {
      member.isDirty = true;
      this.#wake();
    };
    const loaded = await this.#app.sessions.newest(member.sid);
    if (!loaded || this.#isOver) return;
    const watcher = {
      push: news,
      gone: () => {
        if (member.id !== this.#top.id) return;
        this.#isGone = true;
        news();
      },
      page: async () => {
        news();
        return true;
      },
    };
    const watch = await this.#app.sessions.feeds.watch({ sid: member.sid, id: member.id, head: loaded.head }, loaded.head.seq, watcher);
    if (this.#isOver) watch.stop();
    else member.watch = watch;
  }
}
