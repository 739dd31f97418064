/** The events of a session and of its open children as one run, over as many connections as it takes. */
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import { sessionPath } from '../calls/paths.ts';
import { sleep } from '../transport/sleep.ts';
import { type Transport, waitBefore } from '../transport/transport.ts';
import { afterFailure } from './connection-state.ts';
import { readEventStream } from './read-event-stream.ts';

/** `after`: a cursor of this stream, or `latest`. */
export type StreamTreeOptions = { readonly after?: string; readonly signal?: AbortSignal; readonly silenceMs?: number };
/** `path`: the names on the way down to the event's session; absent for the session itself. */
export type TreeEnvelope = Envelope & { readonly path?: string };

/**
 * Yields every event once, each session's in order, until it is aborted or the session is deleted. Cuts are mended by
 * cursor. Throws TurnkeeperError when the server refuses, a cursor that has expired included, and the signal's reason.
 */
export async function* streamTree(transport: Transport, sessionId: string, options: StreamTreeOptions = {}): AsyncGenerator<TreeEnvelope, void, undefined> {
  const signal = options.signal ?? new AbortController().signal;
  let after = options.after;
  for (let failures = 0; ; failures += 1) {
    let fault: unknown;
    try {
      const batches = readEventStream({
        open: (inner) =>
          transport.open(`${sessionPath(sessionId)}/events/stream`, { query: { after, include_children: true, ...transport.streamQuery() }, signal: inner }),
        onSilence: transport.fellSilent,
        signal,
        onPlace: (cursor) => {
          after = cursor;
        },
        ...(options.silenceMs === undefined ? {} : { silenceMs: options.silenceMs }),
      });
      for await (const events of batches) {
        failures = 0;
        for (const event of events) {
          after = event.cursor;
          yield event;
        }
      }
    } catch (error) {
      fault = error;
    }
    if (signal.aborted) throw signal.reason;
    // A place in many logs has no snapshot to go on from: who reads decides.
    if (fault !== undefined && afterFailure(fault) !== 'retry') throw fault;
    await sleep(waitBefore(fault, failures), signal);
  }
}
