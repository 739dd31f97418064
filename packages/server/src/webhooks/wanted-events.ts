/** The events of one lane that its subscription wants, in order, read in small pages. */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { SessionStore } from '../ports/session-store.ts';
import type { WebhookLane } from '../ports/webhooks.ts';

const pageRows = 100;
/** Many lanes hold a page at once. */
const pageBytes = 64 * 1_024;

export class WantedEvents {
  readonly #store: Pick<SessionStore, 'events'>;
  readonly #lane: WebhookLane;
  readonly #types: ReadonlySet<string>;
  #rows: readonly LogRow[] = [];
  #at = 0;
  #read: number;
  #ended = false;
  /** Everything up to here was given out, or is not wanted. */
  position: number;

  constructor(store: Pick<SessionStore, 'events'>, lane: WebhookLane, after: number) {
    this.#store = store;
    this.#lane = lane;
    this.#types = new Set(lane.webhook.eventTypes);
    this.#read = after;
    this.position = after;
  }

  /** The next one that is wanted; undefined at the end of the log as the lane was read. */
  async next(): Promise<LogRow | undefined> {
    for (;;) {
      for (let row = this.#rows[this.#at]; row; row = this.#rows[this.#at]) {
        this.#at += 1;
        if (this.#types.size === 0 || this.#types.has(row.type)) return row;
        this.position = row.seq;
      }
      if (this.#ended) {
        // The head was read before the log: all up to it was seen.
        this.position = Math.max(this.position, this.#lane.headSeq);
        return undefined;
      }
      await this.#page();
    }
  }

  async #page(): Promise<void> {
    const { subject } = this.#lane.webhook;
    const turn = subject.kind === 'turn' ? { turn: subject.turn } : {};
    this.#rows = await this.#store.events({ sid: this.#lane.sid, after: this.#read, limit: pageRows, maxBytes: pageBytes, ...turn });
    this.#at = 0;
    this.#read = this.#rows.at(-1)?.seq ?? this.#read;
    this.#ended = this.#rows.length === 0;
  }
}
