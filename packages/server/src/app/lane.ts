/**
 * A session's lane: all writes of a session in this process, one batch after the other.
 *
 * Owns: the queue of jobs, and what becomes of a write that is refused, fails, or whose fate is not known.
 * Does not own: what is decided (lane-batch.ts, core) nor how it is stored (lane-write.ts, the store).
 *
 * X1 A decision rests on committed state only; what was decided together is committed together.
 * X2 A job's promise resolves after its batch is durable, also for refusals and replays.
 * X3 A fact of the runner is never given up for a failing store: it is tried again until it is committed or fenced.
 *    A client's job fails at once (`storage_unavailable`): the client decides whether to repeat it.
 * X4 After a conflict, a lost answer or a failure nothing cached is trusted: it is read again.
 */
import type { UserMessage } from '@turnkeeper/core/protocol/content';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { LoggedEvent } from '@turnkeeper/core/session/events';
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import { sleep, type Clock } from '../ports/clock.ts';
import type { EventWrite, Guard, Head, SessionRow, SessionStore, Write, WriteResult } from '../ports/session-store.ts';
import { rulesOf, type FrozenConfig } from './frozen-config.ts';
import { extrasOf, prepare, refusedByStore, type Job, type JobResult, type Planner, type Prepared } from './lane-batch.ts';
import { buildWrite, onlyDeltas } from './lane-write.ts';
import { loadBody } from './load-body.ts';
import { ResourceCache } from './resource-cache.ts';

/** A session as last committed and known here. */
export type Session = { readonly row: SessionRow; readonly head: Head; readonly state: SessionState; readonly config: FrozenConfig };

/** What was committed, for readers and the runner. */
export type Committed = {
  readonly lane: Lane;
  readonly session: Session;
  /** The new rows; the last one has the head's seq. */
  readonly rows: readonly EventWrite[];
  /** This commit took the session for this node, or let it go. */
  readonly hold: 'claim' | 'release' | undefined;
};

export type LaneServices = {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly node: { readonly current: string };
  readonly read: (sid: number) => Promise<Session>;
  readonly mayAdopt: () => boolean;
  readonly mayStart: () => boolean;
  readonly committed: (commit: Committed) => void;
  readonly claimLost: (lane: Lane) => void;
  /** The state was moved by another process while this one holds the session. */
  readonly movedElsewhere: (lane: Lane) => void;
};

const mostJobsInABatch = 64;
const retryMs = [50, 100, 250, 500, 1_000, 2_000] as const;

export class Lane {
  readonly sid: number;
  readonly #services: LaneServices;
  readonly #resources = new ResourceCache();
  readonly #inputs = new Map<TurnId, readonly UserMessage[]>();
  readonly #waiting: Job[] = [];
  #session: Session | undefined;
  #running = false;
  #failures = 0;
  #wake: (() => void) | undefined;
  #held: number | undefined;

  constructor(sid: number, services: LaneServices, session?: Session) {
    this.sid = sid;
    this.#services = services;
    this.#session = session;
  }

  /** True while nothing is under way or held here: the lane may be forgotten. */
  get idle(): boolean {
    return !this.#running && this.#waiting.length === 0 && this.#held === undefined;
  }

  /** The last committed state known here; undefined before the first read. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** The fence of this node's claim while it holds the session. */
  get held(): number | undefined {
    return this.#held;
  }

