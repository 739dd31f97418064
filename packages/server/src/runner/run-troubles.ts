/**
 * What follows when work of a held session did not come off.
 *
 * N7 Work that ends without having moved the session is not begun again at once: nothing here spins.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import { type Clock, sleep } from '../ports/clock.ts';
import type { StepReport } from './model-step.ts';

const longestPauseMs = 30_000;

/** Pauses that grow until something moves. */
export class RunTroubles {
  readonly #clock: Clock;
  /** Nobody waits for a pause when the server stops. */
  readonly #draining: AbortSignal;
  #count = 0;

  constructor(clock: Clock, draining: AbortSignal) {
    this.#clock = clock;
    this.#draining = draining;
  }

  over(): void {
    this.#count = 0;
  }

  async pause(signal: AbortSignal): Promise<void> {
    const wait = Math.min(1_000 * 2 ** this.#count, longestPauseMs);
    this.#count += 1;
    await sleep(this.#clock, wait, AbortSignal.any([signal, this.#draining])).catch(() => {});
  }
}

/** A store that cannot be used is waited for. */
export const isPassing = (error: unknown): boolean => error instanceof TurnkeeperError && error.code === 'storage_unavailable';

/** Ends the turn as failed by our own fault; false when it has no run to end. */
export const failTurn = async (report: StepReport, turnId: TurnId | undefined, partialText: (state: SessionState) => string): Promise<boolean> => {
  let open = false;
  const failed = await report((state) => {
    open = turnId !== undefined && state.live?.id === turnId && state.live.status === 'running';
    const why = { errorCode: 'internal_error', errorMessage: 'Something went wrong on our side.', retryable: true } as const;
    return open ? [{ type: 'fail', ...why, partialText: partialText(state) }] : [];
  });
  return failed && open;
};
