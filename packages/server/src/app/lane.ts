/**
 * A session's lane: all writes of a session in this process, one batch after the other.
 *
 * Owns: the queue of jobs, and what becomes of a write that is refused, fails, or whose fate is not known.
 * Does not own: what is decided (lane-batch.ts, core), what is known (known-session.ts), nor how it is stored (lane-write.ts, the store).
 *
 * X1 A decision rests on committed state only; what was decided together is committed together.
 * X2 A job's promise resolves after its batch is durable, also for refusals and replays.
 * X3 A fact of the runner is never given up for a failing store: it is tried again until it is committed or fenced.
 *    A client's job fails at once (`storage_unavailable`): the client decides whether to repeat it. A store that was closed
 *    (`shutting_down`) does not come back: then all jobs end, and what is in doubt is left to whoever opens it next.
 * X6 A write whose answer was lost is in doubt until the head says what became of it: by its write counter a run's batch
 *    is known to be committed, and then its facts are answered and never decided a second time.
 * X7 Whether this node holds the session is what the head says: after a lost answer a claim that was made is taken up, one
 *    that was let go is let go, and a guard that failed on a stale counter loses nothing.
 * X19 A batch is folded into the resources as they were loaded for it, whatever is forgotten meanwhile: news of another node's deltas
 *    moves no guard, and a resource that was missing then would keep what it said before, for ever.
 * X16 Where others write the session too, no wish comes to nothing by what was known before it was asked: the store's guard tells one
 *     that was granted on an old state, but nothing is written for one that is refused, or for which there is nothing to do, so the
 *     session is read anew first. Else a child's word, told to a parent as it was before it had the child, would be lost for ever.
 */
import type { UserMessage } from '@turnkeeper/core/protocol/content';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { LoggedEvent } from '@turnkeeper/core/session/events';
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import { type Clock, sleep } from '../ports/clock.ts';
import type { EventWrite, Head, SessionRow, SessionStore, Write, WriteResult } from '../ports/session-store.ts';
import type { FormatGate } from './format-gate.ts';
import { type FrozenConfig, rulesOf } from './frozen-config.ts';
import type { PlacedSession } from './hosted-sessions.ts';
import { isChild } from './is-child.ts';
import { KnownSession } from './known-session.ts';
import { answeredByReceipt, extrasOf, type Job, type JobResult, type Planner, type Prepared, prepare, refusedByQuota, refusedRuns } from './lane-batch.ts';
import { guardOf, inNextFormat, needsWrite, withExtras } from './lane-guard.ts';
import { buildWrite } from './lane-write.ts';
import { loadBody } from './load-body.ts';
import type { OwnerLimits } from './owner-limits.ts';
import { ResourceCache } from './resource-cache.ts';
import type { RunGates } from './run-gates.ts';

/** A session as last committed and known here. */
export type Session = { readonly row: SessionRow; readonly head: Head; readonly state: SessionState; readonly config: FrozenConfig };

/** What was committed, for readers and the runner. */
export type Committed = {
  readonly lane: Lane;
  readonly session: Session;
  /** The new rows; the last one has the head's seq. */
  readonly rows: readonly EventWrite[];
  /** The events that they are of, and the state before them. */
  readonly events: readonly LoggedEvent[];
  readonly before: SessionState;
  /** This commit took the session for this node, or let it go. */
  readonly hold: 'claim' | 'release' | undefined;
};

export type LaneServices = {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly node: { readonly current: string };
  readonly read: (sid: number) => Promise<Session>;
  /** Other processes write the same sessions. */
  readonly shared: boolean;
  readonly limits: OwnerLimits;
  readonly gates: RunGates;
  readonly formats: FormatGate;
  readonly mayAdopt: (session: PlacedSession) => boolean;
  readonly mayStart: () => boolean;
  readonly committed: (commit: Committed) => void;
  readonly claimLost: (lane: Lane) => void;
  /** A write's answer was lost and the session has been read again: readers and the runner catch up with it. */
  readonly settled: (lane: Lane, session: Session) => void;
  /** The state was moved by another process while this one holds the session. */
  readonly movedElsewhere: (lane: Lane) => void;
};

