/** The time limit of a call, which stands still while the call waits for people. */
import type { Clock } from '../ports/clock.ts';

export class CallTimer {
  readonly #clock: Clock;
  readonly #fire: () => void;
  #left: number;
  #since = 0;
  #pauses = 0;
  #stop: (() => void) | undefined;

  constructor(clock: Clock, ms: number, fire: () => void) {
    this.#clock = clock;
    this.#left = ms;
    this.#fire = fire;
    this.#start();
  }

  #start(): void {
    this.#since = this.#clock.elapsed();
    this.#stop = this.#clock.after(this.#left, this.#fire);
  }

  /** Until `resume` was called as often. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1) return;
    this.#stop?.();
    this.#left = Math.max(0, this.#left - (this.#clock.elapsed() - this.#since));
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0 && this.#stop) this.#start();
  }

  end(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}
