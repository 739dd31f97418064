/** The JSON of each frame of an event stream that has no cursors: what is missed is not made up for. */
import { createSseParser } from '@turnkeeper/core/protocol/sse';
import { UnreachableError } from '../transport/unreachable-error.ts';

/** Ends when the server ends the stream, or with the signal. Throws TurnkeeperError where it is refused, UnreachableError where it is cut off. */
export async function* readFrames<Frame>(open: (signal: AbortSignal) => Promise<Response>, signal: AbortSignal): AsyncGenerator<Frame, void, undefined> {
  // Aborted at the end in any case: a consumer that leaves the loop must not leave a connection behind.
  const leave = new AbortController();
  try {
    const response = await open(AbortSignal.any([signal, leave.signal]));
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    let frames: Frame[] = [];
    const feed = createSseParser((frame) => frames.push(JSON.parse(frame.data) as Frame));
    for (;;) {
      const piece = await reader?.read();
      if (!piece || piece.done) return;
      feed(decoder.decode(piece.value, { stream: true }));
      const heard = frames;
      frames = [];
      yield* heard;
    }
  } catch (error) {
    if (signal.aborted) return;
    if ((error as { readonly name?: string }).name === 'TurnkeeperError') throw error;
    throw new UnreachableError('The stream was cut off.', { cause: error });
  } finally {
    leave.abort();
  }
}
