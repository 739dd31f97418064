/**
 * A session's feed: what was committed, handed to those who watch in this process.
 *
 * Owns: one ordered, gapless run of durable rows for each watched session, shared by all its watchers. Frames are
 * made once, whatever the number of readers.
 *
 * B3 Rows reach a watcher only after they are durable, in order, without a gap or a repeat.
 * B4 A watcher never slows a commit or another watcher: `push` must return at once; one that lags says so and reads
 *    the log by itself.
 */

import { cursorOf, type StreamRef } from '@turnkeeper/core/protocol/cursors';
import { envelopeText, type LogRow } from '@turnkeeper/core/protocol/envelope';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { sseFrame } from '@turnkeeper/core/protocol/sse';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { SessionStore } from '../ports/session-store.ts';
import { readLogPage } from './log-pages.ts';

/** A committed row and its frames, made when the first reader wants them. */
export class FeedRow {
  readonly row: LogRow;
  readonly #sessionId: SessionId;
  #session: string | undefined;
  #turn: string | undefined;

  constructor(sessionId: SessionId, row: LogRow) {
    this.row = row;
    this.#sessionId = sessionId;
  }

  /** The SSE frame in the session's stream, or in its turn's. */
  frame(kind: StreamRef['kind']): string {
    switch (kind) {
      case 'session':
        this.#session ??= this.#made({ kind, sid: this.row.sid });
        return this.#session;
      case 'turn':
        this.#turn ??= this.#made({ kind, sid: this.row.sid, turn: this.row.turn });
        return this.#turn;
    }
  }

  #made(stream: StreamRef): string {
    return sseFrame(cursorOf(stream, this.row.seq), this.row.type, envelopeText(this.#sessionId, stream, this.row));
  }
}

export interface Watcher {
  /** New rows, in order. Must not throw or block. */
  push(rows: readonly FeedRow[]): void;
  /** The session is gone: nothing more will come. */
  gone(): void;
}

/** What a kept row costs beside its text: its objects, and the frame that a reader made it encode. */
const rowOverheadBytes = 1_000;

/** What was committed to a session, for its watchers. Keeps the newest rows for those who join or return. */
export class Feed {
  readonly sid: number;
  readonly sessionId: SessionId;
  readonly #store: SessionStore;
  /** With the seq up to which each has everything: what it read of the log may be ahead of what was handed out here. */
  readonly #watchers = new Map<Watcher, number>();
  readonly #ring: FeedRow[] = [];
  readonly #mostBytes: () => number;
  #ringBytes = 0;
  #seq: number;
  #catchingUp: Promise<void> | undefined;
  #target = 0;
  #behind = false;

  /** `mostBytes`: how much memory the rows kept for those who come back may take. */
  constructor(store: SessionStore, session: { readonly sid: number; readonly id: SessionId; readonly seq: number }, mostBytes: () => number) {
    const { sid, id: sessionId, seq } = session;
    this.#mostBytes = mostBytes;
    this.#store = store;
    this.sid = sid;
    this.sessionId = sessionId;
    this.#seq = seq;
  }

  get empty(): boolean {
    return this.#watchers.size === 0;
  }

  /** The log could not be read when there was more: nobody else may say so again. */
  get behind(): boolean {
    return this.#behind;
  }

  /** The newest row handed out. */
  get seq(): number {
    return this.#seq;
  }

  /**
   * Joins if `after` is recent enough: the rows since then are pushed at once, later ones as they come. False when
   * the watcher must first read the log up to `seq`.
   */
  join(watcher: Watcher, after: number): boolean {
    const oldest = this.#ring[0]?.row.seq ?? this.#seq + 1;
    if (after < oldest - 1) return false;
    const missed = this.#ring.filter((entry) => entry.row.seq > after);
    this.#watchers.set(watcher, Math.max(after, this.#seq));
    if (missed.length > 0) watcher.push(missed);
    return true;
  }

  leave(watcher: Watcher): void {
    this.#watchers.delete(watcher);
  }

  /** Rows just committed here. What does not follow on the last one is read from the log instead. */
  committed(rows: readonly LogRow[]): void {
    const fresh = rows.filter((row) => row.seq > this.#seq);
    const first = fresh[0];
    if (!first) return;
    if (first.seq === this.#seq + 1 && !this.#catchingUp) this.#deliver(fresh);
    else this.moved(fresh.at(-1)?.seq ?? 0);
  }

  /** The session is at `seq`, by another process' word: reads what is missing. */
  moved(seq: number): void {
    this.#target = Math.max(this.#target, seq);
    if (this.#target <= this.#seq) this.#behind = false;
    if (this.#target <= this.#seq || this.#catchingUp) return;
    this.#catchingUp = this.#catchUp().finally(() => {
      this.#catchingUp = undefined;
      if (this.#target > this.#seq) this.moved(this.#target);
    });
  }

  gone(): void {
    for (const watcher of this.#watchers.keys()) watcher.gone();
    this.#watchers.clear();
  }

  async #catchUp(): Promise<void> {
    try {
      while (this.#seq < this.#target) {
        const { rows } = await readLogPage(this.#store, { sid: this.sid, after: this.#seq });
        if (rows.length === 0) break;
        this.#deliver(rows);
      }
      // Nothing more is there than was read: whoever said otherwise was ahead of what is durable.
      this.#target = Math.min(this.#target, this.#seq);
      this.#behind = false;
    } catch (error) {
      this.#target = this.#seq;
      // What a newer release wrote is read elsewhere (FM3): whoever watches here goes there, and resumes by cursor.
      if (error instanceof TurnkeeperError && error.code === 'newer_release') this.gone();
      // The store cannot be read now (it says so to everyone who asks it): the next commit, wake-up or sweep tries again.
      else this.#behind = true;
    }
  }

  #deliver(rows: readonly LogRow[]): void {
    const entries = rows.map((row) => new FeedRow(this.sessionId, row));
    this.#seq = rows.at(-1)?.seq ?? this.#seq;
    this.#keep(entries);
    const first = rows[0]?.seq ?? 0;
    for (const [watcher, upto] of this.#watchers) {
      const unseen = upto < first ? entries : entries.filter((entry) => entry.row.seq > upto);
      if (unseen.length > 0) watcher.push(unseen);
    }
  }

  #keep(entries: readonly FeedRow[]): void {
    for (const entry of entries) {
      this.#ring.push(entry);
      this.#ringBytes += cost(entry);
    }
    const most = this.#mostBytes();
    let gone = 0;
    for (; this.#ringBytes > most && gone < this.#ring.length; gone += 1) this.#ringBytes -= cost(this.#ring[gone]);
    if (gone > 0) this.#ring.splice(0, gone);
  }
}

/** The text counts twice: as it came and in its frame. */
const cost = (entry: FeedRow | undefined): number => (entry ? 2 * entry.row.data.length + rowOverheadBytes : 0);
