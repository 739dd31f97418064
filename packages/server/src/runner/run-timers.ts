/** The waits of a held session, by what they are for: each has one timer, which follows its time when that moves. */
import type { Clock } from '../ports/clock.ts';

export class RunTimers {
  readonly #clock: Clock;
  readonly #timers = new Map<string, { readonly at: number; readonly cancel: () => void }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `fire` at `at` (Unix ms); takes the place of an earlier timer of this name. */
  set(name: string, at: number, fire: () => void): void {
    const known = this.#timers.get(name);
    if (known?.at === at) return;
    known?.cancel();
    const cancel = this.#clock.after(at - this.#clock.now(), () => {
      this.#timers.delete(name);
      fire();
    });
    this.#timers.set(name, { at, cancel });
  }

  stop(name: string): void {
    this.#timers.get(name)?.cancel();
    this.#timers.delete(name);
  }

  stopAll(): void {
    for (const name of [...this.#timers.keys()]) this.stop(name);
  }
}
