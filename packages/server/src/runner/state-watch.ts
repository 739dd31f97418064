/** Wakes the activities of a held session that wait for its state to move. */
import { type Clock, sleep } from '../ports/clock.ts';

/** A lost wake-up only delays. */
const lookMs = 5_000;

export class StateWatch {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  moved(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /** Resolves when the state may have moved, or `signal` aborts. */
  async next(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    let wake = (): void => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#waiting.add(wake);
    await Promise.race([woken, sleep(this.#clock, lookMs, AbortSignal.any([signal, over.signal])).catch(() => {})]);
    this.#waiting.delete(wake);
    over.abort();
  }
}
