/** Waiting for a turn's outcome by long polls, over restarts of the server and cuts of the network. */
import type { TurnResource } from '@turnkeeper/core/protocol/wire/sessions';
import { turnPath } from '../calls/paths.ts';
import { sleep } from '../transport/sleep.ts';
import { type Transport, waitBefore } from '../transport/transport.ts';
import { afterFailure } from './connection-state.ts';
import { isSettled } from './turn-outcome.ts';

export type WaitOptions = {
  /** How long to wait at most; without it, until the outcome. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

/** `done: false`: time is up and the turn goes on; `turn` is as it was read last, undefined when no answer ever came. */
export type WaitResult = { readonly done: true; readonly turn: TurnResource } | { readonly done: false; readonly turn: TurnResource | undefined };

/** Proxies cut idle requests, often after 60 s: the poll is shorter. */
const pollSeconds = 25;
/** An answer that is this much later than asked for will not come. */
const graceMs = 5_000;

/** Throws TurnkeeperError when the server refuses for good (401, 403, 404, a malformed request), and the signal's reason. */
export const waitForTurn = async (transport: Transport, sessionId: string, turnId: string, options: WaitOptions = {}): Promise<WaitResult> => {
  const until = performance.now() + (options.timeoutMs ?? Number.POSITIVE_INFINITY);
  let turn: TurnResource | undefined;
  let failures = 0;
  for (;;) {
    const left = until - performance.now();
    if (left <= 0) return { done: false, turn };
    const wait = Math.min(pollSeconds, Math.round(left) / 1000);
    const asked = performance.now();
    let fault: unknown;
    try {
      turn = await transport.request<TurnResource>('GET', turnPath(sessionId, turnId), {
        query: { wait },
        attempts: 1,
        timeoutMs: wait * 1000 + graceMs,
        ...(options.signal ? { signal: options.signal } : {}),
      });
      if (isSettled(turn.status)) return { done: true, turn };
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      const status = (error as { readonly details?: { readonly status?: number } }).details?.status;
      if (afterFailure(error) === 'stop' || status === 400 || status === 422) throw error;
      fault = error;
    }
    // A server that is stopping answers a held request early: not asked again in a tight loop.
    const early = fault === undefined && performance.now() - asked < 1_000;
    if (fault === undefined && !early) failures = 0;
    else {
      await sleep(Math.min(waitBefore(fault, failures), Math.max(until - performance.now(), 0)), options.signal);
      failures = Math.min(failures + 1, 4);
    }
  }
};
