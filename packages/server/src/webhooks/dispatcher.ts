/**
 * Looks for what webhooks are owed, and sees that it is delivered.
 *
 * Owns: who is looked at and when. Commits of this node wake their lanes at once; what a node that died had committed, and
 * what was let lie, is found by a walk over all lanes, in pages of bounded cost.
 *
 * WD1 A commit waits for nobody here: it leaves a number behind, and lanes are looked up by one read at a time.
 * WD2 A lane runs once at a time here, and on one node at a time by its lease [WH1]. Woken while it runs it runs again.
 * WD3 What is lost here (a wake-up, a process) only delays: the walk compares every lane with its log.
 * WD4 An owner has so many lanes here and no more: there is room for those of others.
 */
import { isDelta } from '@turnkeeper/core/session/events';
import { sleep } from '../ports/clock.ts';
import type { LaneCall, LaneRef, OwedPlace, WebhookRow } from '../ports/webhooks.ts';
import { type DeliveryServices, deliverLane } from './deliver-lane.ts';
import { DeliverySlots, type SlotLimits } from './delivery-slots.ts';

export type DispatcherOptions = DeliveryServices & {
  /** Other processes deliver too: what they hold is theirs. */
  readonly shared: boolean;
  readonly report: (error: unknown) => void;
  readonly sweepMs?: number;
  readonly limits?: SlotLimits;
  readonly ownerLanes?: number;
};

/** A commit's events, by their types; undefined = not known. */
export type Moved = { readonly sid: number; readonly types?: readonly string[]; readonly gone: boolean };

const defaultLimits: SlotLimits = { all: 256, owner: 16, host: 32 };
const pageLanes = 500;
const sidsAtOnce = 500;
/** Lanes that run or wait for a slot, in all and of one owner: what is more is left to the walk. */
const mostLanes = 10_000;
const ownerLanes = 1_000;
/** Of so many lanes it is known up to where they were seen through. */
const mostSeen = 10_000;
/** Deliveries of a subscription that are kept to be shown, and after how many more the older ones are deleted. */
const keptDeliveries = 1_000;
const trimEvery = 100;

type Running = { again: boolean; readonly abort: AbortController };

