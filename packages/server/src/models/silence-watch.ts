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
};

export const createSilenceWatch = (clock: Clock, limits: SilenceLimits, onSilent: () => void): SilenceWatch => {
  let phase: 'asked' | 'answering' = 'asked';
  let stopTimer: (() => void) | undefined;

  const arm = (): void => {
    stopTimer?.();
    stopTimer = clock.after(phase === 'asked' ? limits.firstByteMs : limits.idleMs, onSilent);
  };
  const disarm = (): void => {
    stopTimer?.();
    stopTimer = undefined;
  };
  const heard = (): void => {
    phase = 'answering';
    if (stopTimer !== undefined) arm();
  };

  const watchBody = (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
    body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (bytes, controller) => {
          heard();
          controller.enqueue(bytes);
        },
      }),
    );

  return {
    answered: () => phase === 'answering',
    fetch: async (input, init) => {
      const response = await fetch(input, { ...init, redirect: 'manual' });
      heard();
      if (response.body === null) return response;
      return new Response(boundBody(watchBody(response.body), response.ok), {
        status: response.status,
        statusText: response.statusText,
        headers: response.headers,
      });
    },
    during: async (step) => {
      arm();
      try {
        return await step;
      } finally {
        disarm();
      }
    },
  };
};
