/**
 * Notices a provider that has gone silent.
 *
 * Counts bytes and not parts, so keep-alive comments and pings show that the other side lives. Time counts only
 * while someone waits for the provider: a reader that is slow itself is no reason to give up.
 */
import type { FetchFunction } from '@ai-sdk/provider-utils';
import type { Clock } from '../ports/clock.ts';
import { boundBody } from './bounded-body.ts';

export type SilenceLimits = {
  /** Until the first byte of the answer; some models think for minutes before it. */
  readonly firstByteMs: number;
  /** Between two pieces of the answer. */
  readonly idleMs: number;
};

export const defaultSilenceLimits: SilenceLimits = { firstByteMs: 300_000, idleMs: 120_000 };

export type SilenceWatch = {
  /** `fetch` whose answer is watched and bounded. It never follows a redirect: the key would go along. */
  readonly fetch: FetchFunction;
  /** True once the provider has answered at all. */
  readonly answered: () => boolean;
  /** Waits for the provider's next step; `onSilent` is called when nothing at all comes for too long. */
  readonly during: <Value>(step: PromiseLike<Value>) => Promise<Value>;
  /** Nothing is waited for any more. */
  readonly end: () => void;
};

export const createSilenceWatch = (clock: Clock, limits: SilenceLimits, onSilent: () => void): SilenceWatch => {
  let phase: 'asked' | 'answering' = 'asked';
  /** Since when somebody waits and nothing came, by a clock that nobody sets; undefined while nobody waits. */
  let since: number | undefined;
  let stopTimer: (() => void) | undefined;

  const limitMs = (): number => (phase === 'asked' ? limits.firstByteMs : limits.idleMs);
  // Set once and looked at when it fires, not set anew with each piece.
  const arm = (ms: number): void => {
    stopTimer = clock.after(ms, () => {
      stopTimer = undefined;
      if (since === undefined) return;
      const leftMs = since + limitMs() - clock.elapsed();
      if (leftMs > 0) arm(leftMs);
      else onSilent();
    });
  };
  const disarm = (): void => {
    stopTimer?.();
    stopTimer = undefined;
  };
  const heard = (): void => {
    if (since !== undefined) since = clock.elapsed();
    if (phase === 'answering') return;
    phase = 'answering';
    disarm();
    if (since !== undefined) arm(limitMs());
  };

  return {
    answered: () => phase === 'answering',
    fetch: async (input, init) => {
      const response = await fetch(input, { ...init, redirect: 'manual' });
      heard();
      if (response.body === null) return response;
      const { status, statusText, headers } = response;
      return new Response(boundBody(response.body, response.ok, heard), { status, statusText, headers });
    },
    during: async (step) => {
      since = clock.elapsed();
      if (!stopTimer) arm(limitMs());
      try {
        return await step;
      } finally {
        since = undefined;
      }
    },
    end: disarm,
  };
};
