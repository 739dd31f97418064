/**
 * Port: bytes by name. The data folder and S3-compatible storage pass one contract suite (testing/blobs-contract.ts).
 *
 * Contract
 * FB1 Bytes are there whole and durable when `put` resolves, or not at all: nobody ever reads a part of them, and a `put`
 *     that fails leaves nothing under its name.
 * FB2 A name is given to bytes once: what was put under it does not change until it is removed.
 * FB3 Removing what is not there is no fault. Reading it gives undefined.
 * FB4 When the medium fails, TurnkeeperError `storage_unavailable` is thrown, without credentials in its words. What the
 *     source of the bytes throws passes through as it is.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';

/** Both ends are included, as in HTTP. */
export type ByteRange = { readonly start: number; readonly end: number };

export type Bytes = AsyncIterable<Uint8Array>;

export interface Blobs {
  /** Every node sees what any of them put. */
  readonly shared: boolean;
  put(name: string, bytes: Bytes): Promise<void>;
  /** Whoever begins to read goes on to the end, or calls the iterator's `return`. */
  get(name: string, range?: ByteRange): Promise<Bytes | undefined>;
  remove(name: string): Promise<void>;
}

/** Two parts of letters, digits, `_` and `-`: `<session>/<blob>`. Nothing in it means anything to a file system or a URL. */
const blobName = /^[A-Za-z0-9_-]{1,128}\/[A-Za-z0-9_-]{1,128}$/;

/** Throws for what is no name: a name never comes from outside, so that would be a fault of ours. */
export const checkedName = (name: string): string => {
  if (!blobName.test(name)) throw new TurnkeeperError('internal_error', 'That is no name of a blob.');
  return name;
};

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}

/** For engines that were given none: bytes live as long as the process. */
export const createBlobsInMemory = (): Blobs => {
  const held = new Map<string, Uint8Array>();
  return {
    shared: false,
    put: async (name, bytes) => {
      const parts: Uint8Array[] = [];
      for await (const part of bytes) parts.push(part);
      const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
      let at = 0;
      for (const part of parts) {
        whole.set(part, at);
        at += part.length;
      }
      held.set(checkedName(name), whole);
    },
    get: async (name, range) => {
      const bytes = held.get(checkedName(name));
      return bytes && once(range ? bytes.subarray(range.start, range.end + 1) : bytes);
    },
    remove: async (name) => {
      held.delete(checkedName(name));
    },
  };
};
