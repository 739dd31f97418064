/**
 * One reader of what is told as it happens and kept by nobody (a mini-tool's log, what mini-tools show), on its raw socket.
 *
 * HS9 It is no history that somebody is owed: a reader that does not keep up with what was told before is cut off, and begins anew. How
 *     long a frame is by itself says nothing of its reader.
 */
import type { Socket } from 'node:net';
import type { Subject } from '../../app/access.ts';
import type { Caller } from '../../app/caller.ts';
import { lagBytes } from './event-stream.ts';
import type { OpenStream, OpenStreams } from './open-streams.ts';

export type FrameReader = {
  readonly socket: Socket;
  readonly credential: string;
  readonly reader: string;
  readonly subject: Subject;
  readonly readBy?: (caller: Caller) => void;
};

export class FrameStream implements OpenStream {
  readonly credential: string;
  readonly reader: string;
  readonly subject: Subject;
  readonly readBy: (caller: Caller) => void;
  readonly #streams: OpenStreams;
  readonly #socket: Socket;
  readonly #stopFollowing: () => void;
  #ended = false;

  /** `follow` writes what is there at once, in one frame or few, then what comes; its function ends that. */
  constructor(
    streams: OpenStreams,
    { socket, credential, reader, subject, readBy = () => {} }: FrameReader,
    follow: (write: (frames: string) => void) => () => void,
  ) {
    this.credential = credential;
    this.reader = reader;
    this.subject = subject;
    this.readBy = readBy;
    this.#streams = streams;
    this.#socket = socket;
    const letGo = streams.add(this);
    this.#stopFollowing = follow((frames) => this.#write(frames));
    socket.once('close', () => {
      this.#ended = true;
      this.#stopFollowing();
      letGo();
    });
  }

  beat(comment: Buffer): void {
    // HS1
    if (!this.#ended && this.#socket.writableLength === 0) this.#socket.write(comment);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stopFollowing();
    this.#streams.impatient(this);
    this.#socket.destroySoon();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #write(frames: string): void {
    if (this.#ended) return;
    if (this.#socket.writableLength > lagBytes) this.#socket.destroy();
    else this.#socket.write(frames);
  }
}
