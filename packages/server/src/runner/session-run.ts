/**
 * One held session: looks at what is owed, does it, looks again.
 *
 * Owns: the activities under way (a model call, tools), their abort, the run's deadline, and how the run ends when
 * nothing of it runs any more. Holds no state of the turn: that is the lane's, folded from the log.
 *
 * N1 Each owed work is under way at most once here.
 * N2 A run is settled as stopped only when its activities have ended or were abandoned (grace time). What was abandoned
 *    holds no slot and stands in nobody's way.
 * N3 After the claim is lost, or the session is gone, nothing is reported any more; what still runs is aborted. A claim
 *    whose lease is over is lost, whoever else may hold the session: nothing is begun on it (N19).
 * N6 What ends, fails or times out a turn names that turn: its successor may have begun in the same commit.
 * N8 While it is held a session is never without somebody who looks: what is not known here is read again.
 * N15 A server that stops begins nothing: whoever waits for a slot or a pause then stops waiting.
 */
import type { TurnId } from '@turnkeeper/core/session/ids';
import { pendingWork, type Work } from '@turnkeeper/core/session/pending-work';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { Lane, Session } from '../app/lane.ts';
import type { Ask, Plan } from '../app/lane-batch.ts';
import type { Try } from '../app/run-gates.ts';
import { sleep } from '../ports/clock.ts';
import { CallUnderWay } from './call-under-way.ts';
import { ChildSteps, lookMs } from './child-steps.ts';
import { expiry } from './expiry.ts';
import { runFlowStep } from './flow-step.ts';
import { hearInputs } from './hear-inputs.ts';
import { knownCost } from './known-cost.ts';
import type { LostCalls } from './lost-calls.ts';
import { closeLostRun, type LostRunEnd } from './lost-run.ts';
import { runModelStep, type StepReport } from './model-step.ts';
import { storedTurn } from './outcome-verdict.ts';
import { type ActivityRun, RunActivities } from './run-activities.ts';
import { RunBeginnings } from './run-beginnings.ts';
import { runCall } from './run-call.ts';
import type { RunServices } from './run-services.ts';
import { RunTimers } from './run-timers.ts';
import { failTurn, isPassing, RunTroubles } from './run-troubles.ts';
import { runningInputs } from './running-inputs.ts';
import { SessionTools } from './session-tools.ts';
import { StateWatch } from './state-watch.ts';

/** Why the run's activities are being stopped, if they are. */
type Stopping = 'cancelled' | 'timed_out' | 'handed_over' | undefined;

/** `alive`: the lease under which the session is held is not over. */
type Claim = { readonly fence: number; readonly node: string; readonly alive: () => boolean };

/** What aborted work gets to stop when the whole server stops. */
const handOverAbortMs = 500;
/** Between two tries to give a session back. */
const leaveAgainMs = 1_000;
/** Work that needs nobody before it is due, be it far off. */
const mayBeLater: ReadonlySet<Work['kind']> = new Set(['flow', 'child', 'restart', 'wake', 'expire']);

/** While it only waits for children it is not: they could not begin (Z1). */
const isTriedAlone = (state: SessionState): boolean =>
  state.live?.status === 'running' && state.live.runsAlone && !pendingWork(state).every(({ kind }) => kind === 'await' || kind === 'tell');

export class SessionRun {
  readonly lane: Lane;
  readonly fence: number;
  /** The name of the node under which the session is held. */
  readonly node: string;
  readonly #services: RunServices;
  readonly #alive: () => boolean;
  readonly #ended: () => void;
  readonly #activities = new RunActivities();
  readonly #timers: RunTimers;
  readonly #tools: SessionTools;
  readonly #children: ChildSteps;
  readonly #beginnings: RunBeginnings;
  readonly #watch: StateWatch;
  readonly #lostCalls: LostCalls = new Map();
  /** When the children are looked at next. */
  #lookAt = 0;
  #stopping: Stopping;
  readonly #call = new CallUnderWay();
  #lost = false;
  #seen = -1;
  /** How the run that was open at the claim has ended; undefined once that is written (N9). */
  #unrecovered: LostRunEnd | undefined;
  /** Aborts whoever waits for a slot or a pause when the server stops: nothing new begins then (N15). */
  readonly #draining = new AbortController();
  readonly #troubles: RunTroubles;

