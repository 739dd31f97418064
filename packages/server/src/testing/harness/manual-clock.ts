/**
 * A clock that moves by hand. Timers fire in the order of their times, each after what the one before set going has
 * come to rest.
 */
import type { Clock } from '../../ports/clock.ts';
import { settle } from './settle.ts';

type Timer = { readonly at: number; readonly fire: () => void };

export class ManualClock implements Clock {
  #now: number;
  /** How far the time of day was set aside (ms). */
  #wrong = 0;
  readonly #timers = new Set<Timer>();

  constructor(now = 1_800_000_000_000) {
    this.#now = now;
  }

  /** Timers that wait: none may be left when an engine has stopped. */
  get waiting(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now + this.#wrong;
  }

  elapsed(): number {
    return this.#now;
  }

  /** Sets the time of day by hand: it is wrong by `ms` from now on. No time passes. */
  set wrong(ms: number) {
    this.#wrong = ms;
  }

  /** As after SIGSTOP and SIGCONT: `ms` have passed and no timer has fired yet. */
  sleepThrough(ms: number): void {
    this.#now += ms;
  }

  after(ms: number, fire: () => void): () => void {
    const timer: Timer = { at: this.#now + Math.max(ms, 0), fire };
    this.#timers.add(timer);
    if (ms <= 0) setImmediate(() => this.#fire(timer));
    return () => this.#timers.delete(timer);
  }

  /** Lets `ms` pass. */
  async advance(ms: number): Promise<void> {
    const target = this.#now + ms;
    await settle();
    for (let next = this.#next(); next && next.at <= target; next = this.#next()) {
      this.#now = Math.max(this.#now, next.at);
      this.#fire(next);
      await settle();
    }
    this.#now = target;
  }

  /** Jumps to the next timer, if there is one within `mostMs`; false when there is none. */
  async advanceToNext(mostMs: number): Promise<boolean> {
    const next = this.#next();
    if (!next || next.at - this.#now > mostMs) return false;
    await this.advance(Math.max(next.at - this.#now, 0));
    return true;
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) if (!first || timer.at < first.at) first = timer;
    return first;
  }

  #fire(timer: Timer): void {
    if (this.#timers.delete(timer)) timer.fire();
  }
}
