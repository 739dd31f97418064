/**
 * How many deliveries go on at once.
 *
 * PL1 Who has a place for longer than `slowMs` lends it on: those who hang keep nobody else from being served, as long as there are
 *     no more than `most` in all.
 */
import type { Clock } from '../../ports/clock.ts';

export type PlaceLimits = { readonly atOnce: number; readonly slowMs: number; readonly most: number };

export class Places {
  readonly #clock: Clock;
  readonly #limits: PlaceLimits;
  readonly #freed: () => void;
  #quick = 0;
  #slow = 0;

  /** `freed` is called when somebody may have a place again. */
  constructor(clock: Clock, limits: PlaceLimits, freed: () => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#freed = freed;
  }

  get free(): number {
    return Math.min(this.#limits.atOnce - this.#quick, this.#limits.most - this.#quick - this.#slow);
  }

  /** Only while there is a free one. The function gives it back, once. */
  take(): () => void {
    let held: 'quick' | 'slow' | undefined = 'quick';
    this.#quick += 1;
    const stopTimer = this.#clock.after(this.#limits.slowMs, () => {
      held = 'slow';
      this.#quick -= 1;
      this.#slow += 1;
      this.#freed();
    });
    return () => {
      if (held === 'quick') this.#quick -= 1;
      if (held === 'slow') this.#slow -= 1;
      if (held) stopTimer();
      held = undefined;
      this.#freed();
    };
  }
}