  /** A claim made this node the holder: what it read is the newest. */
  claimed(session: Session): void {
    if (this.#session && this.#session.head.fence > session.head.fence) return;
    this.#resources.clear();
    this.#session = session;
    this.#held = session.head.fence;
  }

  /** Something else wrote the session, or may have: it is read again before the next decision. */
  forget(): void {
    this.#session = undefined;
    this.#resources.clear();
  }

  /** Another process wrote the session. */
  stale(): void {
    this.forget();
    if (this.#held !== undefined) this.#services.movedElsewhere(this);
  }

  async load(): Promise<Session> {
    this.#session ??= await this.#services.read(this.sid);
    return this.#session;
  }

  /** A client's wish. Rejects with `storage_unavailable` when the store cannot take it. */
  command(plan: Planner): Promise<JobResult> {
    return this.#enqueue(plan, undefined);
  }

  /** A fact of the run that holds the session with this fence. */
  fact(fence: number, plan: Planner): Promise<JobResult> {
    return this.#enqueue(plan, fence);
  }

  #enqueue(plan: Planner, fence: number | undefined): Promise<JobResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ plan, fence, resolve, reject });
      if (fence === undefined) this.#wake?.();
      if (!this.#running) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#running = true;
    // Jobs of the same tick join the first batch.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const open = new Set(this.#waiting.splice(0, mostJobsInABatch));
      try {
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
    if (again.length === 0) return;
    this.#waiting.unshift(...again);
    const wait = retryMs[Math.min(this.#failures, retryMs.length - 1)] ?? 0;
    this.#failures += 1;
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await Promise.race([sleep(this.#services.clock, wait), woken]);
    this.#wake = undefined;
  }

  /** Decides the jobs in order and commits them; what the store refuses is decided again on what it then is. */
  async #commit(open: Set<Job>): Promise<void> {
    while (open.size > 0) {
      const session = await this.load();
      const { clock, node, mayAdopt, mayStart } = this.#services;
      const situation = { state: session.state, row: session.row, rules: rulesOf(session.config), at: clock.now(), node: node.current, held: this.#held, inputs: this.#inputs };
      const prepared = prepare({ ...situation, mayAdopt: session.head.node === null && mayAdopt(), mayStart: mayStart() }, [...open]);
      this.#waiting.unshift(...prepared.later);
      for (const job of prepared.later) open.delete(job);
      const result = needsWrite(prepared) ? await this.#write(session, prepared) : undefined;
      if (result === undefined || result.ok) {
        this.#answer(prepared, session.row);
        return;
      }
      for (const job of this.#refused(result, prepared, [...open])) open.delete(job);
    }
  }

  async #write(session: Session, prepared: Prepared): Promise<WriteResult> {
    const { batch, hold } = prepared;
    for (const ref of this.#resources.missing(batch.events)) {
      const body = await loadBody(this.#services.store, this.sid, ref);
      if (body) this.#resources.put(ref, body);
    }
    const built = buildWrite(batch, this.#resources);
    const write: Write = { sid: this.sid, guard: this.#guard(session.head, batch.events), ...built.rows, ...merge(built.rows, extrasOf(prepared)), ...(hold ? { hold } : {}) };
    const result = await this.#services.store.write(write);
    if (!result.ok) return result;
    const next: Session = { ...session, row: { ...session.row, ...write.session }, head: result.head, state: batch.after };
    this.#session = next;
    this.#remember(prepared, built.changes);
    if (hold) this.#held = hold.kind === 'claim' ? result.head.fence : undefined;
    // Deltas do not look at the state's seq: a command of another node may have moved it meanwhile.
    const unseen = write.state === undefined && result.head.stateSeq !== session.head.stateSeq;
    this.#services.committed({ lane: this, session: next, rows: write.events, hold: hold?.kind });
    if (unseen) this.stale();
    return result;
  }

  #guard(head: Head, events: readonly LoggedEvent[]): Guard {
    if (this.#held === undefined) return { kind: 'command', stateSeq: head.stateSeq };
    const moves = events.length === 0 || !onlyDeltas(events);
    return { kind: 'run', fence: this.#held, wn: head.wn, ...(moves ? { stateSeq: head.stateSeq } : {}) };
  }

  #remember(prepared: Prepared, changes: Parameters<ResourceCache['keep']>[0]): void {
    const { live, queue } = prepared.batch.after;
    this.#resources.keep(changes, new Set([...(live ? [live.id] : []), ...queue.map((turn) => turn.id)]));
    for (const { plan } of prepared.decided) if (plan.input) this.#inputs.set(plan.input.turnId, plan.input.messages);
    for (const id of this.#inputs.keys()) if (!queue.some((turn) => turn.id === id)) this.#inputs.delete(id);
  }

  #answer(prepared: Prepared, row: SessionRow): void {
    for (const answer of prepared.answers) answer();
    for (const { job, state } of prepared.decided) job.resolve({ ok: true, state, row });
  }

  /** Settles what cannot be decided again after the store refused a write; gives back the settled jobs. */
  #refused(result: Exclude<WriteResult, { ok: true }>, prepared: Prepared, jobs: readonly Job[]): readonly Job[] {
    this.forget();
    switch (result.reason) {
      case 'conflict':
        return [];
      case 'fenced':
        this.#held = undefined;
        this.#services.claimLost(this);
        return [];
      case 'gone':
        for (const job of jobs) job.reject(new TurnkeeperError('not_found', 'There is no such session.'));
        return jobs;
      case 'receipt':
      case 'quota': {
        const done = prepared.decided.filter((entry) => refusedByStore(entry, result)).map(({ job }) => job);
        if (done.length === 0) throw new TurnkeeperError('internal_error', `The store refused a write for a ${result.reason} that no job brought.`);
        return done;
      }
    }
  }
}

const needsWrite = ({ batch, decided, hold }: Prepared): boolean =>
  batch.events.length > 0 || hold !== undefined || decided.some(({ plan }) => (plan.receipts ?? []).length > 0 || plan.session !== undefined);

const merge = (rows: Pick<Write, 'session'>, extras: Pick<Write, 'session' | 'payloads' | 'receipts' | 'quota'>) =>
  rows.session && extras.session ? { ...extras, session: { ...rows.session, ...extras.session } } : extras;
