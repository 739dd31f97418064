/**
 * The open event streams of this process.
 *
 * Owns: one timer and one buffer for all heartbeats, the time that a slow reader has, and whether its reader may still
 * read. A stream itself holds no timer, so ten thousand idle ones cost next to nothing.
 *
 * HS1 A stream that has bytes waiting gets no heartbeat: what is not read never grows the server's memory.
 * HS2 While no stream is open, no timer runs.
 * HS10 Of a stream that is padded nothing stays behind in a proxy that hands on whole blocks of 4 KiB only: within a second after what
 *     was written comes a comment of that length, and its heartbeats are as long.
 * HS6 A credential that was revoked here ends its streams at once, and a change here of what its user or application may
 *     do is looked at at once. What happened on another node is noticed with the next heartbeat: each credential is looked
 *     at once a round, however many streams it has.
 */
import type { Socket } from 'node:net';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { sseHeartbeat, ssePadding } from '@turnkeeper/core/protocol/sse';
import { accessRefusal, type Subject } from '../../app/access.ts';
import type { App } from '../../app/app.ts';
import type { Caller } from '../../app/caller.ts';
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
  /** Whose credential it is: `user:<id>` or `app:<id>`. */
  readonly reader: string;
  /** What is read through it. */
  readonly subject: Subject;
  /** It may go on, and this is who reads now: what of what it tells such a reader may see is its own to look at. */
  readBy?(caller: Caller): void;
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
  readonly #padding = Buffer.from(ssePadding);
  /** With the bytes that had been written when it was padded last. */
  readonly #padded = new Map<OpenStream, { readonly socket: Pick<Socket, 'bytesWritten'>; bytes: number }>();
  /** Spread over the seconds of a heartbeat, so that no tick has all of them to write to. */
  readonly #streams = Array.from({ length: heartbeatTicks }, () => new Set<OpenStream>());
  readonly #impatient = new Map<OpenStream, number>();
  /** By credential; `tick`: when of a round it is looked at. */
  readonly #readers = new Map<string, { readonly tick: number; readonly who: string; readonly streams: Set<OpenStream> }>();
  /** When credentials end by themselves, as far as somebody said so. */
  readonly #ends = new Map<string, number>();
  readonly #authenticate: (credential: string) => Promise<Caller>;
  #ticks = 0;
  #count = 0;
  #stopTimer: (() => void) | undefined;

  /** `authenticate`: the caller of a credential as it is now; rejects with `unauthenticated` when it is none any more. */
  constructor(clock: App['clock'], authenticate: (credential: string) => Promise<Caller>) {
    this.#clock = clock;
    this.#authenticate = authenticate;
  }

  get count(): number {
    return this.#count;
  }

  /** Takes a stream in; the returned function lets it go. */
  add(stream: OpenStream): () => void {
    const streams = this.#streams[this.#ticks % heartbeatTicks];
    streams?.add(stream);
    this.#count += 1;
    const letGoReader = this.#addReader(stream);
    this.#stopTimer ??= this.#clock.after(tickMs, () => this.#tick());
    return () => {
      if (!streams?.delete(stream)) return;
      this.#impatient.delete(stream);
      this.#padded.delete(stream);
      letGoReader();
      this.#count -= 1;
      if (this.#count > 0) return;
      this.#stopTimer?.();
      this.#stopTimer = undefined;
    };
  }

  /** As long as it is open, what is written to this stream's socket is padded (HS10). */
  pad(stream: OpenStream, socket: Pick<Socket, 'bytesWritten'>): void {
    if (this.#streams.some((streams) => streams.has(stream))) this.#padded.set(stream, { socket, bytes: 0 });
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
    for (const stream of [...(this.#readers.get(credential)?.streams ?? [])]) stream.end();
  }

  /** This credential ends at `time`: what was opened with it ends then, and not with the next heartbeat only. */
  endsAt(credential: string, time: number): void {
    this.#ends.set(credential, time);
  }

  /** Something of a user or an application has changed: what its credentials may read no more ends. */
  lookAgainAt(who: string): void {
    for (const [credential, reader] of this.#readers) if (reader.who === who) void this.#lookAgain(credential);
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

  #addReader(stream: OpenStream): () => void {
    const reader = this.#readers.get(stream.credential) ?? { tick: this.#ticks % heartbeatTicks, who: stream.reader, streams: new Set() };
    this.#readers.set(stream.credential, reader);
    reader.streams.add(stream);
    return () => {
      reader.streams.delete(stream);
      if (reader.streams.size > 0) return;
      this.#readers.delete(stream.credential);
      this.#ends.delete(stream.credential);
    };
  }

  /** Ends what may not be read any more (HS6). */
  async #lookAgain(credential: string): Promise<void> {
    try {
      const caller = await this.#authenticate(credential);
      for (const stream of [...(this.#readers.get(credential)?.streams ?? [])]) {
        if (accessRefusal(caller, stream.subject, 'read')) stream.end();
        else stream.readBy?.(caller);
      }
    } catch (error) {
      // A store that cannot be read now says nothing of the credential.
      if (error instanceof TurnkeeperError && error.code === 'unauthenticated') this.endOf(credential);
    }
  }

  #beat(stream: OpenStream): void {
    const padded = this.#padded.get(stream);
    if (padded) {
      padded.bytes = -1;
      this.#padOnce(stream, padded);
    } else stream.beat(this.#heartbeat);
  }

  #padOnce(stream: OpenStream, padded: { readonly socket: Pick<Socket, 'bytesWritten'>; bytes: number }): void {
    const { bytesWritten } = padded.socket;
    if (bytesWritten === padded.bytes) return;
    stream.beat(this.#padding);
    // It takes none while something waits for its reader (HS1): then the next tick tries again.
    if (padded.socket.bytesWritten !== bytesWritten) padded.bytes = padded.socket.bytesWritten;
  }

  #all(): readonly OpenStream[] {
    return this.#streams.flatMap((streams) => [...streams]);
  }

  #tick(): void {
    this.#ticks += 1;
    this.#stopTimer = this.#clock.after(tickMs, () => this.#tick());
    for (const stream of this.#streams[this.#ticks % heartbeatTicks] ?? []) this.#beat(stream);
    for (const [stream, padded] of this.#padded) this.#padOnce(stream, padded);
    for (const [credential, { tick }] of this.#readers) if (tick === this.#ticks % heartbeatTicks) void this.#lookAgain(credential);
    for (const [credential, time] of this.#ends) if (this.#clock.now() >= time) this.endOf(credential);
    for (const [stream, until] of this.#impatient) if (this.#ticks >= until) stream.destroy();
  }
}
