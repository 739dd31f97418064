/**
 * Delivers what came in over one hook, while its mini-tool's process runs.
 *
 * ID1 A message is delivered until the handler's promise has resolved, and only then it is noted as delivered: whatever ends in between,
 *     it comes again, under the same idempotency key. What is noted never does.
 * ID2 Of an order key one message is with the handler at a time, the oldest first; one that was not taken is tried again before any
 *     after it. Order keys go side by side, so many at once.
 * ID3 Nothing is given up: a message that is not taken waits longer each time, and waits while the mini-tool is down.
 * ID4 What a message brought is read when its delivery begins: what only waits is never in memory.
 */
import { type Clock, sleep } from '../../ports/clock.ts';
import type { MinitoolStore, WaitingIngress } from '../../ports/minitools.ts';
import { retryDelayMs } from '../delivery/back-off.ts';
import { type PlaceLimits, Places } from '../delivery/places.ts';
import type { Work } from '../delivery/while-running.ts';
import type { AskingMinitool, RunningMinitools } from '../host-api.ts';
import type { LargeBodies } from './large-bodies.ts';

export type HookDeliveriesServices = {
  readonly store: Pick<MinitoolStore, 'waiting' | 'ingressContent' | 'delivered' | 'postpone'>;
  readonly minitools: Pick<RunningMinitools, 'deliver'>;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
  readonly places?: PlaceLimits;
  /** How often is looked for what other nodes have received, or what has become due. */
  readonly sweepMs?: number;
};

const defaultPlaces: PlaceLimits = { atOnce: 8, slowMs: 30_000, most: 200 };

export class HookDeliveries implements Work {
  readonly #services: HookDeliveriesServices;
  readonly #minitool: Pick<AskingMinitool, 'id' | 'log'>;
  readonly #hook: string;
  readonly #bodies: LargeBodies;
  readonly #places: Places;
  /** Order keys whose oldest is on its way. */
  readonly #lanes = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #stopTimer = (): void => {};
  #nextLook = Number.POSITIVE_INFINITY;
  #looking = false;
  #again = false;

  constructor(services: HookDeliveriesServices, minitool: Pick<AskingMinitool, 'id' | 'log'>, hook: string, bodies: LargeBodies) {
    this.#services = services;
    this.#minitool = minitool;
    this.#hook = hook;
    this.#bodies = bodies;
    this.#places = new Places(services.clock, services.places ?? defaultPlaces, () => this.wake());
  }

  start(): void {
    this.wake();
  }

  /** There may be something to deliver. */
  wake(): void {
    this.#again = true;
    if (this.#looking || this.#stopping.signal.aborted) return;
    this.#looking = true;
    this.#track(this.#look());
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#stopTimer();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #track(work: Promise<void>): void {
    const tracked = work.catch(this.#services.report).finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  async #look(): Promise<void> {
    try {
      while (this.#again && !this.#stopping.signal.aborted) {
        this.#again = false;
        await this.#takeUp();
      }
    } finally {
      this.#looking = false;
      if (!this.#stopping.signal.aborted) this.#lookAt(this.#services.clock.elapsed() + (this.#services.sweepMs ?? 2_000));
    }
  }

  /** Looks again then, or before. */
  #lookAt(at: number): void {
    const { clock } = this.#services;
    const now = clock.elapsed();
    if (this.#nextLook > now && this.#nextLook <= at) return;
    this.#stopTimer();
    this.#nextLook = at;
    this.#stopTimer = clock.after(at - now, () => {
      this.#nextLook = Number.POSITIVE_INFINITY;
      this.wake();
    });
  }

  async #takeUp(): Promise<void> {
    const { store, clock } = this.#services;
    const { free } = this.#places;
    if (free <= 0) return;
    // The lanes that are under way are still in the store as they were.
    const rows = await store.waiting(this.#minitool.id, this.#hook, clock.now(), this.#lanes.size + free);
    for (const row of rows) {
      if (this.#stopping.signal.aborted || this.#places.free <= 0) return;
      if (this.#lanes.has(row.orderKey)) continue;
      this.#lanes.add(row.orderKey);
      this.#track(this.#deliver(row, this.#places.take()));
    }
  }

  async #deliver(row: WaitingIngress, giveBack: () => void): Promise<void> {
    try {
      await this.#hand(row);
      // Taken: it is not delivered again by this process, as long as this is repeated and not the delivery.
      await this.#noteDelivered(row);
    } catch (error) {
      await this.#postpone(row, error);
    } finally {
      this.#lanes.delete(row.orderKey);
      giveBack();
    }
  }

  async #hand(row: WaitingIngress): Promise<void> {
    const { id: minitoolId } = this.#minitool;
    const { id, key, orderKey, receivedAt, attempts } = row;
    const content = await this.#services.store.ingressContent(id);
    // Taken meanwhile, or its mini-tool was removed.
    if (!content) return;
    const { headers, body } = content;
    const { said, release } = await this.#bodies.lend(id, body);
    try {
      const delivery = {
        id,
        idempotencyKey: `${this.#hook}:${key}`,
        orderKey,
        headers,
        receivedAt: new Date(receivedAt).toISOString(),
        attempt: attempts + 1,
        ...said,
      };
      await this.#services.minitools.deliver(minitoolId, 'webhooks.deliver', { id: this.#hook, delivery });
    } finally {
      await release();
    }
  }

  async #noteDelivered({ id }: WaitingIngress): Promise<void> {
    const { store, report } = this.#services;
    for (let failures = 1; !this.#stopping.signal.aborted; failures += 1) {
      try {
        return await store.delivered(id);
      } catch (error) {
        report(error);
        await this.#pause(retryDelayMs(failures));
      }
    }
  }

  async #postpone({ id, attempts }: WaitingIngress, error: unknown): Promise<void> {
    const { store, clock, report } = this.#services;
    const wait = retryDelayMs(attempts + 1);
    this.#minitool.log('warn', `webhook "${this.#hook}": ${id} was not taken (attempt ${attempts + 1}): ${messageOf(error)}; again in ${wait / 1_000} s`);
    try {
      await store.postpone(id, attempts + 1, clock.now() + wait);
      if (!this.#stopping.signal.aborted) this.#lookAt(clock.elapsed() + wait);
    } catch (failure) {
      report(failure);
      await this.#pause(wait);
    }
  }

  #pause(ms: number): Promise<void> {
    return sleep(this.#services.clock, ms, this.#stopping.signal).catch(() => {});
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
