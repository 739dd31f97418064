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

/** Fails, and so closes the connection, when an event (what lies between two empty lines) does not come to an end. */
const boundEvents = (): TransformStream<Uint8Array, Uint8Array> => {
  let event = 0;
  let line = 0;
  return new TransformStream({
    transform: (bytes, controller) => {
      for (const byte of bytes) {
        event += 1;
        if (byte === lineFeed) {
          if (line === 0) event = 0;
          line = 0;
        } else if (byte !== carriageReturn) line += 1;
        if (event > longestEventBytes) throw tooLong();
      }
      controller.enqueue(bytes);
    },
  });
};

/** Ends after the beginning of the body; the rest is not read. */
const keepBeginning = (): TransformStream<Uint8Array, Uint8Array> => {
  let left = errorBodyBytes;
  return new TransformStream({
    transform: (bytes, controller) => {
      controller.enqueue(bytes.subarray(0, left));
      left -= bytes.length;
      if (left <= 0) controller.terminate();
    },
  });
};

export const boundBody = (body: ReadableStream<Uint8Array>, ok: boolean): ReadableStream<Uint8Array> => body.pipeThrough(ok ? boundEvents() : keepBeginning());
