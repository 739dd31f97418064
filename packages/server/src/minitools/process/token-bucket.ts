/** How many may pass: `perSecond` on the long run, `burst` at once. */
import type { Clock } from '../../ports/clock.ts';

export class TokenBucket {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #perSecond: number;
  readonly #burst: number;
  #left: number;
  #at: number;

  constructor(clock: Pick<Clock, 'elapsed'>, perSecond: number, burst: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#left = burst;
    this.#at = clock.elapsed();
  }

  /** One passes where any is left; what it costs beyond that is owed, and waited for before the next. */
  take(cost = 1): boolean {
    if (this.isEmpty) return false;
    this.#left -= cost;
    return true;
  }

  get isEmpty(): boolean {
    const now = this.#clock.elapsed();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1_000) * this.#perSecond);
    this.#at = now;
    return this.#left < 1;
  }
}
