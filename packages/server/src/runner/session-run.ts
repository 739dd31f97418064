/**
 * One held session: looks at what is owed, does it, looks again.
 *
 * Owns: the activities under way (a model call, tools), their abort, the run's deadline, and how the run ends when
 * nothing of it runs any more. Holds no state of the turn: that is the lane's, folded from the log.
 *
 * N1 Each owed work is under way at most once here.
 * N2 A run is settled as stopped only when its activities have ended or were abandoned (grace time). What was abandoned
 *    holds no slot and stands in nobody's way.
 * N3 After the claim is lost, or the session is gone, nothing is reported any more; what still runs is aborted.
 * N6 What ends, fails or times out a turn names that turn: its successor may have begun in the same commit.
 * N7 Work that ends without having moved the session is not begun again at once: nothing here spins.
 * N8 While it is held a session is never without somebody who looks: what is not known here is read again.
 * N15 A server that stops begins nothing: whoever waits for a slot or a pause then stops waiting.
 * N16 A run begins in a slot and hands it on to its first model call: waiting in line is no running time.
 * N9 A run that was open at the claim is closed as lost before anything else is done.
 */
import type { UserMessage } from '@turnkeeper/core/protocol/content';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { TurnId } from '@turnkeeper/core/session/ids';
import { pendingWork, type Work } from '@turnkeeper/core/session/pending-work';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { ToolBody } from '@turnkeeper/core/view/tool';
import type { Lane, Session } from '../app/lane.ts';
import type { Plan } from '../app/lane-batch.ts';
import { sleep } from '../ports/clock.ts';
import { runModelStep, type StepReport } from './model-step.ts';
import { type ActivityRun, RunActivities } from './run-activities.ts';
import type { RunServices } from './run-services.ts';
import { RunTimers } from './run-timers.ts';
import { runningInputs } from './running-inputs.ts';
import type { Release } from './slots.ts';
import { createToolSet, type ToolSet } from './tool-set.ts';
import { runToolStep } from './tool-step.ts';

/** Why the run's activities are being stopped, if they are. */
type Stopping = 'cancelled' | 'timed_out' | 'handed_over' | undefined;

const nothingSaid = (): string => '';
const longestPauseMs = 30_000;
/** What aborted work gets to stop when the whole server stops. */
const handOverAbortMs = 500;

export class SessionRun {
  readonly lane: Lane;
  readonly fence: number;
  /** The name of the node under which the session is held. */
  readonly node: string;
  readonly #services: RunServices;
  readonly #ended: () => void;
  readonly #activities = new RunActivities();
  readonly #timers: RunTimers;
  #tools: ToolSet | undefined;
  #stopping: Stopping;
  /** What the model has said of an answer that is not committed whole. */
  #said = nothingSaid;
  #exclusive: Release | undefined;
  #lost = false;
  #troubles = 0;
  #seen = -1;
  #unrecovered = false;
  /** Aborts whoever waits for a slot or a pause when the server stops: nothing new begins then (N15). */
  readonly #draining = new AbortController();
  /** The slot in which a run began, handed on to its first model call (N16). */
  #slot: Release | undefined;

  constructor(lane: Lane, claim: { readonly fence: number; readonly node: string }, services: RunServices, ended: () => void) {
    this.lane = lane;
    this.fence = claim.fence;
    this.node = claim.node;
    this.#services = services;
    this.#timers = new RunTimers(services.clock);
    this.#ended = ended;
  }

