/**
 * Bounds of what comes from a remote MCP server, as it is after decoding: a short answer may unfold to a long one.
 *
 * R10 No answer is larger than `answerBytes`, and no event of a stream larger than `eventBytes`, whoever opened the stream: a
 *     reader of lines or events keeps what has no end yet.
 */

const megabyte = 1024 * 1024;
/** Of an answer to one message. */
const answerBytes = 10 * megabyte;
/** Of one event; streams of notifications have no end, and no bound. */
const eventBytes = 4 * megabyte;

const lineFeed = 10;
const carriageReturn = 13;

/** Counts the bytes since the last event ended: with an empty line, however lines end. */
const createEventMeter = (): ((bytes: Uint8Array) => number) => {
  let event = 0;
  let line = 0;
  let last = 0;
  return (bytes) => {
    let most = 0;
    for (const byte of bytes) {
      event += 1;
      if (byte === lineFeed || byte === carriageReturn) {
        // The second half of one line's end.
        const isSame = byte === lineFeed && last === carriageReturn;
        if (!isSame && line === 0) event = 0;
        line = 0;
      } else line += 1;
      last = byte;
      if (event > most) most = event;
    }
    return most;
  };
};

export type Bounds = {
  /** A stream of events that goes on for as long as the connection. */
  readonly isEndless: boolean;
  readonly isEvents: boolean;
  /** Told once when a bound is passed, with why. The stream then fails. */
  readonly passed: (fault: string) => void;
};

export const bounded = (body: ReadableStream<Uint8Array>, { isEndless, isEvents, passed }: Bounds): ReadableStream<Uint8Array> => {
  let size = 0;
  const eventSize = isEvents ? createEventMeter() : () => 0;
  const fail = (fault: string): never => {
    passed(fault);
    throw new Error(fault);
  };
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        size += bytes.length;
        if (!isEndless && size > answerBytes) fail('It answered with more than 10 MB.');
        if (eventSize(bytes) > eventBytes) fail('It sent an event of more than 4 MB.');
        controller.enqueue(bytes);
      },
    }),
  );
};
