/**
 * Port: time. All that waits or dates something does it through this, so that tests move time by hand.
 *
 * T1 `now` is Unix milliseconds (whole ones) by whoever decides about time: this machine, or the database that nodes share.
 * T2 A timer set for the past fires at once, but never inside `after`. T3 `elapsed` and timers go by a clock that nobody
 * sets: how old something is that this process knows is told by them, whatever happens to the time of day.
 */
export interface Clock {
  now(): number;
  /** Milliseconds since some moment before. */
  elapsed(): number;
  /** Calls `fire` once after `ms`; the returned function takes it back. The timer does not keep the process alive. */
  after(ms: number, fire: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
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