  /** The session was committed: deltas change nothing of what is owed. */
  moved(stateSeq: number): void {
    if (stateSeq === this.#seen) return;
    this.#seen = stateSeq;
    this.look();
  }

  /** Looks at what is owed and begins what is not under way. */
  look(): void {
    if (this.#lost || this.lane.held !== this.fence) return;
    const { session } = this.lane;
    if (!session) {
      this.#activity('read', async () => void (await this.lane.load()));
      return;
    }
    const { state } = session;
    if (state.terminated) {
      this.drop();
      return;
    }
    if (this.#unrecovered) {
      this.#activity('recover', () => this.#closeLostRun());
      return;
    }
    if (!this.#activities.has('restart') && !(state.live?.status === 'running' && state.live.runsAlone)) this.#endExclusive();
    if (this.#stopping === 'handed_over') return;
    this.#watchDeadline(session);
    for (const work of pendingWork(state)) this.#begin(work, session);
  }

  /** The claim is another node's, or the session is gone: stop at once, report nothing (N3). */
  drop(): void {
    this.#lost = true;
    this.lane.letGo(this.fence);
    this.#end();
  }

  /** The lane let the session go in a commit: nothing is owed, and what may still run (of a deleted one) is aborted. */
  released(): void {
    this.#end();
  }

  /** A run that was open when the session was claimed belonged to a process that is gone (N9). */
  recover(): void {
    this.#unrecovered = true;
    this.look();
  }

  /**
   * The server stops in good order: nothing new begins; what runs gets `graceMs`, then the run is handed over.
   * Resolves when the session is let go.
   */
  async handOver(graceMs: number): Promise<void> {
    this.#stopping = 'handed_over';
    this.#draining.abort(new Error('the server stops'));
    this.#timers.stopAll();
    await this.#within(graceMs, this.#activities.ended());
    this.#activities.abortAll();
    await this.#within(handOverAbortMs, this.#activities.ended());
    this.#activities.abandonAll();
    if (this.#lost || this.lane.held !== this.fence) return;
    const cause = this.#unrecovered ? 'lost' : 'handed_over';
    const inputs = await this.#inputs().catch(() => ({}));
    const ended = { type: 'end_run', cause, inputs, ...this.#attempt() } as const;
    await this.lane.fact(this.fence, (state) => ({ asks: state.live?.status === 'running' ? [ended] : [], release: true }));
    this.#end();
  }

  async #inputs() {
    return runningInputs(this.#services.store, await this.lane.load());
  }

  /** When the newest event was committed: a lost run is known to have run until then (S22). */
  async #lastFactAt(): Promise<{ readonly ranUntil?: number }> {
    const { sid, seq } = (await this.lane.load()).head;
    const [newest] = await this.#services.store.events({ sid, after: seq - 1, limit: 1 });
    return newest ? { ranUntil: newest.at } : {};
  }

  /** The model call that is under way, if one is: it counts though it is stopped. */
  #attempt(): { readonly attempt?: { readonly model: string } } {
    const model = this.lane.session?.config.target.definition.model;
    return this.#said === nothingSaid || model === undefined ? {} : { attempt: { model } };
  }

  async #closeLostRun(): Promise<void> {
    const inputs = await this.#inputs();
    const ranUntil = await this.#lastFactAt();
    await this.#report((state) => (state.live?.status === 'running' ? [{ type: 'end_run', cause: 'lost', inputs, ...ranUntil }] : []));
    this.#unrecovered = false;
  }

  /** Waits for `work`, at most `ms`. */
  async #within(ms: number, work: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    await Promise.race([work, sleep(this.#services.clock, ms, over.signal).catch(() => {})]);
    over.abort();
  }

  readonly #report: StepReport = async (asks) => {
    if (this.#lost) return false;
    try {
      const result = await this.lane.fact(this.fence, (state): Plan => ({ asks: asks(state) }));
      if (result.ok) return true;
      if ('fenced' in result) this.drop();
      return false;
    } catch (error) {
      if (this.#lost) return false;
      throw error;
    }
  };

  #begin(work: Work, session: Session): void {
    switch (work.kind) {
      case 'start':
        this.#activity('start', (run) => this.#start(session, work.n, run));
        break;
      case 'restart':
        this.#later('restart', work.notBefore, () => this.#activity('restart', (run) => this.#restart(session, work.alone, run)));
        break;
      case 'model':
        this.#later('model', work.notBefore, () =>
          this.#activity('model', (run) => this.#withSlot(session, run, () => this.#model(session, work.turnId, run))),
        );
        break;
      case 'tool':
        this.#activity(`tool ${work.callId}`, (run) => this.#withSlot(session, run, () => this.#tool(session, work, run)));
        break;
      case 'stop':
        this.#stop('cancelled', work.turnId);
        break;
      case 'expire':
        this.#later(`expire ${work.requestId}`, work.notBefore, () =>
          this.#activity(`expire ${work.requestId}`, async () => void (await this.#report(() => [{ type: 'expire', requestId: work.requestId }]))),
        );
        break;
    }
  }

