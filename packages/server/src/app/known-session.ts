/**
 * What a lane knows of its session: as it was last read, or committed here.
 *
 * X4 After a conflict, a lost answer or a failure nothing cached is trusted: it is read again. A read that began before
 *    what was committed or forgotten meanwhile never takes its place.
 * X12 What of a session's row no event tells of (title, metadata) may be changed by another process without a trace in the
 *     head: a decision that rests on it reads it anew, and so does who asks for a session that was read a while ago.
 */
import type { Clock } from '../ports/clock.ts';
import type { Session } from './lane.ts';

export class KnownSession {
  readonly #read: () => Promise<Session>;
  readonly #clock: Clock;
  #session: Session | undefined;
  /** Moves when what was read before must not be taken for the newest. */
  #version = 0;
  /** When the row was last read, or somebody began to (elapsed ms). */
  #readAt: number;

  constructor(read: () => Promise<Session>, clock: Clock, session: Session | undefined) {
    this.#read = read;
    this.#clock = clock;
    this.#readAt = clock.elapsed();
    this.#session = session;
  }

  /** Undefined before the first read, and after it was forgotten. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** Committed or claimed just now: nothing is newer. */
  put(session: Session): void {
    this.#version += 1;
    this.#session = session;
  }

  forget(): void {
    this.#version += 1;
    this.#session = undefined;
  }

  async load(): Promise<Session> {
    for (;;) {
      if (this.#session) return this.#session;
      const version = this.#version;
      const read = await this.#read();
      if (version !== this.#version) continue;
      this.#session ??= read;
      this.#readAt = this.#clock.elapsed();
      return this.#session;
    }
  }

  isOlderThan(ageMs: number): boolean {
    return this.#clock.elapsed() - this.#readAt > ageMs;
  }

  /** It is about to be read: whoever asks meanwhile does not ask for it once more. */
  renew(): void {
    this.#readAt = this.#clock.elapsed();
  }

  /** Reads what events do not tell of. True when another process has moved the state: then nothing that is known holds. */
  async lookAgain(): Promise<boolean> {
    const version = this.#version;
    const read = await this.#read();
    const known = this.#session;
    // What was committed here meanwhile is newer than what was read.
    if (!known || version !== this.#version) return false;
    if (read.head.stateSeq > known.head.stateSeq) return true;
    this.#session = { ...known, row: { ...known.row, title: read.row.title, metadata: read.row.metadata } };
    return false;
  }
}
