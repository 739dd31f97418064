/** What has happened in the sessions: numbered, told live, kept for a time. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { SessionDurableEvent } from '../context/session-events.ts';
import { MinitoolError } from '../failure.ts';
import type { KitClock } from './clock.ts';

/** As the service keeps them. */
const mostKept = 10_000;
const keptMs = 7 * 24 * 3_600_000;

export type NewEvent = { readonly type: string; readonly sessionId: string; readonly turnId: string } & JsonObject;

export class EventLog {
  readonly #clock: KitClock;
  readonly #told: (event: JsonObject, isDurable: boolean) => void;
  #kept: (SessionDurableEvent & JsonObject)[] = [];
  #newest = 0;

  constructor(clock: KitClock, told: (event: JsonObject, isDurable: boolean) => void) {
    this.#clock = clock;
    this.#told = told;
  }

  add(event: NewEvent): void {
    this.#newest += 1;
    const whole = { sequence: this.#newest, ...event, createdAt: this.#clock.iso() } as unknown as SessionDurableEvent & JsonObject;
    this.#kept.push(whole);
    this.#told(whole, true);
  }

  /** Told and not kept. */
  live(event: NewEvent): void {
    this.#told({ ...event, createdAt: this.#clock.iso() }, false);
  }

  /** As if their time had passed. */
  forget(upTo: number): void {
    this.#kept = this.#kept.filter(({ sequence }) => sequence > upTo);
  }

  all(): readonly SessionDurableEvent[] {
    const oldest = this.#clock.now() - keptMs;
    this.#kept = this.#kept.slice(-mostKept).filter(({ createdAt }) => Date.parse(String(createdAt)) >= oldest);
    return this.#kept;
  }

  after(sessionId: string, after: number): readonly SessionDurableEvent[] {
    return this.all().filter((event) => event.sessionId === sessionId && event.sequence > after);
  }

  /** Throws `cursor_expired` where something behind the cursor is not kept any more. */
  checkCursor(after: number): void {
    const oldestCursor = (this.all()[0]?.sequence ?? this.#newest + 1) - 1;
    if (after > 0 && after < oldestCursor)
      throw new MinitoolError('cursor_expired', `Events behind ${after} are not kept any more. The oldest cursor is ${oldestCursor}.`, { oldestCursor });
  }
}
