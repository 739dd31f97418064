/**
 * Forgets what need not be kept any longer: one node at a time, in small pieces, beside all else.
 *
 * Owns: when which session is looked at, and what is asked of the store. How far a log may be forgotten is core's [RF1].
 *
 * PG1 Before anything is deleted the horizon is past it, and known to be for longer than any reader goes by what it has read:
 *     a reader meets 410, never a hole [RT2].
 * PG2 What a webhook has still to deliver stays for a week longer; then it is left out, and the subscription says so.
 * PG3 A piece is one short transaction of at most 500 rows, and nothing waits for it.
 * PG4 Keys of a session's creation, also as a fork, and of its turns live as long as the session, others for at least 7 days.
 * PG5 A pass ends when nothing that is due is left, whatever number of sessions was deleted and however far their numbers are
 *     apart. A session that was not gone through to its end is due again in the next one.
 */

import { turnOutcomes } from '@turnkeeper/core/session/events';
import { type Formats, readState } from '@turnkeeper/core/session/formats';
import { forgettableUpto, type TurnSpan } from '@turnkeeper/core/session/retention';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import { type Clock, sleep } from '../ports/clock.ts';
import type { RetentionCandidate, RetentionStore } from '../ports/retention.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { WebhookStore } from '../ports/webhooks.ts';
import type { RetentionConfig } from './retention-config.ts';

export type PurgerOptions = {
  readonly store: RetentionStore;
  readonly sessions: Pick<SessionStore, 'loadBySid' | 'resources' | 'resourcesOf'>;
  readonly webhooks: Pick<WebhookStore, 'forget'>;
  readonly clock: Clock;
  readonly node: () => string;
  readonly config: RetentionConfig;
  /** How states are read. */
  readonly formats: Formats;
  /** A session's horizon has moved: whoever keeps its head reads it again. */
  readonly changed: (sid: number, seq: number) => void;
  readonly report: (error: unknown) => void;
};

const minuteMs = 60_000;
const dayMs = 86_400_000;
const passMs = 10 * minuteMs;
const leaseMs = 10 * minuteMs;
const pieceRows = 500;
const span = 1_000;
const turnsAtOnce = 200;
const keyMs = 7 * dayMs;
const owedMs = 7 * dayMs;
const deltaMs = dayMs;
const deletedAtOnce = 50;
/** Between so many deleted sessions and the next. */
const breathMs = 100;
const leaseName = 'retention';
const settled: ReadonlySet<string> = new Set(turnOutcomes);

export class Purger {
  readonly #options: PurgerOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: PurgerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, report } = this.#options;
    const { signal } = this.#stopping;
    await sleep(clock, minuteMs, signal).catch(() => {});
    while (!signal.aborted) {
      try {
        if (await this.#held()) await this.pass();
      } catch (error) {
        report(error);
      }
      await sleep(clock, passMs, signal).catch(() => {});
    }
  }

