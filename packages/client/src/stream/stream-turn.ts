/** The events of one turn, from its beginning (or a cursor) to its outcome, over as many connections as it takes. */
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import type { TurnView } from '@turnkeeper/core/view/turn-view';
import { turnPath } from '../calls/paths.ts';
import { sleep } from '../transport/sleep.ts';
import { type Transport, waitBefore } from '../transport/transport.ts';
import { afterFailure } from './connection-state.ts';
import { readEventStream } from './read-event-stream.ts';
import { isSettled, statusAfter } from './turn-outcome.ts';

export type StreamTurnOptions = { readonly after?: string; readonly signal?: AbortSignal; readonly silenceMs?: number };

/** How long the server may take to end the stream after an outcome: a failed turn that was resumed has more to tell. */
const lastWordsMs = 1_000;

/**
 * Yields every event once, in order, and returns after the turn's outcome. Cuts are mended by cursor. Throws
 * TurnkeeperError when the server refuses (401, 403, 404) and the signal's reason when aborted.
 */
export async function* streamTurn(
  transport: Transport,
  sessionId: string,
  turnId: string,
  options: StreamTurnOptions = {},
): AsyncGenerator<Envelope, void, undefined> {
  const path = turnPath(sessionId, turnId);
  const signal = options.signal ?? new AbortController().signal;
  let after = options.after;
  let settled = false;
  let failures = 0;
  for (;;) {
    const enough = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let fault: unknown;
    try {
      const batches = readEventStream({
        open: (inner) => transport.open(`${path}/events/stream`, { query: { after, ...transport.streamQuery() }, signal: inner }),
        onSilence: transport.fellSilent,
        signal: AbortSignal.any([signal, enough.signal]),
        ...(options.silenceMs === undefined ? {} : { silenceMs: options.silenceMs }),
      });
      for await (const events of batches) {
        failures = 0;
        for (const event of events) {
          after = event.cursor;
          const status = statusAfter(event.type);
          if (status !== undefined) settled = isSettled(status);
          yield event;
        }
        clearTimeout(timer);
        if (settled) timer = setTimeout(() => enough.abort(), lastWordsMs);
      }
    } catch (error) {
      fault = error;
    } finally {
      clearTimeout(timer);
    }
    if (signal.aborted) throw signal.reason;
    if (settled) return;
    const next = fault === undefined ? 'retry' : afterFailure(fault);
    if (next === 'stop') throw fault;
    if (next === 'reload') {
      const view = await transport.request<TurnView>('GET', `${path}/snapshot`, { signal });
      if (view.turn && isSettled(view.turn.status)) return;
      after = view.as_of;
      if (failures === 0) {
        failures += 1;
        continue;
      }
    }
    await sleep(waitBefore(fault, failures), signal);
    failures += 1;
  }
}