  constructor(lane: Lane, claim: Claim, services: RunServices, ended: () => void) {
    this.lane = lane;
    this.fence = claim.fence;
    this.node = claim.node;
    this.#alive = claim.alive;
    this.#services = services;
    this.#timers = new RunTimers(services.clock);
    this.#troubles = new RunTroubles(services.clock, this.#draining.signal);
    this.#tools = new SessionTools(services.tools, services.clock, services);
    this.#watch = new StateWatch(services.clock);
    this.#children = new ChildSteps({ family: services.family, clock: services.clock, lane, report: (asks) => this.#report(asks) });
    this.#beginnings = new RunBeginnings({ services, lane, draining: this.#draining.signal, tryRun: (ask) => this.#tryRun(ask), lost: () => this.#lost });
    this.#ended = ended;
  }

  /** The session was committed: deltas change nothing of what is owed. */
  moved(stateSeq: number): void {
    if (stateSeq === this.#seen) return;
    this.#seen = stateSeq;
    this.look();
  }

  /** It only waits for children, or for a time: it takes nobody's place. */
  get awaits(): boolean {
    const state = this.lane.session?.state;
    const work = state ? pendingWork(state) : [];
    const now = this.#services.clock.now();
    return work.length > 0 && work.every((each) => each.kind === 'await' || (mayBeLater.has(each.kind) && 'notBefore' in each && (each.notBefore ?? 0) > now));
  }

  /** Looks at what is owed and begins what is not under way. */
  look(): void {
    this.#watch.moved();
    if (!this.#mayAct() || this.lane.held !== this.fence) return;
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
      const cause = this.#unrecovered;
      this.#activity('recover', () => this.#closeLostRun(cause));
      return;
    }
    if (!this.#activities.has('restart') && !isTriedAlone(state)) this.#beginnings.endExclusive();
    if (this.#stopping === 'handed_over') return;
    this.#watchDeadline(session);
    const works = pendingWork(state);
    if (this.#services.isForeign(session) && !works.some(({ kind }) => kind === 'stop')) {
      // A step that is under way ends here; who only waits for a slot does so where the session belongs.
      const isStill = this.#activities.isEmpty || state.live?.status !== 'running';
      if (isStill && !this.#stopping) void this.#leaveToHost();
      return;
    }
    for (const work of works) this.#begin(work, session);
  }

  /** Another node is to run the session. As long as that cannot be written, it is this one's (N8). */
  async #leaveToHost(): Promise<void> {
    while (!this.#lost) {
      try {
        return await this.handOver(0);
      } catch (error) {
        this.#services.report(error, { sessionId: this.lane.session?.row.id ?? '' });
        await sleep(this.#services.clock, leaveAgainMs);
      }
    }
  }

  /** The claim is another node's, or the session is gone: stop at once, report nothing (N3). */
  drop(): void {
    this.#lost = true;
    this.lane.letGo(this.fence);
    this.#end();
  }

  /** Asked before anything is begun for the session: false, and all is dropped, when the claim is too old to rest on. */
  readonly #mayAct = (): boolean => {
    if (!this.#lost && !this.#alive()) this.drop();
    return !this.#lost;
  };

  /** The lane let the session go in a commit: nothing is owed, and what may still run (of a deleted one) is aborted. */
  released(): void {
    this.#end();
  }

  /** A run that was open when the session was claimed belonged to a process that is gone, or that dropped it (N9). */
  recover(ended: LostRunEnd): void {
    this.#unrecovered = ended;
    this.look();
  }

  /**
   * The server stops in good order, or the session is another node's to run: nothing new begins; what runs gets `graceMs`, then the run is handed over.
   * Resolves when the session is let go.
   */
  async handOver(graceMs: number): Promise<void> {
    this.#stopping = 'handed_over';
    this.#draining.abort(new Error('the session is handed over'));
    this.#timers.stopAll();
    await this.#within(graceMs, this.#activities.ended());
    this.#activities.abortAll();
    await this.#within(handOverAbortMs, this.#activities.ended());
    this.#activities.abandonAll();
    if (this.#lost || this.lane.held !== this.fence) return;
    const cause = this.#unrecovered ?? 'handed_over';
    const inputs = await this.#inputs().catch(() => ({}));
    await this.lane.fact(this.fence, (state) => ({
      asks: state.live?.status === 'running' ? [{ type: 'end_run', cause, inputs, ...this.#attempt(state) }] : [],
      release: true,
    }));
    this.#end();
  }

  async #inputs() {
    return runningInputs(this.#services.store, await this.lane.load());
  }

  /** The model call that is under way, if one is: it counts though it is stopped. */
  #attempt(state: SessionState): ReturnType<CallUnderWay['attempt']> {
    return this.#call.attempt(state, () => {
      const config = this.lane.session?.config;
      const model = config?.target.definition.model;
      return config && model !== undefined ? { model, ...knownCost(this.#services, config, model) } : undefined;
    });
  }

  async #closeLostRun(cause: LostRunEnd): Promise<void> {
    await closeLostRun({ lane: this.lane, store: this.#services.store, report: this.#report }, cause);
    this.#unrecovered = undefined;
  }

  /** Waits for `work`, at most `ms`. */
  async #within(ms: number, work: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    await Promise.race([work, sleep(this.#services.clock, ms, over.signal).catch(() => {})]);
    over.abort();
  }

  readonly #report: StepReport = async (asks, checkpoint) => {
    if (this.#lost) return false;
    try {
      const result = await this.lane.fact(this.fence, (state): Plan => ({ asks: asks(state), ...(checkpoint ? { checkpoint } : {}) }));
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
        this.#activity('start', (run) => this.#beginnings.start(session, work.n, run));
        break;
      case 'restart':
        this.#later('restart', work.notBefore, () => this.#activity('restart', (run) => this.#beginnings.restart(session, work.alone, run)));
        break;
      case 'child':
        this.#later(`child ${work.childId}`, work.notBefore ?? 0, () => this.#activity(`child ${work.childId}`, () => this.#children[work.step](work.childId)));
        break;
      case 'tell':
        this.#activity('tell', () => this.#children.tell(work.news));
        break;
      case 'conclude':
        this.#activity('conclude', () => this.#conclude(work.turnId));
        break;
      case 'flow':
        this.#later('flow', work.notBefore, () => this.#activity('flow', () => this.#flow(work.turnId)));
        break;
      case 'wake':
        this.#later('wake', work.notBefore, () => this.#activity('wake', async () => void (await this.#report(() => [{ type: 'wake_flow' }]))));
        break;
      case 'await':
        this.#later('await', this.#lookAt, () => this.#activity('await', () => this.#lookAtChildren()));
        break;
      case 'apply':
        // Under the name of the model call, which it comes before: neither begins while the other is under way (IN2).
        this.#activity('model', (run) => this.#beginnings.withSlot(session, run, () => this.#apply(session, work, run)));
        break;
      case 'model':
        this.#later('model', work.notBefore, () =>
          this.#activity('model', (run) => this.#beginnings.withSlot(session, run, () => this.#model(session, work.turnId, run))),
        );
        break;
      case 'tool':
        // Nothing is executed here for a child: the slot is the child's.
        if (work.executor === 'session') this.#activity(`tool ${work.callId}`, (run) => this.#tool(session, work, run));
        else this.#activity(`tool ${work.callId}`, (run) => this.#toolInSlot(session, work, run));
        break;
      case 'stop':
        this.#stop('cancelled', work.turnId);
        break;
      case 'expire':
        this.#later(`expire ${work.requestId}`, work.notBefore, () =>
          this.#activity(`expire ${work.requestId}`, async () => void (await this.#report((state) => [expiry(state, session, work.requestId)]))),
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
        if (before && (await this.#children.isOver(before))) return;
        await work(activity);
        // Nothing moved, and the same would be begun again at once (N7).
        const idle = before && this.lane.session?.head.stateSeq === before.head.stateSeq;
        if (idle && !activity.signal.aborted && !this.#lost) await this.#troubles.pause(activity.signal);
        else this.#troubles.over();
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
    this.#services.report(error, { sessionId: this.lane.session?.row.id ?? '', turnId });
    const fail = () => failTurn(this.#report, turnId, (state) => this.#call.partialText(state));
    if (!isPassing(error) && (await fail().catch(() => false))) return;
    await this.#troubles.pause(signal);
  }

  async #conclude(turnId: TurnId): Promise<void> {
    const { output_text: outputText = '', result } = await storedTurn(this.#services, await this.lane.load(), turnId);
    const concluded = { type: 'conclude', outputText, ...(result === undefined ? {} : { result }) } as const;
    await this.#report(({ live }) => (live?.id === turnId && live.check?.verdict !== undefined ? [concluded] : []));
  }

  async #flow(turnId: TurnId): Promise<void> {
    await runFlowStep({ session: await this.lane.load(), turnId, services: this.#services, report: this.#report });
  }

  async #lookAtChildren(): Promise<void> {
    this.#lookAt = this.#services.clock.now() + lookMs;
    await this.#children.look();
  }

  #later(name: string, notBefore: number, begin: () => void): void {
    if (notBefore > this.#services.clock.now()) {
      this.#timers.set(name, notBefore, () => this.look());
      return;
    }
    this.#timers.stop(name);
    begin();
  }

  async #tryRun(ask: (state: SessionState) => Ask | undefined): Promise<Try> {
    if (this.#lost) return 'nothing';
    let asked = false;
    const result = await this.lane.fact(this.fence, (state): Plan => {
      const wish = ask(state);
      asked = wish !== undefined;
      return { asks: wish ? [wish] : [] };
    });
    if (result.ok) return asked ? 'began' : 'nothing';
    if ('fenced' in result) this.drop();
    return 'full' in result ? 'full' : 'nothing';
  }

  async #model(session: Session, turnId: TurnId, { signal }: ActivityRun): Promise<void> {
    const services = this.#services;
    const begun = (said: () => string): void => this.#call.begun(this.lane.session?.state, said);
    const tools = () => this.#tools.of(session, signal);
    await runModelStep({ session, turnId, tools, services, signal, report: this.#report, mayAct: this.#mayAct, begun });
  }

  /** What was said becomes part of the turn; then, in the same slot, the model is called, where that is owed now. */
  async #apply(session: Session, { turnId, inputs }: Extract<Work, { kind: 'apply' }>, run: ActivityRun): Promise<void> {
    await hearInputs({ store: this.#services.store, sid: session.head.sid, turnId, inputs, report: this.#report });
    if (!this.#mayAct() || run.signal.aborted) return;
    const next = await this.lane.load();
    const [work] = pendingWork(next.state);
    if (work?.kind === 'model' && work.turnId === turnId && work.notBefore <= this.#services.clock.now()) await this.#model(next, turnId, run);
  }

  async #toolInSlot(session: Session, work: Extract<Work, { kind: 'tool' }>, run: ActivityRun): Promise<void> {
    if (!(await this.#tools.takesNoSlot(session, work.name, run.signal))) {
      await this.#beginnings.withSlot(session, run, () => this.#tool(session, work, run));
    } else if (!this.#draining.signal.aborted) await Promise.race([this.#tool(session, work, run), run.abandoned]);
  }

  async #tool(session: Session, work: Extract<Work, { kind: 'tool' }>, { signal }: ActivityRun): Promise<void> {
    const tools = () => this.#tools.of(session, signal);
    const state = () => this.lane.session?.state;
    const of = { services: this.#services, report: this.#report, mayAct: this.#mayAct, state, watch: this.#watch, lost: this.#lostCalls };
    await runCall(session, work, { ...of, tools, signal });
  }

  /** `timeoutSeconds` counts running time of the turn, over all its runs. */
  #watchDeadline({ state, config }: Session): void {
    const { live } = state;
    if (config.timeoutSeconds === null || live?.status !== 'running' || live.runStartedAt === undefined || live.waitingSince !== undefined) {
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
    const over = new AbortController();
    const children = why === 'cancelled' ? this.#children.stop(over.signal).catch(() => {}) : undefined;
    await this.#within(this.#services.graceMs + 1_000, Promise.all([this.#activities.ended(), children]));
    over.abort();
    this.#activities.abandonAll();
    const stopped = (state: SessionState): Ask => ({ type: 'stopped', outcome: why, partialText: this.#call.partialText(state), ...this.#attempt(state) });
    try {
      await this.#report((state) => (canStop(state, why, turnId) ? [stopped(state)] : []));
      this.#troubles.over();
    } catch (error) {
      this.#services.report(error, { sessionId: this.lane.session?.row.id ?? '' });
      await this.#troubles.pause(new AbortController().signal);
    }
    if (this.#stopping === why) this.#stopping = undefined;
    this.look();
  }

  /** Nothing here runs for the session any more. */
  #end(): void {
    this.#timers.stopAll();
    this.#activities.abortAll();
    this.#beginnings.endExclusive();
    this.#tools.end();
    this.#ended();
  }
}

const canStop = (state: SessionState, why: 'cancelled' | 'timed_out', turnId: TurnId): boolean =>
  state.live?.id === turnId && state.live.status === 'running' && (why === 'timed_out' || state.live.cancelRequested);