  #activity(key: string, work: (run: ActivityRun) => Promise<void>): void {
    if (this.#activities.has(key) || this.#stopping || this.#lost) return;
    const before = this.lane.session;
    const turnId = before?.state.live?.id;
    const run = async (activity: ActivityRun): Promise<void> => {
      try {
        await work(activity);
        // Nothing moved, and the same would be begun again at once (N7).
        const idle = before && this.lane.session?.head.stateSeq === before.head.stateSeq;
        if (idle && !activity.signal.aborted && !this.#lost) await this.#pauseFor(activity.signal);
        else this.#troubles = 0;
      } catch (error) {
        if (!activity.signal.aborted && !this.#lost && this.#stopping !== 'handed_over') await this.#troubled(error, turnId, activity.signal);
      }
    };
    this.#activities.begin(key, run, () => this.look());
  }

  /**
   * An activity threw what nobody foresaw. A store that cannot be used is waited for; anything else fails the turn (N6),
   * or, where no run is open to fail, is tried again at growing intervals.
   */
  async #troubled(error: unknown, turnId: TurnId | undefined, signal: AbortSignal): Promise<void> {
    this.#services.report(error, { sessionId: this.lane.session?.row.id ?? '' });
    if (!isPassing(error) && (await this.#fail(turnId).catch(() => false))) return;
    await this.#pauseFor(signal);
  }

  /** Ends the turn as failed by our own fault; false when it has no run to end. */
  async #fail(turnId: TurnId | undefined): Promise<boolean> {
    let open = false;
    const failed = await this.#report((state) => {
      open = turnId !== undefined && state.live?.id === turnId && state.live.status === 'running';
      return open
        ? [{ type: 'fail', errorCode: 'internal_error', errorMessage: 'Something went wrong on our side.', retryable: true, partialText: this.#said() }]
        : [];
    });
    return failed && open;
  }

  async #pauseFor(signal: AbortSignal): Promise<void> {
    const wait = Math.min(1_000 * 2 ** this.#troubles, longestPauseMs);
    this.#troubles += 1;
    await sleep(this.#services.clock, wait, AbortSignal.any([signal, this.#draining.signal])).catch(() => {});
  }

  #later(name: string, notBefore: number, begin: () => void): void {
    if (notBefore > this.#services.clock.now()) {
      this.#timers.set(name, notBefore, () => this.look());
      return;
    }
    this.#timers.stop(name);
    begin();
  }

  async #withSlot(session: Session, { signal, abandoned }: ActivityRun, work: () => Promise<void>): Promise<void> {
    const release = this.#takeSlot() ?? (await this.#services.slots.acquire(session.row.owner, AbortSignal.any([signal, this.#draining.signal])));
    try {
      await Promise.race([work(), abandoned]);
    } finally {
      release();
    }
  }

  /** A slot that this run has already: its own of a try alone, or the one in which it began. */
  #takeSlot(): Release | undefined {
    if (this.#exclusive) return () => {};
    const slot = this.#slot;
    this.#slot = undefined;
    return slot;
  }

  /** Lets go of the slot in which the run began, unless its model call has taken it over meanwhile. */
  #giveBack(release: Release): void {
    if (this.#slot !== release) return;
    this.#slot = undefined;
    release();
  }

  async #start(session: Session, n: number, { signal }: ActivityRun): Promise<void> {
    const release = await this.#services.slots.acquire(session.row.owner, AbortSignal.any([signal, this.#draining.signal]));
    this.#slot = release;
    try {
      const body = await this.#services.store.payload(session.head.sid, n);
      if (body === undefined) throw new Error(`the input of turn ${n} is missing`);
      const message = JSON.parse(body) as readonly UserMessage[];
      // The lane may have begun it meanwhile, in the commit that ended the turn before.
      await this.#report((state) => (state.live === undefined && state.queue[0]?.n === n ? [{ type: 'start', message }] : []));
    } finally {
      this.#giveBack(release);
    }
  }

