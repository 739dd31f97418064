/**
 * One connection to a stream of events, from its opening to its end.
 *
 * R1 Whole frames only: a frame that was cut is dropped, and its cursor is not passed on, so that it comes again.
 * R2 Characters cut between two pieces are put together again.
 * R3 A connection on which no byte arrives for `silenceMs` is dead (the server sends heartbeats) and is given up; one that
 *    gets no answer at all is given up sooner (`openMs`): it may have met a server that was just going.
 */
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import { createSseParser, type SseFrame } from '@turnkeeper/core/protocol/sse';
import { UnreachableError } from '../transport/unreachable-error.ts';

/** Three missed heartbeats. */
export const defaultSilenceMs = 45_000;
/** A stream answers at once, before its first event. */
const defaultOpenMs = 10_000;

export type StreamOptions = {
  readonly open: (signal: AbortSignal) => Promise<Response>;
  readonly signal: AbortSignal;
  readonly silenceMs?: number;
  readonly openMs?: number;
  readonly onOpen?: () => void;
  readonly onSilence?: () => void;
  /** Where the stream stands, told without an event. */
  readonly onPlace?: (cursor: string) => void;
};

const parseEnvelope = (data: string): Envelope => {
  const value = JSON.parse(data) as Envelope | null;
  if (typeof value?.cursor !== 'string' || typeof value.type !== 'string') throw new Error('not an event envelope');
  return value;
};

/** The same as `readFrameStream`, of a stream of events. */
export const readEventStream = (options: StreamOptions): AsyncGenerator<readonly Envelope[], void, undefined> =>
  readFrameStream(options, ({ data }) => parseEnvelope(data));

/**
 * Yields what the frames of each piece that arrives say, in order; returns when the server ends the stream. Throws
 * TurnkeeperError when it is refused, UnreachableError when it is cut off or falls silent, and the signal's reason.
 */
export async function* readFrameStream<Said>(options: StreamOptions, parse: (frame: SseFrame) => Said): AsyncGenerator<readonly Said[], void, undefined> {
  const silence = watchSilence(options.silenceMs ?? defaultSilenceMs);
  // Aborted at the end in any case: a consumer that leaves the loop must not leave a connection behind.
  const leave = new AbortController();
  const signal = AbortSignal.any([options.signal, silence.signal, leave.signal]);
  try {
    const response = await answered(options.open, signal, options.openMs ?? defaultOpenMs);
    const reader = response.body?.getReader();
    options.onOpen?.();
    let batch: Said[] = [];
    const feed = createSseParser((frame) => batch.push(parse(frame)), options.onPlace);
    const decoder = new TextDecoder();
    for (;;) {
      const piece = await reader?.read();
      if (!piece || piece.done) return;
      silence.heard();
      feed(decoder.decode(piece.value, { stream: true }));
      if (batch.length === 0) continue;
      const events = batch;
      batch = [];
      yield events;
    }
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason;
    if (silence.signal.aborted) {
      options.onSilence?.();
      throw new UnreachableError('The stream fell silent.');
    }
    if ((error as { readonly name?: string }).name === 'TurnkeeperError') throw error;
    throw new UnreachableError('The stream was cut off.', { cause: error });
  } finally {
    silence.stop();
    leave.abort();
  }
}

/** The answer to opening a stream; rejects when none comes in `openMs`. */
const answered = async (open: StreamOptions['open'], signal: AbortSignal, openMs: number): Promise<Response> => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('no answer')), openMs);
  try {
    return await open(AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
};

/** One timer that looks at the time of the last byte, instead of a new timer with every byte. */
const watchSilence = (silenceMs: number) => {
  const controller = new AbortController();
  let last = performance.now();
  let timer: ReturnType<typeof setTimeout>;
  const look = (): void => {
    const left = last + silenceMs - performance.now();
    if (left <= 0) controller.abort();
    else timer = setTimeout(look, left);
  };
  timer = setTimeout(look, silenceMs);
  return {
    signal: controller.signal,
    heard: () => {
      last = performance.now();
    },
    stop: () => clearTimeout(timer),
  };
};
