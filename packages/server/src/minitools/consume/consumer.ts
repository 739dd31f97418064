/**
 * One consumer of a mini-tool's durable events, while the mini-tool's process runs.
 *
 * CU1 An event is delivered until the handler's promise has resolved, and only then the cursor moves: whatever ends in between, it
 *     comes again. Once the cursor has moved it never does.
 * CU2 Of a session one event is with the handler at a time, in their order. Sessions go side by side, so many at once, each event of
 *     one after an event of the others that wait.
 * CU3 A session whose event was not taken waits by itself; the others go on.
 * CU4 Nothing is given up: what is not taken comes until it is, or until the store forgets it, which is said in the log.
 * CU5 A consumer that is new begins with the oldest event that is kept.
 */
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { Clock } from '../../ports/clock.ts';
import type { MinitoolStore } from '../../ports/minitools.ts';
import { retryDelayMs } from '../delivery/back-off.ts';
import { type PlaceLimits, Places } from '../delivery/places.ts';
import type { Work } from '../delivery/while-running.ts';
import type { AskingMinitool, RunningMinitools } from '../host-api.ts';
import { eventOf } from '../sessions/list-events.ts';
import { Cursors } from './cursors.ts';

export type ConsumerStore = Pick<MinitoolStore, 'events' | 'oldestEvent' | 'newestEvent' | 'cursors' | 'moveCursor' | 'dropCursors'>;

export type ConsumerServices = {
  readonly store: ConsumerStore;
  readonly minitools: Pick<RunningMinitools, 'deliver'>;
  readonly clock: Clock;
  /** An error that nobody expected. */
  readonly report: (error: unknown) => void;
  readonly places?: PlaceLimits;
  /** How often is looked for events that nobody has told of. */
  readonly sweepMs?: number;
};

/** A session that is owed something. */
type Lane = {
  readonly sessionId: SessionId;
  /** The oldest event that it may be owed. */
  owed: number;
  /** The event that was tried last. */
  tried: number | undefined;
  failures: number;
  /** What was taken and is not kept as such yet. */
  unsaved: boolean;
  /** More came while it was looked at. */
  more: boolean;
  stopTimer: (() => void) | undefined;
};

const defaultPlaces: PlaceLimits = { atOnce: 32, slowMs: 30_000, most: 1_000 };
const pageEvents = 200;
const markEveryMs = 10_000;

export class Consumer implements Work {
  readonly #services: ConsumerServices;
  readonly #minitool: Pick<AskingMinitool, 'id' | 'log'>;
  readonly #name: string;
  readonly #cursors: Cursors;
  readonly #places: Places;
  readonly #lanes = new Map<SessionId, Lane>();
  readonly #ready = new Set<Lane>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #stopTimers = { sweep: () => {}, mark: undefined as (() => void) | undefined };
  #loaded = false;
  /** All events up to it were looked at. */
  #seen = 0;
  #looking = false;
  #again = false;

  constructor(services: ConsumerServices, minitool: Pick<AskingMinitool, 'id' | 'log'>, name: string) {
    this.#services = services;
    this.#minitool = minitool;
    this.#name = name;
    this.#cursors = new Cursors(services.store, minitool.id, name);
    this.#places = new Places(services.clock, services.places ?? defaultPlaces, () => this.#runReady());
  }

  start(): void {
    this.#sweep();
  }

