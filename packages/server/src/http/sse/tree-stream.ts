/**
 * One reader of a session's events and its children's, on its raw socket: written at the pace at which it reads.
 *
 * HS7 A reader that does not make room in time is cut off, as one of any stream (open-streams.ts); nothing waits for it here
 *     but what is in its socket.
 */
import type { Socket } from 'node:net';
import { sseFrame, sseId } from '@turnkeeper/core/protocol/sse';
import type { Subject } from '../../app/access.ts';
import type { TreeLog } from '../../app/tree-log.ts';
import type { OpenStream, OpenStreams } from './open-streams.ts';

type Reader = { readonly socket: Socket; readonly log: TreeLog; readonly subject: Subject; readonly credential: string; readonly reader: string };

export class TreeStream implements OpenStream {
  readonly credential: string;
  readonly reader: string;
  readonly subject: Subject;
  readonly #streams: OpenStreams;
  readonly #socket: Socket;
  readonly #log: TreeLog;
  #isEnding = false;

  constructor(streams: OpenStreams, { socket, log, subject, credential, reader }: Reader) {
    this.credential = credential;
    this.reader = reader;
    this.subject = subject;
    this.#streams = streams;
    this.#socket = socket;
    this.#log = log;
    const letGo = streams.add(this);
    socket.once('close', () => {
      // Nobody waits for it any more: it is not to be found impatient after it was let go.
      this.#isEnding = true;
      log.stop();
      letGo();
    });
  }

  /** Resolves when the stream is over. */
  async start(): Promise<void> {
    try {
      // Where it begins, before anything happens: whoever is cut off by then goes on from here.
      this.#socket.write(sseId(this.#log.cursor));
      for await (const { cursor, type, envelope } of this.#log.events()) {
        if (this.#isEnding || this.#socket.destroyed) break;
        if (!this.#socket.write(sseFrame(cursor, type, JSON.stringify(envelope)))) await this.#drained();
      }
    } catch {
      // The log cannot be read now: the reader resumes by its cursor when it can.
    }
    this.end();
  }

  beat(comment: Buffer): void {
    // HS1
    if (!this.#isEnding && this.#socket.writableLength === 0) this.#socket.write(comment);
  }

  end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#log.stop();
    this.#streams.impatient(this);
    this.#socket.destroySoon();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Resolves when the reader has made room, or is gone. */
  #drained(): Promise<void> {
    this.#streams.impatient(this);
    return new Promise((resolve) => {
      const done = (): void => {
        this.#socket.off('drain', done);
        this.#socket.off('close', done);
        if (!this.#isEnding) this.#streams.patient(this);
        resolve();
      };
      this.#socket.on('drain', done);
      this.#socket.on('close', done);
    });
  }
}
