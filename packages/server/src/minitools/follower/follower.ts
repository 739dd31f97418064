/**
 * Follows the logs of mini-tools' sessions, on the node that hosts mini-tools, and writes what they come to as numbered events.
 *
 * FW1 What was read and its events are one commit [MS3]: after a crash the reading goes on where it stood, and nothing is told twice or
 *     left out; nor is the mark left out that there is something new. A hint only makes it sooner; a sweep finds what nobody hinted at.
 * FW2 One session's log is read by one at a time, in its order, and its events are handed to listeners in that order, each after it is
 *     durable. A listener that throws hurts nobody else.
 * FW3 What streams is told live and not kept, and never behind the event that says it whole.
 * FW4 Sessions that cannot be read, however many, hold up no other: each look goes on where the last one ended, mini-tool by mini-tool,
 *     and begins again when it has come round.
 */

import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { App } from '../../app/app.ts';
import { readLogPage } from '../../app/log-pages.ts';
import { minitoolLimits } from '../../app/minitool-limits.ts';
import type { SessionMoved } from '../../app/sessions.ts';
import { sleep } from '../../ports/clock.ts';
import type { FollowedSession } from '../../ports/minitools.ts';
import { eventOf } from '../sessions/list-events.ts';
import { containerOf } from '../sessions/own-session.ts';
import { isNews, isTold, LogReader } from './events-of-log.ts';
import { LiveText } from './live-text.ts';

export type MinitoolEventListener = (minitoolId: string, event: JsonObject) => void;

export type FollowerOptions = {
  readonly app: App;
  readonly report: (error: unknown, about: { readonly sessionId: string }) => void;
  readonly sweepMs?: number;
  /** Of one mini-tool, in one look. */
  readonly sessionsAtOnce?: number;
  /** Whether a mini-tool hears of what streams: everyone where it is not said. */
  readonly hears?: (minitoolId: string) => boolean;
};

const usualSweepMs = 2_000;
const usualSessionsAtOnce = 500;
/** While as many are being read the rest of the first round waits. */
const mostReading = 100;
/** Between two looks for events that are not to be kept any longer; sooner when many were written. */
const pruneEveryMs = 10 * 60_000;
const pruneAfterEvents = 500;
const ownerPrefix = 'minitool:';