  async #restart(session: Session, alone: boolean, { signal }: ActivityRun): Promise<void> {
    const { slots } = this.#services;
    const until = AbortSignal.any([signal, this.#draining.signal]);
    const release = alone ? await slots.acquireAlone(session.row.owner, until) : await slots.acquire(session.row.owner, until);
    let alive = false;
    try {
      // Kept over the commit: its run begins in it.
      if (alone) this.#exclusive = release;
      else this.#slot = release;
      await this.#report((state) => (state.live?.status === 'queued' ? [{ type: 'restart', ...(alone ? { alone: true } : {}) }] : []));
      const live = this.lane.session?.state.live;
      alive = alone && !this.#lost && live?.status === 'running' && live.runsAlone;
    } finally {
      // Whoever dropped the run meanwhile did so before the slot was its own.
      if (!alone) this.#giveBack(release);
      else if (!alive) {
        release();
        if (this.#exclusive === release) this.#exclusive = undefined;
      }
    }
  }

  async #model(session: Session, turnId: TurnId, { signal }: ActivityRun): Promise<void> {
    const services = this.#services;
    const begun = (said: () => string): void => {
      this.#said = said;
    };
    await runModelStep({ session, turnId, tools: this.#toolSet(session), services, signal, report: this.#report, begun });
    // An answer that was committed whole is no partial one.
    if (!signal.aborted) this.#said = nothingSaid;
  }

  async #tool(session: Session, { turnId, callId, executor }: Extract<Work, { kind: 'tool' }>, { signal }: ActivityRun): Promise<void> {
    const { store } = this.#services;
    const row = await store.resource(session.head.sid, `${turnId}:${callId}`);
    if (!row) throw new Error(`the tool call ${callId} is missing`);
    const { input, name } = JSON.parse(row.body) as ToolBody;
    if (executor === 'application') {
      // A person has allowed it: now its application is asked to execute it.
      const asked = this.#toolSet(session).answering(name, this.#services.clock.now());
      await this.#report((state) => (state.live?.id === turnId ? [{ type: 'dispatch', callId, input, ...asked }] : []));
      return;
    }
    await runToolStep({ session, turnId, callId, input, tool: this.#toolSet(session).tool(name), services: this.#services, signal, report: this.#report });
  }

  #toolSet(session: Session): ToolSet {
    this.#tools ??= createToolSet(session.config.target.definition, this.#services.tools);
    return this.#tools;
  }

  /** `timeoutSeconds` counts running time of the turn, over all its runs. */
  #watchDeadline({ state, config }: Session): void {
    const { live } = state;
    if (config.timeoutSeconds === null || live?.status !== 'running' || live.runStartedAt === undefined) {
      this.#timers.stop('deadline');
      return;
    }
    const at = live.runStartedAt + config.timeoutSeconds * 1_000 - live.ranMs;
    this.#later('deadline', at, () => this.#stop('timed_out', live.id));
  }

  /** Stops what runs; when it has stopped, or was given up, the turn is settled (N2, N6). */
  #stop(why: 'cancelled' | 'timed_out', turnId: TurnId): void {
    if (this.#stopping) return;
    this.#stopping = why;
    this.#activities.abortAll();
    void this.#settleStopped(why, turnId);
  }

  async #settleStopped(why: 'cancelled' | 'timed_out', turnId: TurnId): Promise<void> {
    // The tools' own grace ends before: what they know then is still told.
    await this.#within(this.#services.graceMs + 1_000, this.#activities.ended());
    this.#activities.abandonAll();
    const partialText = this.#said();
    const attempt = this.#attempt();
    this.#said = nothingSaid;
    try {
      await this.#report((state) => (canStop(state, why, turnId) ? [{ type: 'stopped', outcome: why, partialText, ...attempt }] : []));
      this.#troubles = 0;
    } catch (error) {
      this.#services.report(error, { sessionId: this.lane.session?.row.id ?? '' });
      await this.#pauseFor(new AbortController().signal);
    }
    if (this.#stopping === why) this.#stopping = undefined;
    this.look();
  }

  #endExclusive(): void {
    this.#exclusive?.();
    this.#exclusive = undefined;
  }

  /** Nothing here runs for the session any more. */
  #end(): void {
    this.#timers.stopAll();
    this.#activities.abortAll();
    this.#endExclusive();
    this.#ended();
  }
}

const isPassing = (error: unknown): boolean => error instanceof TurnkeeperError && error.code === 'storage_unavailable';

const canStop = (state: SessionState, why: 'cancelled' | 'timed_out', turnId: TurnId): boolean =>
  state.live?.id === turnId && state.live.status === 'running' && (why === 'timed_out' || state.live.cancelRequested);
