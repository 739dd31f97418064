/** What mini-tools show somebody, over as many connections as it takes. There is no cursor: each begins with all that is shown then. */
import type { ShowNews } from '@turnkeeper/core/protocol/wire/minitool-shows';
import { sleep } from '../transport/sleep.ts';
import { type Transport, waitBefore } from '../transport/transport.ts';
import { afterFailure } from './connection-state.ts';
import { readFrameStream } from './read-event-stream.ts';

/** Until it is aborted, which throws the signal's reason. Throws TurnkeeperError when the server refuses. */
export async function* streamShows(
  transport: Transport,
  path: string,
  { signal, silenceMs }: { readonly signal: AbortSignal; readonly silenceMs?: number },
): AsyncGenerator<ShowNews, void, undefined> {
  for (let failures = 0; ; failures += 1) {
    let fault: unknown;
    try {
      const batches = readFrameStream(
        { open: (inner) => transport.open(path, { signal: inner }), signal, ...(silenceMs === undefined ? {} : { silenceMs }) },
        ({ data }) => JSON.parse(data) as ShowNews,
      );
      for await (const news of batches) {
        failures = 0;
        yield* news;
      }
    } catch (error) {
      fault = error;
    }
    if (signal.aborted) throw signal.reason;
    if (fault !== undefined && afterFailure(fault) === 'stop') throw fault;
    await sleep(waitBefore(fault, failures), signal);
  }
}
