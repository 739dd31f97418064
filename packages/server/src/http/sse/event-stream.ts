/**
 * One reader of a session's or a turn's events, on its raw socket.
 *
 * Owns: what this reader has been given (`#at`), and what happens when it reads slower than events come.
 * Does not own: which rows there are (the feed, the log) nor their bytes (shared by all readers).
 *
 *   paging ──► live ──► lagging ──(drained)──► paging …        any ──► ending ──► closed
 *
 * HS3 A reader gets every row after its position once, in order; `#at` is the last row written to its socket.
 * HS4 At most about `lagBytes` wait for a reader. Beyond that it leaves the feed and goes on from the log when it has
 *     read what it was given; one that does not within the time of open-streams.ts is cut off.
 * HS5 A turn's stream ends after the outcome that settles the turn. Outcomes that a resume has overtaken are history.
 */
import type { Socket } from 'node:net';
import { outcomeEvents } from '@turnkeeper/core/session/events';
import type { Subject } from '../../app/access.ts';
import type { App } from '../../app/app.ts';
import type { FeedRow } from '../../app/feed.ts';
import type { PagedWatcher, Watch } from '../../app/feeds.ts';
import { subjectOf } from '../../app/find-session.ts';
import { type Opened, restOfTurn } from '../../app/read-events.ts';
import { type Frames, framesOf } from './frames.ts';
import type { OpenStream, OpenStreams } from './open-streams.ts';

export const lagBytes = 256 * 1024;

type Phase = 'paging' | 'live' | 'lagging' | 'ending' | 'closed';
type Reader = { readonly socket: Socket; readonly opened: Opened; readonly after: number; readonly credential: string; readonly reader: string };

export class EventStream implements OpenStream, PagedWatcher {
  readonly credential: string;
  readonly reader: string;
  readonly subject: Subject;
  readonly #app: App;
  readonly #streams: OpenStreams;
  readonly #socket: Socket;
  readonly #session: { readonly sid: number; readonly id: Opened['session']['row']['id'] };
  /** The turn's number; 0 = the whole session. */
  readonly #turn: number;
  /** Outcomes at or before this seq are history (HS5). */
  readonly #history: number;
  readonly #letGo: () => void;
  #at: number;
  #phase: Phase = 'paging';
  #watch: Watch | undefined;

  constructor(app: App, streams: OpenStreams, { socket, opened, after, credential, reader }: Reader) {
    this.credential = credential;
    this.reader = reader;
    this.subject = subjectOf(opened.session.row, opened.session.config);
    this.#app = app;
    this.#streams = streams;
    this.#socket = socket;
    this.#session = { sid: opened.head.sid, id: opened.session.row.id };
    this.#turn = opened.stream.kind === 'turn' ? opened.stream.turn : 0;
    this.#history = opened.head.seq;
    this.#at = after;
    this.#letGo = streams.add(this);
    socket.once('close', () => this.#closed());
  }

  /** Begins to deliver; resolves when the reader is live, or the stream over. */
  async start(opened: Opened): Promise<void> {
    if (!opened.settledTurn) return this.#follow(opened.head);
    await this.#orEnd(async () => {
      for await (const rows of restOfTurn(this.#app, opened, this.#at)) if (!(await this.page(rows))) return;
      this.end();
    });
  }

  /** New rows, from the feed. */
  push(rows: readonly FeedRow[]): void {
    if (this.#phase !== 'live' && this.#phase !== 'paging') return;
    const first = rows[0]?.row.seq ?? 0;
    const frames =
      first > this.#at
        ? this.#streams.framesOf(rows, this.#turn)
        : framesOf(
            rows.filter(({ row }) => row.seq > this.#at),
            this.#turn,
          );
    this.#write(frames);
    this.#advance(rows);
    if (this.#socket.writableLength > lagBytes) this.#lag();
  }

  /** Older rows, from the log: a slow reader reads slowly. False when it wants no more. */
  async page(rows: readonly FeedRow[]): Promise<boolean> {
    for (let from = 0; from < rows.length && this.#phase === 'paging'; ) {
      const piece = this.#piece(rows, from);
      from += piece.length;
      this.#write(framesOf(piece, this.#turn));
      this.#advance(piece);
      if (this.#socket.writableNeedDrain) await this.#drained();
    }
    return this.#phase === 'paging';
  }

  gone(): void {
    this.end();
  }

  beat(comment: Buffer): void {
    // HS1
    if ((this.#phase === 'live' || this.#phase === 'paging') && this.#socket.writableLength === 0) this.#socket.write(comment);
  }

  end(): void {
    if (this.#phase === 'ending' || this.#phase === 'closed') return;
    this.#phase = 'ending';
    this.#leave();
    this.#streams.impatient(this);
    this.#socket.destroySoon();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  async #follow(head: Opened['head']): Promise<void> {
    await this.#orEnd(async () => {
      const watch = await this.#app.sessions.feeds.watch({ ...this.#session, head }, this.#at, this);
      // Rows that came while joining may have ended it, or filled it up.
      if (this.#phase !== 'paging') return watch.stop();
      this.#phase = 'live';
      this.#watch = watch;
    });
  }

  /** The log cannot be read now: the reader resumes by its cursor when it can. */
  async #orEnd(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch {
      this.end();
    }
  }

  #lag(): void {
    this.#phase = 'lagging';
    this.#leave();
    void this.#orEnd(async () => {
      await this.#drained();
      if (this.#phase !== 'lagging') return;
      const loaded = await this.#app.sessions.store.loadBySid(this.#session.sid);
      if (!loaded || loaded.row.deletedAt !== null) return this.end();
      if (this.#phase !== 'lagging') return;
      this.#phase = 'paging';
      await this.#follow(loaded.head);
    });
  }

  /** Resolves when the reader has made room, or is gone. */
  #drained(): Promise<void> {
    this.#streams.impatient(this);
    return new Promise((resolve) => {
      const done = (): void => {
        this.#socket.off('drain', done);
        this.#socket.off('close', done);
        if (this.#phase !== 'ending') this.#streams.patient(this);
        resolve();
      };
      this.#socket.on('drain', done);
      this.#socket.on('close', done);
    });
  }

  /** As many rows as go into the bound, at least one. */
  #piece(rows: readonly FeedRow[], from: number): readonly FeedRow[] {
    let to = from;
    for (let bytes = 0; to < rows.length && bytes < lagBytes; to += 1) bytes += rows[to]?.row.data.length ?? 0;
    return rows.slice(from, to);
  }

  #write(buffers: Frames): void {
    if (buffers.length > 1) this.#socket.cork();
    for (const buffer of buffers) this.#socket.write(buffer);
    if (buffers.length > 1) this.#socket.uncork();
  }

  #advance(rows: readonly FeedRow[]): void {
    this.#at = Math.max(this.#at, rows.at(-1)?.row.seq ?? 0);
    if (this.#turn !== 0 && rows.some(({ row }) => row.turn === this.#turn && row.seq > this.#history && outcomeEvents.has(row.type))) this.end();
  }

  #leave(): void {
    this.#watch?.stop();
    this.#watch = undefined;
  }

  #closed(): void {
    this.#phase = 'closed';
    this.#leave();
    this.#letGo();
  }
}