  /** There may be new events. */
  wake(): void {
    this.#again = true;
    if (this.#looking || this.#stopping.signal.aborted) return;
    this.#looking = true;
    this.#track(this.#look());
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#stopTimers.sweep();
    this.#stopTimers.mark?.();
    for (const { stopTimer } of this.#lanes.values()) stopTimer?.();
    while (this.#running.size > 0) await Promise.all(this.#running);
    if (this.#loaded) await this.#cursors.moveMark(this.#done()).catch(() => {});
  }

  #track(work: Promise<void>): void {
    const tracked = work.catch(this.#services.report).finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  #sweep(): void {
    this.wake();
    this.#stopTimers.sweep = this.#services.clock.after(this.#services.sweepMs ?? 2_000, () => this.#sweep());
  }

  /** One look at a time; asked for meanwhile it looks again. */
  async #look(): Promise<void> {
    try {
      while (this.#again && !this.#stopping.signal.aborted) {
        this.#again = false;
        if (!this.#loaded) await this.#load();
        await this.#readOn();
      }
    } finally {
      // The sweep comes back to it.
      this.#looking = false;
    }
  }

  async #load(): Promise<void> {
    await this.#cursors.load();
    this.#seen = this.#cursors.mark;
    this.#loaded = true;
    const { store } = this.#services;
    const oldest = (await store.oldestEvent(this.#minitool.id)) ?? (await store.newestEvent(this.#minitool.id)) + 1;
    if (this.#cursors.isNew || oldest <= this.#seen + 1) return;
    this.#warn(`events ${this.#seen + 1} to ${oldest - 1} are not kept any more; what was not taken of them is left out, it goes on with the oldest there is`);
  }

  async #readOn(): Promise<void> {
    for (let full = true; full && !this.#stopping.signal.aborted; ) {
      const rows = await this.#services.store.events(this.#minitool.id, { after: this.#seen, limit: pageEvents });
      for (const { sessionId, sequence } of rows) {
        if (sequence > this.#cursors.after(sessionId)) this.#owe(sessionId, sequence);
        this.#seen = sequence;
      }
      full = rows.length === pageEvents;
      if (rows.length > 0) this.#markLater();
      this.#runReady();
    }
  }

  #owe(sessionId: SessionId, sequence: number): void {
    const known = this.#lanes.get(sessionId);
    if (known) {
      known.more = true;
      return;
    }
    const lane: Lane = { sessionId, owed: sequence, tried: undefined, failures: 0, unsaved: false, more: false, stopTimer: undefined };
    this.#lanes.set(sessionId, lane);
    this.#ready.add(lane);
  }

  #runReady(): void {
    for (const lane of this.#ready) {
      if (this.#stopping.signal.aborted || this.#places.free <= 0) return;
      this.#ready.delete(lane);
      this.#track(this.#run(lane));
    }
  }

  async #run(lane: Lane): Promise<void> {
    const giveBack = this.#places.take();
    try {
      const more = await this.#step(lane);
      lane.failures = 0;
      if (more) this.#ready.add(lane);
      else this.#lanes.delete(lane.sessionId);
    } catch (error) {
      this.#failed(lane, error);
    } finally {
      giveBack();
    }
  }

  /** One event of a session; false when there is none. */
  async #step(lane: Lane): Promise<boolean> {
    const { sessionId } = lane;
    const after = this.#cursors.after(sessionId);
    if (lane.unsaved) await this.#cursors.move(sessionId, after);
    lane.unsaved = false;
    lane.more = false;
    const [row] = await this.#services.store.events(this.#minitool.id, { sessionId, after, limit: 1 });
    this.#sayGap(lane, row?.sequence);
    if (!row) return lane.more;
    if (this.#stopping.signal.aborted) return true;
    lane.tried = row.sequence;
    lane.owed = row.sequence;
    await this.#services.minitools.deliver(this.#minitool.id, 'consume.deliver', { name: this.#name, event: eventOf(row) });
    lane.tried = undefined;
    lane.owed = row.sequence + 1;
    // Taken, whatever becomes of the next line: it is not delivered again by this process.
    lane.unsaved = true;
    await this.#cursors.move(sessionId, row.sequence);
    lane.unsaved = false;
    return true;
  }

  #sayGap(lane: Lane, found: number | undefined): void {
    const { sessionId, tried } = lane;
    if (tried === undefined || found === tried) return;
    lane.tried = undefined;
    this.#warn(
      `session ${sessionId}: event ${tried} was not taken as long as it was kept; it goes on with ${found === undefined ? 'the next' : `event ${found}`}`,
    );
  }

  #failed(lane: Lane, error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    lane.failures += 1;
    const wait = retryDelayMs(lane.failures);
    const what = lane.tried === undefined ? 'it cannot be read on' : `event ${lane.tried} was not taken`;
    this.#warn(`session ${lane.sessionId}: ${what}: ${messageOf(error)}; again in ${wait / 1_000} s`);
    lane.stopTimer = this.#services.clock.after(wait, () => {
      lane.stopTimer = undefined;
      this.#ready.add(lane);
      this.#runReady();
    });
  }

  /** All events up to here are acknowledged. */
  #done(): number {
    let done = this.#seen;
    for (const { owed } of this.#lanes.values()) done = Math.min(done, owed - 1);
    return done;
  }

  #markLater(): void {
    this.#stopTimers.mark ??= this.#services.clock.after(markEveryMs, () => {
      this.#stopTimers.mark = undefined;
      const done = this.#done();
      this.#track(this.#cursors.moveMark(done));
      if (done < this.#seen) this.#markLater();
    });
  }

  #warn(message: string): void {
    this.#minitool.log('warn', `consumer "${this.#name}": ${message}`);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