/** A write whose answer was lost. `held`: the claim under which it was made. */
type Doubt = { readonly prepared: Prepared; readonly before: Head; readonly held: number | undefined };

/** The store cannot say whether it committed what it was given (W8). */
export const outcomeUnknown = (error: unknown): boolean =>
  error instanceof TurnkeeperError && error.code === 'storage_unavailable' && error.details['outcome'] === 'unknown';

const mostJobsInABatch = 64;
const retryMs = [50, 100, 250, 500, 1_000, 2_000] as const;

export class Lane {
  readonly sid: number;
  readonly #services: LaneServices;
  #resources = new ResourceCache();
  readonly #inputs = new Map<TurnId, readonly UserMessage[]>();
  readonly #waiting: Job[] = [];
  readonly #known: KnownSession;
  #running = false;
  #failures = 0;
  #wake: (() => void) | undefined;
  #held: number | undefined;
  #doubt: Doubt | undefined;
  /** The doubt is to be looked into before anything is decided. */
  #unsettled = false;

  constructor(sid: number, services: LaneServices, session?: Session) {
    this.sid = sid;
    this.#services = services;
    this.#known = new KnownSession(() => services.read(sid), services.clock, session);
  }

  /** True while nothing is under way or held here: the lane may be forgotten. */
  get idle(): boolean {
    return !this.#running && this.#waiting.length === 0 && this.#held === undefined && !this.#unsettled;
  }

  /** The last committed state known here; undefined before the first read. */
  get session(): Session | undefined {
    return this.#known.session;
  }

  /** The session as it stands in the store, if that is known without a look: nobody else writes it, and no write is under way. */
  get newest(): Session | undefined {
    return this.#services.shared || this.#running || this.#unsettled ? undefined : this.session;
  }

  /** The fence of this node's claim while it holds the session. */
  get held(): number | undefined {
    return this.#held;
  }

  /** A claim made this node the holder: what it read is the newest. */
  claimed(session: Session): void {
    const known = this.session?.head;
    if (known && known.fence > session.head.fence) return;
    // What was committed here after the claim, and answered before it, is newer than what the claim read.
    if (!known || known.fence < session.head.fence || known.seq < session.head.seq) {
      this.forget();
      this.#known.put(session);
    }
    this.#held = session.head.fence;
  }

