/**
 * Fires the slots of one schedule, while its mini-tool's process runs.
 *
 * SF1 A slot is told under one fireId, `<mini-tool>:<schedule>:<slot>`, however often it is told.
 * SF2 One node begins a slot: it claims it first. Done it is when the handler has taken it, which is noted beside the claim: what was
 *     begun and is not done is told again by the process that comes next, and by another node after a while. So nothing is lost between
 *     the claim and the handler.
 * SF3 One slot is with the handler at a time. What the handler rejects comes again, later each time, until it is taken or the next
 *     slot is there, which takes its place; that is said in the log.
 * SF4 A schedule that is new owes nothing from before it was first seen.
 */
import { type Clock, sleep } from '../../ports/clock.ts';
import type { MinitoolStore } from '../../ports/minitools.ts';
import { retryDelayMs } from '../delivery/back-off.ts';
import type { Work } from '../delivery/while-running.ts';
import type { AskingMinitool, RunningMinitools } from '../host-api.ts';
import { nextSlot, owedAt, type Schedule, scheduleFault } from './slots.ts';

export type FiringServices = {
  readonly store: Pick<MinitoolStore, 'claimSlot' | 'lastSlot'>;
  readonly minitools: Pick<RunningMinitools, 'deliver'>;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
};

/** The time of day may be set meanwhile. */
const longestSleepMs = 60_000;
/** Another node has begun a slot: so long it is left to that one. */
const othersMs = 30_000;

export class Firing implements Work {
  readonly #services: FiringServices;
  readonly #minitool: Pick<AskingMinitool, 'id' | 'log'>;
  readonly #schedule: Schedule;
  readonly #stopping = new AbortController();
  #loop: Promise<void> | undefined;
  #looked = false;
  /** The slot that this node has begun, or taken over. */
  #own: number | undefined;
  /** A slot that another node has begun, and until when it is that node's. */
  #others: { readonly slot: number; readonly until: number } | undefined;
  /** The handler has taken it, and that is not noted yet: it is not told again for that. */
  #taken: number | undefined;

  constructor(services: FiringServices, minitool: Pick<AskingMinitool, 'id' | 'log'>, schedule: Schedule) {
    this.#services = services;
    this.#minitool = minitool;
    this.#schedule = schedule;
  }

  start(): void {
    const fault = scheduleFault(this.#schedule, this.#services.clock.now());
    if (fault === undefined) this.#loop ??= this.#run();
    else this.#minitool.log('error', `schedule "${this.#schedule.id}" never comes: ${fault}`);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  /** Of what is done, beside the claims: no schedule's id has a `/`. */
  get #doneName(): string {
    return `${this.#schedule.id}/done`;
  }

  async #run(): Promise<void> {
    const { clock, report } = this.#services;
    for (let failures = 0; !this.#stopping.signal.aborted; ) {
      try {
        const until = await this.#look();
        failures = 0;
        await this.#sleep(Math.min(longestSleepMs, Math.max(1, until - clock.now())));
      } catch (error) {
        // What the handler says is dealt with where it is told: this is the store's.
        report(error);
        failures += 1;
        await this.#sleep(retryDelayMs(failures));
      }
    }
  }

  async #sleep(ms: number): Promise<void> {
    await sleep(this.#services.clock, ms, this.#stopping.signal).catch(() => {});
  }

  /** Does what is owed now; gives when to look again. */
  async #look(): Promise<number> {
    const { store, clock } = this.#services;
    const { id } = this.#minitool;
    await this.#noteDone();
    const now = clock.now();
    const done = (await store.lastSlot(id, this.#doneName)) ?? (await this.#firstSeen(now));
    const begun = await store.lastSlot(id, this.#schedule.id);
    const { run, left, next } = owedAt(this.#schedule, done, begun, now);
    if (left) await this.#leaveOut(left, run === undefined);
    const first = !this.#looked;
    this.#looked = true;
    if (run === undefined) return next ?? Number.POSITIVE_INFINITY;
    const mine = run === begun ? first || this.#own === run : await store.claimSlot(id, this.#schedule.id, run);
    const until = mine ? now : this.#leftToOthers(run, now);
    if (until > now) return until;
    this.#own = run;
    await this.#fire(run);
    await this.#noteDone();
    return clock.now();
  }

  /** Who has begun it may still be at it; after a while it counts as dead. */
  #leftToOthers(slot: number, now: number): number {
    if (this.#others?.slot !== slot) this.#others = { slot, until: now + othersMs };
    return this.#others.until;
  }

  async #firstSeen(now: number): Promise<number> {
    await this.#services.store.claimSlot(this.#minitool.id, this.#doneName, now);
    return now;
  }

  async #leaveOut({ from, until }: { readonly from: number; readonly until: number }, all: boolean): Promise<void> {
    this.#say(from === until ? `${iso(from)} was left out` : `${iso(from)} to ${iso(until)} were left out`);
    if (all) await this.#services.store.claimSlot(this.#minitool.id, this.#doneName, until);
  }

  /** Until it is taken, or the next slot is there. */
  async #fire(slot: number): Promise<void> {
    const { clock, minitools } = this.#services;
    const { id } = this.#minitool;
    const fire = { id: this.#schedule.id, fireId: `${id}:${this.#schedule.id}:${iso(slot)}`, slot: iso(slot) };
    const end = nextSlot(this.#schedule, slot) ?? Number.POSITIVE_INFINITY;
    for (let failures = 1; !this.#stopping.signal.aborted; failures += 1) {
      try {
        await minitools.deliver(id, 'schedules.fire', fire);
        this.#taken = slot;
        return;
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        const wait = Math.min(retryDelayMs(failures), Math.max(0, end - clock.now()));
        const then = clock.now() + wait >= end ? 'the next slot takes its place' : `again in ${wait / 1_000} s`;
        this.#say(`${iso(slot)} was not taken: ${messageOf(error)}; ${then}`);
        await this.#sleep(wait);
        if (clock.now() >= end) return;
      }
    }
  }

  #say(message: string): void {
    this.#minitool.log('warn', `schedule "${this.#schedule.id}": ${message}`);
  }

  async #noteDone(): Promise<void> {
    if (this.#taken === undefined) return;
    await this.#services.store.claimSlot(this.#minitool.id, this.#doneName, this.#taken);
    this.#taken = undefined;
  }
}

const iso = (time: number): string => new Date(time).toISOString();
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