export class Follower {
  readonly #app: App;
  readonly #options: FollowerOptions;
  readonly #listeners = new Set<MinitoolEventListener>();
  /** The reading that is under way, by session, and whether the log went on meanwhile. */
  readonly #reading = new Map<number, { again: boolean; readonly done: Promise<void> }>();
  readonly #live: LiveText;
  #stopping = new AbortController();
  #sweeping: Promise<void> | undefined;
  #unhear: () => void = () => {};
  /** Where the next look begins, by mini-tool; absent where it is the beginning. */
  readonly #places = new Map<string, number>();
  #written = 0;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#app = options.app;
    this.#live = new LiveText({
      app: options.app,
      catchUp: (sid) => this.catchUp(sid),
      hears: (minitoolId) => this.#listeners.size > 0 && options.hears?.(minitoolId) !== false,
      tell: (minitoolId, event) => this.#tell(minitoolId, event),
    });
  }

  /** Hears every event from now on, durable ones with their `sequence`. Must return at once. The function ends that. */
  onEvent(listener: MinitoolEventListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  start(): void {
    if (this.#sweeping) return;
    this.#stopping = new AbortController();
    this.#places.clear();
    this.#unhear = this.#app.sessions.onMoved((moved) => this.#moved(moved));
    this.#sweeping = this.#sweep(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    const sweeping = this.#sweeping;
    // It may be started again before this is done.
    this.#sweeping = undefined;
    this.#stopping.abort();
    this.#unhear();
    this.#live.stop();
    await sweeping;
    await Promise.all([...this.#reading.values()].map(({ done }) => done));
  }

  /** Resolves when what the log had when it was asked is among the events. Rejects where it cannot be read now. */
  async catchUp(sid: number): Promise<void> {
    // Taken once: a log that grows faster than it is read is not run after.
    const upto = (await this.#app.sessions.newest(sid))?.head.seq;
    if (upto === undefined) return;
    for (;;) {
      const followed = await this.#app.minitools.followed(sid);
      if (!followed || followed.after >= upto) return;
      const under = this.#reading.get(sid);
      await (under ? under.done : this.#begin(sid));
      // Its errors were reported; nobody may wait for what cannot be.
      if (!under && (await this.#app.minitools.followed(sid))?.after === followed.after) return;
    }
  }

  #moved({ sid, owner, types, gone }: SessionMoved): void {
    if (!owner.startsWith(ownerPrefix)) return;
    if (gone) this.#live.end(sid);
    // What says nothing to a mini-tool is passed over with the next event, or by the sweep.
    else if (types?.some((type) => isTold(type) || type === 'turn.running') !== false) this.#wake(sid);
  }

  #wake(sid: number): void {
    if (this.#stopping.signal.aborted) return;
    const under = this.#reading.get(sid);
    if (under) under.again = true;
    else void this.#begin(sid);
  }

  /** Never rejects. */
  #begin(sid: number): Promise<void> {
    const done = this.#readOn(sid);
    this.#reading.set(sid, { again: false, done });
    return done;
  }

  async #readOn(sid: number): Promise<void> {
    try {
      // After the entry is there.
      await Promise.resolve();
      for (let more = true; more; more = this.#takeAgain(sid)) {
        const followed = await this.#app.minitools.followed(sid);
        if (followed) await this.#follow(followed);
      }
    } catch (error) {
      // What a newer release wrote is read by that one.
      const expected = error instanceof TurnkeeperError && (error.code === 'newer_release' || error.code === 'storage_unavailable');
      if (!expected && !this.#stopping.signal.aborted) this.#options.report(error, { sessionId: String(sid) });
    } finally {
      this.#reading.delete(sid);
    }
  }

  #takeAgain(sid: number): boolean {
    const under = this.#reading.get(sid);
    const again = under?.again === true && !this.#stopping.signal.aborted;
    if (under) under.again = false;
    return again;
  }

  async #follow(from: FollowedSession): Promise<void> {
    const { sid, sessionId, minitoolId } = from;
    const reader = new LogReader(this.#app, { sid, sessionId });
    const newest = await this.#app.sessions.newest(sid);
    if (!newest || newest.row.deletedAt !== null) return;
    // Taken once, so that whoever waits for this is not kept for ever: of what is told and comes later there is a hint, or the sweep.
    const upto = newest.head.seq;
    let followed: FollowedSession | undefined = from;
    while (followed && followed.after < upto) {
      const { rows, full } = await readLogPage(this.#app.sessions.store, { sid, after: followed.after, upto });
      // What was pruned is passed over.
      const to = full ? (rows.at(-1)?.seq ?? upto) : upto;
      const events = await reader.eventsOf(rows);
      // Before them: nobody comes back to events that are there. Marked twice is marked.
      if (events.some(isNews)) await this.#mark(followed, newest.row.placement);
      const added = await this.#app.minitools.addEvents(followed, to, events);
      if (!added) {
        // Somebody else read it, as while the host moves from one node to another.
        followed = await this.#app.minitools.followed(sid);
        continue;
      }
      for (const row of added) this.#tell(minitoolId, eventOf(row));
      this.#written += added.length;
      this.#live.followed(followed, to, rows);
      followed = { ...followed, after: to };
    }
  }

  async #mark({ sessionId, minitoolId }: FollowedSession, placement: string): Promise<void> {
    const container = containerOf(minitoolId, placement);
    if (container === undefined) return;
    await this.#app.minitools.mark({ sessionId, minitoolId, container, unreadSince: this.#app.clock.now() });
  }

  #tell(minitoolId: string, event: JsonObject): void {
    for (const listener of this.#listeners) {
      try {
        listener(minitoolId, event);
      } catch (error) {
        this.#options.report(error, { sessionId: String(event['sessionId']) });
      }
    }
  }

  /** One step of the round. True when it has come round for every mini-tool. */
  async #look(signal: AbortSignal): Promise<boolean> {
    const most = this.#options.sessionsAtOnce ?? usualSessionsAtOnce;
    for (const { id } of await this.#app.minitools.minitools()) {
      if (signal.aborted) break;
      const { sessions, next } = await this.#app.minitools.behind(id, { after: this.#places.get(id) ?? 0, most });
      for (const { sid } of sessions) this.#wake(sid);
      if (next === undefined) this.#places.delete(id);
      else this.#places.set(id, next);
    }
    return this.#places.size === 0;
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    // What went on while nobody followed is found at once, as far as it can be read at once.
    let isFirst = true;
    while (!signal.aborted) {
      try {
        const isRound = await this.#look(signal);
        if (isFirst && !isRound && !signal.aborted && this.#reading.size < mostReading) continue;
        isFirst = isFirst && !isRound;
        await this.#prune();
      } catch (error) {
        const expected = error instanceof TurnkeeperError && error.code === 'storage_unavailable';
        if (!expected && !signal.aborted) this.#options.report(error, { sessionId: '' });
      }
      await sleep(this.#app.clock, this.#options.sweepMs ?? usualSweepMs, signal).catch(() => {});
    }
  }

  async #prune(): Promise<void> {
    const now = this.#app.clock.now();
    if (this.#written < pruneAfterEvents && now - this.#prunedAt < pruneEveryMs) return;
    await this.#app.minitools.pruneEvents(minitoolLimits.events, now - minitoolLimits.eventsMs);
    this.#written = 0;
    this.#prunedAt = now;
  }
}