  /** Only who has the lease goes on: it is asked for again before each window. */
  #held(): Promise<boolean> {
    const { store, clock, node } = this.#options;
    const now = clock.now();
    return store.lease(leaseName, node(), now, now + leaseMs);
  }

  /** Once over all that is due. */
  async pass(): Promise<void> {
    const { store, clock, config, webhooks } = this.#options;
    const last = await store.lastSid();
    for (let next = await store.nextSid(0); next !== undefined && next <= last && (await this.#goesOn()); next = await store.nextSid(next + span - 1)) {
      for (const candidate of await store.candidates({ after: next - 1, span, now: clock.now() })) {
        if (this.#stopping.signal.aborted) return;
        await this.#look(candidate);
      }
    }
    if (config.deletedDays > 0) await this.#purgeDeleted(clock.now() - config.deletedDays * dayMs);
    if (config.auditDays > 0) await this.#pieces(() => store.pruneAudit(clock.now() - config.auditDays * dayMs, pieceRows));
    await webhooks.forget(clock.now() - keyMs);
    await this.#pieces(() => store.forgetHookKeys(clock.now() - keyMs, pieceRows));
  }

  async #goesOn(): Promise<boolean> {
    return !this.#stopping.signal.aborted && (await this.#held());
  }

  /** Piece by piece; false when it was cut short before nothing was left. */
  async #pieces(piece: () => Promise<number>): Promise<boolean> {
    while ((await piece()) >= pieceRows) if (!(await this.#goesOn())) return false;
    return true;
  }

  async #look(candidate: RetentionCandidate): Promise<void> {
    const { store, clock, config } = this.#options;
    const { sid, horizon } = candidate;
    const now = clock.now();
    // What lay below the horizon the last time (PG1).
    if (candidate.pruned < horizon && !(await this.#pieces(() => store.prune(sid, horizon, pieceRows)))) return;
    const history = config.historyDays * dayMs;
    const raised = history > 0 ? await this.#raise(candidate, now - history) : horizon;
    const deltas = history > 0 ? await this.#pruneDeltas(candidate, now - deltaMs) : candidate.deltas;
    // PG5
    if (deltas === undefined || !(await this.#pieces(() => store.pruneReceipts(sid, now - keyMs, pieceRows)))) return;
    const again = raised > horizon ? passMs : Math.min(dayMs, Math.max(passMs, history / 24));
    await store.looked(sid, { pruned: horizon, deltas: Math.max(deltas, horizon), nextAt: now + again });
  }

  async #raise(candidate: RetentionCandidate, before: number): Promise<number> {
    const { store, changed } = this.#options;
    const { sid, seq, horizon } = candidate;
    const upto = await this.#forgettable(candidate, horizon, before);
    const floor = await store.lastOlder(sid, horizon, upto, before);
    const owed = await store.owedFloor(sid);
    // PG2
    const late = owed !== undefined && owed < floor ? await store.lastOlder(sid, horizon, upto, before - owedMs) : floor;
    const next = owed === undefined ? floor : Math.max(Math.min(floor, owed), late);
    if (next <= horizon || !(await store.raise(sid, next))) return horizon;
    changed(sid, seq);
    return next;
  }

  /** Up to where there are none now; undefined when it was cut short. */
  async #pruneDeltas(candidate: RetentionCandidate, before: number): Promise<number | undefined> {
    const { store } = this.#options;
    const { sid, horizon, deltas } = candidate;
    const from = Math.max(horizon, deltas);
    const upto = await store.lastOlder(sid, from, await this.#forgettable(candidate, from, before), before);
    const owed = await store.owedFloor(sid);
    const end = owed === undefined ? upto : Math.min(upto, Math.max(owed, from));
    if (end <= from) return deltas;
    return (await this.#pieces(() => store.pruneDeltas(sid, from, end, pieceRows))) ? end : undefined;
  }

  /** How far the log may go, of turns that begin behind `after` and of those that are unfinished, wherever they began. */
  async #forgettable({ sid, seq }: RetentionCandidate, after: number, before: number): Promise<number> {
    const { sessions, formats } = this.#options;
    const loaded = await sessions.loadBySid(sid);
    const state = loaded && readState(formats, loaded.state);
    // What a newer release wrote is left to its nodes.
    if (!state) return after;
    const { live, queue } = state;
    const unfinished = [...(live ? [live.id] : []), ...queue.map(({ id }) => id)];
    const open = unfinished.length === 0 ? [] : await sessions.resourcesOf(sid, unfinished);
    const spans: TurnSpan[] = open.map(({ n }) => ({ first: n, settledAt: null }));
    for (let at = after; ; ) {
      const [rows = []] = (await sessions.resources(sid, [{ kind: 'turn', limit: turnsAtOnce, afterN: at }]))?.resources ?? [];
      const turns = rows.map(({ n, body }) => spanOf(n, JSON.parse(body) as TurnBody));
      spans.push(...turns);
      at = rows.at(-1)?.n ?? at;
      if (rows.length < turnsAtOnce || turns.some(({ settledAt }) => settledAt === null || settledAt >= before)) break;
    }
    return Math.max(after, forgettableUpto(spans, before, seq));
  }

  async #purgeDeleted(before: number): Promise<void> {
    const { store, clock } = this.#options;
    // A root is among them once nothing is left below it (RT5).
    for (let sids = await store.deletedBefore(before, deletedAtOnce); sids.length > 0; sids = await store.deletedBefore(before, deletedAtOnce)) {
      for (const sid of sids) {
        for (let done = false; !done; ) {
          if (!(await this.#goesOn())) return;
          done = await store.purge(sid, pieceRows);
        }
      }
      await sleep(clock, breathMs, this.#stopping.signal).catch(() => {});
    }
  }
}

const spanOf = (first: number, { status, ended_at }: TurnBody): TurnSpan => ({
  first,
  settledAt: settled.has(status) && ended_at !== undefined ? ended_at : null,
});
