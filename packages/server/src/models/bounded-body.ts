/**
 * Holds a provider's body to what a well-behaved one sends: whatever is on the other side, memory stays bounded.
 */
import { ModelError } from '../ports/model.ts';

/** Of one event that has not ended: a reader keeps it whole until then. */
const longestEventBytes = 4 * 1024 * 1024;
/** Of the body of an error: its message stands at the beginning. */
const errorBodyBytes = 64 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

const tooLong = (): ModelError => new ModelError('The model provider sent one event of more than 4 MB.', { retryable: false });

/** What becomes of each piece: it is passed on as it is returned; `ends` = nothing behind it is read. Throws to close the connection. */
type Bound = (bytes: Uint8Array) => { readonly bytes: Uint8Array; readonly ends: boolean };

/** Fails when an event (what lies between two empty lines) does not come to an end. */
const boundEvents = (): Bound => {
  let event = 0;
  let line = 0;
  return (bytes) => {
    for (const byte of bytes) {
      event += 1;
      if (byte === lineFeed) {
        if (line === 0) event = 0;
        line = 0;
      } else if (byte !== carriageReturn) line += 1;
      if (event > longestEventBytes) throw tooLong();
    }
    return { bytes, ends: false };
  };
};

/** The rest of the body is not read. */
const keepBeginning = (): Bound => {
  let left = errorBodyBytes;
  return (bytes) => {
    const kept = bytes.subarray(0, left);
    left -= kept.length;
    return { bytes: kept, ends: left === 0 };
  };
};

/** The body, piece by piece as it is asked for. `heard` is called with each piece that comes. */
export const boundBody = (body: ReadableStream<Uint8Array>, ok: boolean, heard: () => void): ReadableStream<Uint8Array> => {
  const reader = body.getReader();
  const bound = ok ? boundEvents() : keepBeginning();
  const held: Bound = (bytes) => {
    try {
      return bound(bytes);
    } catch (error) {
      reader.cancel(error).catch(() => {});
      throw error;
    }
  };
  return new ReadableStream(
    {
      // It is asked again only after a piece: an empty one is none.
      pull: async (controller) => {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          heard();
          const { bytes, ends } = held(value);
          if (bytes.length > 0) controller.enqueue(bytes);
          if (ends) {
            controller.close();
            reader.cancel().catch(() => {});
          }
          if (ends || bytes.length > 0) return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
};