export class WebhookDispatcher {
  readonly #options: DispatcherOptions;
  readonly #slots: DeliverySlots;
  readonly #lanes = new Map<string, Running>();
  /** How many of them are whose (WD4). */
  readonly #owners = new Map<string, number>();
  /** By lane, the one that was seen through longest ago first (DL4). */
  readonly #seen = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  readonly #moved = new Set<number>();
  readonly #timers = new Map<string, () => void>();
  readonly #runs = new Map<string, number>();
  readonly #stopping = new AbortController();
  #looking: Promise<void> | undefined;
  #sweeping: Promise<void> | undefined;
  #interest = { any: false, deltas: false };
  #place: OwedPlace | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#slots = new DeliverySlots(options.limits ?? defaultLimits);
  }

  /** Deliveries under way. */
  get used(): number {
    return this.#slots.used;
  }

  start(): void {
    this.#sweeping ??= this.#sweep();
  }

  /** No new attempt begins; those under way get `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    for (const stop of this.#timers.values()) stop();
    this.#timers.clear();
    const { clock } = this.#options;
    const stop = clock.after(graceMs, () => this.#abortAll());
    while (this.#running.size > 0) await Promise.all(this.#running);
    stop();
    await Promise.all([this.#looking, this.#sweeping]);
  }

  /** A session's log has moved, or the session is gone. */
  moved({ sid, types, gone }: Moved): void {
    if (gone) this.#endSession(sid);
    if (gone || !this.#interest.any || this.#stopping.signal.aborted) return;
    if (types && !this.#interest.deltas && types.every(isDelta)) return;
    this.#moved.add(sid);
    this.#looking ??= this.#look();
  }

  /** A subscription was made, or goes on; nobody waits until all it is owed was found, and where that fails the walk finds it. */
  registered(webhook: WebhookRow): void {
    this.#interest = { any: true, deltas: this.#interest.deltas || webhook.eventTypes.length === 0 || webhook.eventTypes.some(isDelta) };
    this.#track(this.#wakeAll(webhook).catch((error: unknown) => this.#options.report(error)));
  }

  /** What somebody waits for (a test) has a slot as any delivery has. */
  async inSlot<Result>({ owner, url }: Pick<WebhookRow, 'owner' | 'url'>, send: () => Promise<Result>): Promise<Result> {
    const giveBack = await this.#slots.acquire(owner, hostOf(url), true);
    try {
      return await send();
    } finally {
      giveBack();
    }
  }

  /** Everything that a subscription is owed. */
  async #wakeAll({ id, subject, owner, url }: WebhookRow): Promise<void> {
    if (subject.kind !== 'application') {
      this.#wake({ webhookId: id, sid: subject.sid, owner, url }, true);
      return;
    }
    for (let place: OwedPlace | undefined = { webhookId: id, sid: 0 }; place?.webhookId === id && place.sid !== null && this.#hasRoom(owner); ) {
      const page = await this.#options.store.owed(place, pageLanes);
      for (const call of page.lanes) this.#wake(call, true);
      place = page.next;
    }
  }

  /** Looks up who wants to hear of what has moved; what moves meanwhile is gathered for the next look. */
  async #look(): Promise<void> {
    try {
      while (this.#moved.size > 0 && !this.#stopping.signal.aborted) {
        const sids = [...this.#moved].slice(0, sidsAtOnce);
        for (const sid of sids) this.#moved.delete(sid);
        for (const call of await this.#options.store.lanesOf(sids)) this.#wake(call, false);
      }
    } catch (error) {
      this.#options.report(error);
    } finally {
      this.#looking = undefined;
    }
  }

  #wake(call: LaneCall, walk: boolean): void {
    if (this.#stopping.signal.aborted) return;
    const key = keyOf(call);
    const running = this.#lanes.get(key);
    if (running) {
      running.again = true;
      return;
    }
    // The walk comes back to it.
    if (!this.#hasRoom(call.owner)) return;
    this.#timers.get(key)?.();
    this.#timers.delete(key);
    this.#track(this.#run(call, key, walk));
  }

  #hasRoom(owner: string): boolean {
    return !this.#stopping.signal.aborted && this.#lanes.size < mostLanes && (this.#owners.get(owner) ?? 0) < (this.#options.ownerLanes ?? ownerLanes);
  }

  /** The stop waits for it. */
  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  #enter(key: string, owner: string, running: Running): void {
    this.#lanes.set(key, running);
    this.#owners.set(owner, (this.#owners.get(owner) ?? 0) + 1);
  }

  #leave(key: string, owner: string): void {
    this.#lanes.delete(key);
    const left = (this.#owners.get(owner) ?? 0) - 1;
    if (left > 0) this.#owners.set(owner, left);
    else this.#owners.delete(owner);
  }

  async #run(call: LaneCall, key: string, walk: boolean): Promise<void> {
    const running: Running = { again: false, abort: new AbortController() };
    this.#enter(key, call.owner, running);
    let again = false;
    try {
      const giveBack = await this.#slots.acquire(call.owner, hostOf(call.url));
      try {
        if (!this.#stopping.signal.aborted) again = await this.#deliver(call, key, walk, running);
      } finally {
        giveBack();
      }
    } catch (error) {
      // Its lease runs out; the walk finds it.
      this.#options.report(error);
    } finally {
      this.#leave(key, call.owner);
    }
    if (again || running.again) this.#wake(call, walk);
  }

  /** True when the lane has more to do at once. */
  async #deliver(call: LaneCall, key: string, walk: boolean, { abort }: Running): Promise<boolean> {
    const seen = this.#seen.get(key) ?? 0;
    const run = await deliverLane(this.#options, call, { abort: abort.signal, stopping: this.#stopping.signal, walk, seen });
    this.#seen.delete(key);
    await this.#trim(call.webhookId);
    switch (run.kind) {
      case 'idle':
        return false;
      case 'seen':
        this.#keepSeen(key, run.upto);
        return false;
      case 'more':
        return true;
      case 'opened': {
        const webhook = await this.#options.store.webhook(call.webhookId);
        if (webhook) await this.#wakeAll(webhook);
        return false;
      }
      case 'wait':
        this.#later(call, key, run.until);
        return false;
    }
  }

  #keepSeen(key: string, upto: number): void {
    this.#seen.set(key, upto);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > mostSeen && oldest !== undefined) this.#seen.delete(oldest);
  }

  #later(call: LaneCall, key: string, until: number): void {
    const { clock } = this.#options;
    this.#timers.get(key)?.();
    const stop = clock.after(until - clock.now(), () => {
      this.#timers.delete(key);
      this.#wake(call, false);
    });
    this.#timers.set(key, stop);
  }

  async #trim(webhookId: string): Promise<void> {
    const runs = (this.#runs.get(webhookId) ?? 0) + 1;
    this.#runs.set(webhookId, runs % trimEvery);
    if (runs >= trimEvery) await this.#options.store.trim(webhookId, keptDeliveries);
  }

  async #sweep(): Promise<void> {
    const { store, clock, shared, report, sweepMs = 2_000 } = this.#options;
    const { signal } = this.#stopping;
    for (let first = true; !signal.aborted; ) {
      try {
        if (first && !shared) await store.releaseAll();
        this.#interest = await store.interest();
        if (this.#interest.any) {
          await this.#wakeDue();
          // What was owed when the last process ended is found before anything else is waited for.
          do await this.#walk();
          while (first && this.#place && !signal.aborted && this.#lanes.size < mostLanes);
        }
        first = false;
      } catch (error) {
        report(error);
      }
      await sleep(clock, sweepMs, signal).catch(() => {});
    }
  }

  async #wakeDue(): Promise<void> {
    const { store, clock } = this.#options;
    for (const webhook of await store.due(clock.now(), pageLanes)) {
      const { id, failingSid, owner, url } = webhook;
      if (failingSid === null) await this.#wakeAll(webhook);
      else if (await store.lane({ webhookId: id, sid: failingSid })) this.#wake({ webhookId: id, sid: failingSid, owner, url }, false);
      else {
        await store.unblock(id, failingSid);
        await this.#wakeAll(webhook);
      }
    }
    for (const call of await store.orphans(clock.now(), pageLanes)) this.#wake(call, true);
  }

  async #walk(): Promise<void> {
    if (this.#lanes.size >= mostLanes) return;
    const { lanes, next } = await this.#options.store.owed(this.#place, pageLanes);
    this.#place = next;
    for (const call of lanes) this.#wake(call, true);
  }

  #endSession(sid: number): void {
    for (const [key, { abort }] of this.#lanes) if (key.endsWith(`/${sid}`)) abort.abort();
  }

  #abortAll(): void {
    for (const { abort } of this.#lanes.values()) abort.abort();
  }
}

const keyOf = ({ webhookId, sid }: LaneRef): string => `${webhookId}/${sid}`;
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');
