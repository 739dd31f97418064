/**
 * The files of sessions: their bytes on the way in and out.
 *
 * Owns: how bytes come to be a file's (FB5), and the limits of one file and of a session.
 */
import { createHash } from 'node:crypto';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { Blobs, ByteRange, Bytes } from '../ports/blobs.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileIndex, FileRow } from '../ports/file-index.ts';
import type { Ids } from '../ports/ids.ts';

/** What those who read files are given. */
export type StoredFile = FileRow;
export type { ByteRange };

/** Bytes that are kept and not yet a file's. */
export type Kept = { readonly blob: string; readonly size: number; readonly sha256: string };

export const fileLimits = { files: limits.sessionFiles, bytes: limits.sessionFileBytes } as const;

const fileTooLarge = (most: number): TurnkeeperError => new TurnkeeperError('payload_too_large', `A file may have at most ${most} bytes.`, { limit: most });

export const filesFull = (): TurnkeeperError =>
  new TurnkeeperError('payload_too_large', `A session may have at most ${limits.sessionFiles} files, with ${limits.sessionFileBytes} bytes in all.`, {
    limit: limits.sessionFileBytes,
    scope: 'session',
  });

/** What has passed through: its size and its hash, once it is at its end. */
const measured = (most: number = limits.fileBytes) => {
  const hash = createHash('sha256');
  let size = 0;
  return {
    async *through(bytes: Bytes): AsyncGenerator<Uint8Array, void, undefined> {
      for await (const part of bytes) {
        size += part.length;
        if (size > most) throw fileTooLarge(most);
        hash.update(part);
        yield part;
      }
    },
    result: () => ({ size, sha256: hash.digest('hex') }),
  };
};

export class SessionFiles {
  readonly index: FileIndex;
  readonly blobs: Blobs;
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor({ index, blobs, clock, ids }: { readonly index: FileIndex; readonly blobs: Blobs; readonly clock: Clock; readonly ids: Ids }) {
    this.index = index;
    this.blobs = blobs;
    this.#clock = clock;
    this.#ids = ids;
  }

  /** A file of this session and of no other; undefined when there is none of that id. */
  fileOf(sessionId: string, fileId: string): Promise<FileRow | undefined> {
    return this.index.file(sessionId, fileId);
  }

  /** The bytes of a file, or a part of them, as they come. Whoever begins to read goes on to the end, or calls `return`. */
  async bytesOf(file: FileRow, range?: ByteRange): Promise<Bytes> {
    const bytes = await this.blobs.get(file.blob, range);
    if (!bytes) throw new TurnkeeperError('not_found', 'The file is not there any more.');
    return bytes;
  }

  /** All bytes of a file at once: at most 16 MiB. */
  async readAll(file: FileRow): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for await (const part of await this.bytesOf(file)) parts.push(part);
    return Buffer.concat(parts);
  }

  /** Keeps bytes that no file names yet (FB5). Throws `payload_too_large`; nothing of them is left then. */
  async keep(sessionId: string, bytes: Bytes, most?: number): Promise<Kept> {
    const blob = `${sessionId}/${this.#ids.next('blob')}`;
    await this.index.note(blob, this.#clock.now());
    const { through, result } = measured(most);
    try {
      await this.blobs.put(blob, through(bytes));
    } catch (error) {
      // A medium that fails may have them all the same: then the note leads the sweeper to them.
      if (!(error instanceof TurnkeeperError && error.code === 'storage_unavailable')) await this.#forget(blob);
      throw error;
    }
    return { blob, ...result() };
  }

  /** What has become of bytes that nobody wants after all: the sweeper would find them, later. */
  async discard({ blob }: Kept): Promise<void> {
    await this.blobs.remove(blob).then(
      () => this.#forget(blob),
      () => {},
    );
  }

  /** Takes a file that nobody refers to out of its session. */
  async drop(file: FileRow): Promise<void> {
    await this.index.drop(file.sessionId, file.id, this.#clock.now());
    await this.discard(file);
  }

  /** Reads bytes to their end without keeping them. Throws `payload_too_large`. */
  async measure(bytes: Bytes): Promise<Omit<Kept, 'blob'>> {
    const { through, result } = measured();
    for await (const _ of through(bytes));
    return result();
  }

  async #forget(blob: string): Promise<void> {
    await this.index.forget([blob]).catch(() => {});
  }
}

/** Bytes that are at hand as a stream of one piece. */
export async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