  /** This node does not run the session any more, whatever the head says: its lease is over. */
  letGo(fence: number): void {
    if (this.#held === fence) this.#held = undefined;
  }

  /** Something else wrote the session, or may have: it is read again before the next decision. */
  forget(): void {
    this.#known.forget();
    // Not emptied: a write that is being put together goes on with what it has, and its guard says whether that still holds (X19).
    this.#resources = new ResourceCache();
  }

  /** Another process wrote the session. */
  stale(): void {
    this.forget();
    if (this.#held !== undefined) this.#services.movedElsewhere(this);
  }

  load(): Promise<Session> {
    return this.#known.load();
  }

  /** The session for whoever asks: where others write it too, its row is at most `ageMs` old (X12). */
  async recent(ageMs: number): Promise<Session> {
    if (this.#services.shared && this.#known.isOlderThan(ageMs)) await this.#lookAgain();
    return this.load();
  }

  /** Another process may have changed the row: an idle lane reads all again, a busy one what events do not tell of. */
  async #lookAgain(): Promise<void> {
    this.#known.renew();
    if (this.idle) this.forget();
    else if (await this.#known.lookAgain()) this.stale();
  }

  /**
   * A client's wish. Rejects with `storage_unavailable` when the store cannot take it. `row`: it rests on the session's
   * title or metadata (X12).
   */
  command(plan: Planner, { row = false }: { readonly row?: boolean } = {}): Promise<JobResult> {
    return this.#enqueue({ plan, fence: undefined, row });
  }

  /** A fact of the run that holds the session with this fence. */
  fact(fence: number, plan: Planner): Promise<JobResult> {
    return this.#enqueue({ plan, fence, row: false });
  }

  #enqueue(wish: Pick<Job, 'plan' | 'fence' | 'row'>): Promise<JobResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...wish, resolve, reject });
      if (wish.fence === undefined) this.#wake?.();
      if (!this.#running) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#running = true;
    // Jobs of the same tick join the first batch.
    await Promise.resolve();
    while (this.#waiting.length > 0 || this.#unsettled) {
      const open = new Set(this.#waiting.splice(0, mostJobsInABatch));
      try {
        if (this.#unsettled) this.#settle(await this.load(), open);
        await this.#commit(open);
        this.#failures = 0;
      } catch (error) {
        await this.#failed([...open], error);
      }
    }
    this.#running = false;
  }

  async #failed(jobs: readonly Job[], error: unknown): Promise<void> {
    this.forget();
    const passing = error instanceof TurnkeeperError && error.code === 'storage_unavailable';
    const again = passing ? jobs.filter((job) => job.fence !== undefined) : [];
    // Answered ones are past caring: a promise settles once.
    for (const job of jobs) if (!again.includes(job)) job.reject(error);
    // What is of a newer release will not be settled here either.
    if (error instanceof TurnkeeperError && (error.code === 'shutting_down' || error.code === 'newer_release')) this.#unsettled = false;
    if (again.length === 0 && !this.#unsettled) return;
    // A client that came meanwhile is told at once (X3).
    const asked = this.#waiting.some((job) => job.fence === undefined);
    this.#waiting.unshift(...again);
    if (asked) return;
    const wait = retryMs[Math.min(this.#failures, retryMs.length - 1)] ?? 0;
    this.#failures += 1;
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await sleep(this.#services.clock, wait, woken.signal).catch(() => {});
    this.#wake = undefined;
  }

  /**
   * Finds out what became of a write in doubt (X6, X7). It stays remembered while it could still arrive: until the
   * counter has moved, by it or by the next write.
   */
  #settle(session: Session, open: Set<Job>): void {
    const doubt = this.#doubt;
    this.#unsettled = false;
    const { head } = session;
    if (doubt?.held !== undefined && head.fence === doubt.held && head.wn === doubt.before.wn + 1) {
      this.#doubt = undefined;
      for (const { job, state } of doubt.prepared.decided) {
        job.resolve({ ok: true, state, row: session.row });
        open.delete(job);
      }
    }
    this.#holdAsStored(head);
    this.#services.settled(this, session);
  }

  /** The claim is over when the head has another fence, or nobody's name (X7). */
  #holdAsStored(head: Head): void {
    if (this.#held === undefined || (head.fence === this.#held && head.node !== null)) return;
    this.#held = undefined;
    this.#services.claimLost(this);
  }

  /** Decides the jobs in order and commits them; what the store refuses is decided again on what it then is. */
  async #commit(open: Set<Job>): Promise<void> {
    let lookedAgain = !this.#services.shared;
    while (open.size > 0) {
      if (this.session && this.#services.shared && [...open].some((job) => job.row)) await this.#lookAgain();
      const session = await this.#decidable();
      const { clock, node, mayAdopt, limits, gates } = this.#services;
      const { owner } = session.row;
      const held = this.#held;
      const situation = {
        state: session.state,
        row: session.row,
        rules: rulesOf(session.config),
        at: clock.now(),
        node: node.current,
        held,
        limits: limits.of(owner),
        inputs: this.#inputs,
      };
      const mayStart = this.#services.mayStart() && (isChild(session.row) || !gates.closed(owner));
      const prepared = prepare({ ...situation, mayAdopt: session.head.node === null && mayAdopt(session), mayStart }, [...open]);
      if (prepared.movesNothing && !lookedAgain) {
        lookedAgain = true;
        await this.#lookAgain();
        continue;
      }
      const result = needsWrite(prepared) ? await this.#write(session, prepared, held) : undefined;
      if (result === undefined || result.ok) {
        this.#answer(prepared);
        return;
      }
      for (const job of this.#refused(result, prepared, [...open])) open.delete(job);
      // A write that was in doubt may have arrived late: then it is the one that moved the counter (X6).
      if (result.reason === 'fenced') this.#settle(await this.load(), open);
    }
  }

  /** The session, once the limits of its owner are known (OL2). */
  async #decidable(): Promise<Session> {
    const session = await this.load();
    const ready = this.#services.limits.ready(session.row.owner);
    if (!ready) return session;
    await ready;
    return this.load();
  }

  async #write(session: Session, prepared: Prepared, held: number | undefined): Promise<WriteResult> {
    const { hold } = prepared;
    const batch = inNextFormat(prepared.batch, session, held, this.#services.formats);
    const guard = guardOf(session.head, batch.events, held);
    const resources = this.#resources;
    for (const ref of resources.missing(batch.events)) {
      const body = await loadBody(this.#services.store, this.sid, ref);
      if (body) resources.put(ref, body);
    }
    const built = buildWrite(batch, resources, this.#services.formats.formats);
    const write: Write = { sid: this.sid, guard, ...built.rows, ...withExtras(built.rows, extrasOf(prepared)), ...(hold ? { hold } : {}) };
    const result = await this.#services.store.write(write).catch((error: unknown) => {
      if (outcomeUnknown(error)) {
        this.#doubt = { prepared, before: session.head, held };
        this.#unsettled = true;
      }
      throw error;
    });
    if (!result.ok) return result;
    this.#doubt = undefined;
    const next: Session = { ...session, row: { ...session.row, ...write.session }, head: result.head, state: batch.after };
    const overtaken = hold === undefined && this.#held !== undefined && this.#held > result.head.fence;
    this.#known.put(next);
    this.#remember(prepared, resources === this.#resources ? built.changes : undefined);
    if (hold) this.#held = hold.kind === 'claim' ? result.head.fence : undefined;
    // Deltas do not look at the state's seq: a command of another node may have moved it meanwhile.
    const unseen = write.state === undefined && result.head.stateSeq !== session.head.stateSeq;
    this.#services.committed({ lane: this, session: next, rows: write.events, events: batch.events, before: batch.before, hold: hold?.kind });
    if (write.quota && write.quota.running < 0) this.#services.gates.opened(write.quota.owner);
    // A claim of this node came after this write and was answered before it.
    if (unseen || overtaken) this.stale();
    return result;
  }

  #remember(prepared: Prepared, changes: Parameters<ResourceCache['keep']>[0] | undefined): void {
    const { live, queue } = prepared.batch.after;
    if (changes) this.#resources.keep(changes, (turnId) => live?.id === turnId || queue.some((turn) => turn.id === turnId));
    for (const { plan } of prepared.decided) if (plan.input) this.#inputs.set(plan.input.turnId, plan.input.messages);
    for (const id of this.#inputs.keys()) if (!queue.some((turn) => turn.id === id)) this.#inputs.delete(id);
  }

  #answer(prepared: Prepared): void {
    for (const answer of prepared.answers) answer();
    for (const { job, state, row } of prepared.decided) job.resolve({ ok: true, state, row });
  }

  /** Settles what cannot be decided again after the store refused a write; gives back the settled jobs. */
  #refused(result: Exclude<WriteResult, { ok: true }>, prepared: Prepared, jobs: readonly Job[]): readonly Job[] {
    this.forget();
    switch (result.reason) {
      case 'conflict':
      case 'fenced':
        return [];
      case 'gone':
        this.#held = undefined;
        this.#services.claimLost(this);
        for (const job of jobs) job.reject(new TurnkeeperError('not_found', 'There is no such session.'));
        return jobs;
      case 'receipt':
      case 'quota': {
        if (result.reason === 'quota' && result.quota === 'running') {
          if (prepared.quota) this.#services.gates.full(prepared.quota.owner);
          return refusedRuns(prepared);
        }
        const refused =
          result.reason === 'receipt'
            ? prepared.decided.filter((entry) => answeredByReceipt(entry, result.receipt)).map(({ job }) => job)
            : [refusedByQuota(prepared, result.count)];
        const done = refused.filter((job) => job !== undefined);
        if (done.length === 0) throw new TurnkeeperError('internal_error', `The store refused a write for a ${result.reason} that no job brought.`);
        return done;
      }
    }
  }
}
