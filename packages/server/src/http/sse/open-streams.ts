/**
 * The open event streams of this process.
 *
 * Owns: one timer and one buffer for all heartbeats, and the time that a slow reader has. A stream itself holds no
 * timer, so ten thousand idle ones cost next to nothing.
 *
 * HS1 A stream that has bytes waiting gets no heartbeat: what is not read never grows the server's memory.
 * HS2 While no stream is open, no timer runs.
 */
import { sseHeartbeat } from '@turnkeeper/core/protocol/sse';
import type { App } from '../../app/app.ts';
import { createFrameCache } from './frames.ts';

const tickMs = 1_000;
export const heartbeatTicks = 15;
/** How long a reader may take to make room, and an ended stream to be read to its end. */
const patienceTicks = 30;
/** How long ended streams may hold up a server that closes. */
const closingMs = 2_000;

/** What the timer does with a stream. */
export interface OpenStream {
  readonly credential: string;
  /** Says that all is well, by this comment. */
  beat(comment: Buffer): void;
  /** Nothing more comes: delivers what was written and closes. */
  end(): void;
  /** Closes at once. */
  destroy(): void;
}

export class OpenStreams {
  readonly framesOf = createFrameCache();
  readonly #clock: App['clock'];
  readonly #heartbeat = Buffer.from(sseHeartbeat);
  /** Spread over the seconds of a heartbeat, so that no tick has all of them to write to. */
  readonly #streams = Array.from({ length: heartbeatTicks }, () => new Set<OpenStream>());
  readonly #impatient = new Map<OpenStream, number>();
  #ticks = 0;
  #count = 0;
  #stopTimer: (() => void) | undefined;

  constructor(clock: App['clock']) {
    this.#clock = clock;
  }

  get count(): number {
    return this.#count;
  }

  /** Takes a stream in; the returned function lets it go. */
  add(stream: OpenStream): () => void {
    const streams = this.#streams[this.#ticks % heartbeatTicks];
    streams?.add(stream);
    this.#count += 1;
    this.#stopTimer ??= this.#clock.after(tickMs, () => this.#tick());
    return () => {
      if (!streams?.delete(stream)) return;
      this.#impatient.delete(stream);
      this.#count -= 1;
      if (this.#count > 0) return;
      this.#stopTimer?.();
      this.#stopTimer = undefined;
    };
  }

  /** The stream waits for its reader: it is cut off unless `patient` is called in time. */
  impatient(stream: OpenStream): void {
    this.#impatient.set(stream, this.#ticks + patienceTicks);
  }

  patient(stream: OpenStream): void {
    this.#impatient.delete(stream);
  }

  /** A credential is revoked: what was opened with it ends. */
  endOf(credential: string): void {
    for (const stream of this.#all()) if (stream.credential === credential) stream.end();
  }

  /** Ends them all; what is still unread after a moment is cut off, so that the server can close. */
  endAll(): void {
    for (const stream of this.#all()) stream.end();
    if (this.#count > 0) {
      this.#clock.after(closingMs, () => {
        for (const stream of this.#all()) stream.destroy();
      });
    }
  }

  #all(): readonly OpenStream[] {
    return this.#streams.flatMap((streams) => [...streams]);
  }

  #tick(): void {
    this.#ticks += 1;
    this.#stopTimer = this.#clock.after(tickMs, () => this.#tick());
    for (const stream of this.#streams[this.#ticks % heartbeatTicks] ?? []) stream.beat(this.#heartbeat);
    for (const [stream, until] of this.#impatient) if (this.#ticks >= until) stream.destroy();
  }
}
