/**
 * Port: time. All that waits or dates something does it through this, so that tests move time by hand.
 *
 * T1 `now` is Unix milliseconds of the wall clock. T2 A timer set for the past fires at once, but never inside `after`.
 */
export interface Clock {
  now(): number;
  /** Calls `fire` once after `ms`; the returned function takes it back. The timer does not keep the process alive. */
  after(ms: number, fire: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, fire) => {
    // Node clamps delays over 2^31-1 ms to 1 ms: long waits are looked at again instead.
    const timer = setTimeout(fire, Math.min(Math.max(ms, 0), 2_147_483_647));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Waits `ms`, or rejects with the signal's reason. */
export const sleep = (clock: Clock, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = () => {
      stop();
      reject(signal?.reason);
    };
    const stop = clock.after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
