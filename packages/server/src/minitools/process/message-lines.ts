/**
 * Messages of a process as lines of its IPC channel, read by hand.
 *
 * ML1 A message is never longer than `maxMessageBytes`: the rest of a longer one is not even read. (Node's own reader takes in whatever
 *     comes before anybody can look at it.)
 * ML2 Who sends too fast, by messages or by bytes, is read more slowly: its messages wait in its own memory, and the server's time goes
 *     to others.
 * ML3 What is no message of JSON-RPC 2.0 in our sense, or is nested deeper than `maxDepth`, ends the reading.
 */
import type { Readable } from 'node:stream';
import type { Clock } from '../../ports/clock.ts';
import { faultOfMessage, type IncomingMessage, isTooDeep } from './incoming-message.ts';
import { TokenBucket } from './token-bucket.ts';

/** `bytes` is of everything that the process sends. */
export type LineLimits = { readonly maxBytes: number; readonly perSecond: number; readonly burst: number; readonly bytes: TokenBucket };

export const pauseMs = 50;
const newline = 0x0a;

export type LineReader = { readonly stop: () => void };

/** `broken` is called once, with the reason in words; nothing is read after it. */
export const readLines = (
  stream: Readable,
  clock: Clock,
  limits: LineLimits,
  on: { readonly message: (message: IncomingMessage) => void; readonly broken: (why: string) => void },
): LineReader => {
  const bucket = new TokenBucket(clock, limits.perSecond, limits.burst);
  let parts: Buffer[] = [];
  let length = 0;
  let over = false;
  let stopTimer = (): void => {};
  const stop = (): void => {
    over = true;
    parts = [];
    stopTimer();
    stream.off('data', take);
  };
  const broken = (why: string): void => {
    stop();
    stream.destroy();
    on.broken(why);
  };
  const line = (bytes: Buffer): void => {
    const message = parse(bytes);
    if (typeof message === 'string') broken(message);
    else on.message(message);
  };
  /** Reads on from `bytes` until there is no whole line; false where too many came. */
  const read = (bytes: Buffer): boolean => {
    let rest = bytes;
    for (let at = rest.indexOf(newline); at !== -1 && !over; at = rest.indexOf(newline)) {
      if (limits.bytes.isEmpty || !bucket.take()) {
        wait(rest);
        return false;
      }
      const whole = Buffer.concat([...parts, rest.subarray(0, at)]);
      rest = rest.subarray(at + 1);
      limits.bytes.take(whole.length);
      parts = [];
      length = 0;
      if (whole.length > limits.maxBytes) broken(`a message of ${whole.length} bytes`);
      else line(whole);
    }
    if (over || rest.length === 0) return true;
    parts.push(rest);
    length += rest.length;
    if (length > limits.maxBytes) broken(`a message of more than ${limits.maxBytes} bytes`);
    return true;
  };
  const wait = (rest: Buffer): void => {
    stream.pause();
    stopTimer = clock.after(pauseMs, () => {
      if (read(rest) && !over) stream.resume();
    });
  };
  const take = (bytes: Buffer): void => {
    read(bytes);
  };
  stream.on('data', take);
  return { stop };
};

const parse = (bytes: Buffer): IncomingMessage | string => {
  const text = bytes.toString('utf8');
  if (isTooDeep(text)) return 'a message that is nested too deeply';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'a line that is no JSON';
  }
  return faultOfMessage(value) ?? (value as IncomingMessage);
};
