/**
 * One held session: looks at what is owed, does it, looks again.
 *
 * Owns: the activities under way (a model call, tools), their abort, the run's deadline, and how the run ends when
 * nothing of it runs any more. Holds no state of the turn: that is the lane's, folded from the log.
 *
 * N1 Each owed work is under way at most once here.
 * N2 A run is settled as stopped only when its activities have ended or were abandoned (grace time).
 * N3 After the claim is lost nothing is reported any more; what still runs is aborted.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { TurnId } from '@turnkeeper/core/session/ids';
import { pendingWork, type Work } from '@turnkeeper/core/session/pending-work';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { UserMessage } from '@turnkeeper/core/protocol/content';
import type { ToolBody } from '@turnkeeper/core/view/tool';
import type { Ask, Plan } from '../app/lane-batch.ts';
import type { Lane, Session } from '../app/lane.ts';
import { runModelStep, type StepReport } from './model-step.ts';
import type { RunServices } from './run-services.ts';
import type { Release } from './slots.ts';
import { createToolSet, type ToolSet } from './tool-set.ts';
import { runToolStep } from './tool-step.ts';

type Activity = { readonly abort: AbortController; readonly done: Promise<void> };
/** Why the run's activities are being stopped, if they are. */
type Stopping = 'cancelled' | 'timed_out' | 'handed_over' | undefined;

export class SessionRun {
  readonly lane: Lane;
  readonly fence: number;
  readonly #services: RunServices;
  readonly #ended: () => void;
  readonly #activities = new Map<string, Activity>();
  readonly #timers = new Map<string, () => void>();
  #tools: ToolSet | undefined;
  #stopping: Stopping;
  #partialText = '';
  #exclusive: Release | undefined;
  #lost = false;
  #troubles = 0;

  constructor(lane: Lane, fence: number, services: RunServices, ended: () => void) {
    this.lane = lane;
    this.fence = fence;
    this.#services = services;
    this.#ended = ended;
  }

  /** Looks at what is owed and begins what is not under way. Called after every commit of the session. */
  look(): void {
    const session = this.lane.session;
    if (this.#lost || !session || this.lane.held !== this.fence) return;
    const { state } = session;
    if (this.#exclusive && !(state.live?.status === 'running' && state.live.runsAlone)) this.#endExclusive();
    if (this.#stopping === 'handed_over') return;
    this.#watchDeadline(session);
    for (const work of pendingWork(state)) this.#begin(work, session);
  }

  /** The claim is another node's, or the session is gone: stop at once, report nothing (N3). */
  drop(): void {
    this.#lost = true;
    this.#abortAll();
    this.#end();
  }

  /**
   * The server stops in good order: nothing new begins; what runs gets `graceMs`, then the run is handed over.
   * Resolves when the session is let go.
   */
  async handOver(graceMs: number): Promise<void> {
    this.#stopping = 'handed_over';
    for (const key of [...this.#timers.keys()]) this.#stopTimer(key);
    const all = (): Promise<unknown> => Promise.all([...this.#activities.values()].map((activity) => activity.done));
    await Promise.race([all(), this.#pause(graceMs)]);
    this.#abortAll();
    await Promise.race([all(), this.#pause(500)]);
    if (this.#lost || this.lane.held !== this.fence) return;
    await this.lane.fact(this.fence, (state) => ({ asks: state.live?.status === 'running' ? [{ type: 'end_run', cause: 'handed_over' }] : [], release: true }));
    this.#end();
  }

  /** A lost run was found with the claim: what it left open is closed, then the turn goes on. */
  async recover(): Promise<void> {
    await this.#report((state) => (state.live?.status === 'running' ? [{ type: 'end_run', cause: 'lost' }] : []));
    this.look();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#services.clock.after(ms, resolve));
  }

  readonly #report: StepReport = async (asks) => {
    if (this.#lost) return false;
    const result = await this.lane.fact(this.fence, (state): Plan => ({ asks: asks(state) }));
    if (result.ok) return true;
    if ('fenced' in result) this.drop();
    return false;
  };

  #begin(work: Work, session: Session): void {
    switch (work.kind) {
      case 'start':
        this.#activity('start', (signal) => this.#start(session, work.n, signal));
        break;
      case 'restart':
        this.#later(`restart ${work.notBefore}`, work.notBefore, () => this.#activity('restart', (signal) => this.#restart(session, work.alone, signal)));
        break;
      case 'model':
        this.#later(`model ${work.notBefore}`, work.notBefore, () => this.#activity('model', (signal) => this.#withSlot(session, signal, () => this.#model(session, signal))));
        break;
      case 'tool':
        this.#activity(`tool ${work.callId}`, (signal) => this.#withSlot(session, signal, () => this.#tool(session, work.turnId, work.callId, signal)));
        break;
      case 'stop':
        this.#stop('cancelled');
        break;
      case 'expire':
        this.#later(`expire ${work.requestId}`, work.notBefore, () => this.#activity(`expire ${work.requestId}`, () => this.#ask({ type: 'expire', requestId: work.requestId })));
        break;
    }
  }

  async #ask(...asks: readonly Ask[]): Promise<void> {
    await this.#report(() => asks);
  }

  #activity(key: string, run: (signal: AbortSignal) => Promise<void>): void {
    if (this.#activities.has(key) || this.#stopping) return;
    const abort = new AbortController();
    const done = run(abort.signal)
      .then(() => {
        this.#troubles = 0;
      })
      .catch((error: unknown) => (abort.signal.aborted ? undefined : this.#troubled(error)))
      .then(() => {
        this.#activities.delete(key);
        this.look();
      });
    this.#activities.set(key, { abort, done });
  }

  /**
   * An activity threw what nobody foresaw. A store that cannot be read is waited for; anything else fails the turn,
   * or, where no run is open to fail, is tried again at growing intervals.
   */
  async #troubled(error: unknown): Promise<void> {
    this.#services.report(error, { sessionId: this.lane.session?.row.id ?? '' });
    const wait = Math.min(1_000 * 2 ** this.#troubles, 30_000);
    this.#troubles += 1;
    const passing = error instanceof TurnkeeperError && error.code === 'storage_unavailable';
    if (!passing) {
      const fail = { type: 'fail', errorCode: 'internal_error', errorMessage: 'Something went wrong on our side.', retryable: true, partialText: '' } as const;
      const failed = await this.#report((state) => (state.live?.status === 'running' ? [fail] : [])).catch(() => false);
      if (failed && this.lane.session?.state.live?.status !== 'queued') return;
    }
    await this.#pause(wait);
  }

  #later(key: string, notBefore: number, begin: () => void): void {
    const wait = notBefore - this.#services.clock.now();
    if (wait <= 0) {
      this.#stopTimer(key);
      begin();
    } else if (!this.#timers.has(key)) {
      const fire = (): void => {
        this.#timers.delete(key);
        this.look();
      };
      this.#timers.set(key, this.#services.clock.after(wait, fire));
    }
  }

  #stopTimer(key: string): void {
    this.#timers.get(key)?.();
    this.#timers.delete(key);
  }

  async #withSlot(session: Session, signal: AbortSignal, run: () => Promise<void>): Promise<void> {
    const release = this.#exclusive ? (): void => {} : await this.#services.slots.acquire(session.row.owner, signal);
    try {
      await run();
    } finally {
      release();
    }
  }

  async #start(session: Session, n: number, signal: AbortSignal): Promise<void> {
    const release = await this.#services.slots.acquire(session.row.owner, signal);
    try {
      const body = await this.#services.store.payload(session.head.sid, n);
      if (body === undefined) throw new Error(`the input of turn ${n} is missing`);
      const message = JSON.parse(body) as readonly UserMessage[];
      // The lane may have begun it meanwhile, in the commit that ended the turn before.
      await this.#report((state) => (state.live === undefined && state.queue[0]?.n === n ? [{ type: 'start', message }] : []));
    } finally {
      release();
    }
  }

  async #restart(session: Session, alone: boolean, signal: AbortSignal): Promise<void> {
    const { slots } = this.#services;
    const release = alone ? await slots.acquireAlone(session.row.owner, signal) : await slots.acquire(session.row.owner, signal);
    if (alone) this.#exclusive = release;
    try {
      await this.#report((state) => (state.live?.status === 'queued' ? [{ type: 'restart', ...(alone ? { alone: true } : {}) }] : []));
    } finally {
      if (!alone) release();
    }
  }

  async #model(session: Session, signal: AbortSignal): Promise<void> {
    const { partialText } = await runModelStep({ session, tools: this.#toolSet(session), services: this.#services, signal, report: this.#report });
    this.#partialText = partialText;
  }

  async #tool(session: Session, turnId: TurnId, callId: string, signal: AbortSignal): Promise<void> {
    const { store } = this.#services;
    const row = await store.resource(session.head.sid, `${turnId}:${callId}`);
    if (!row) throw new Error(`the tool call ${callId} is missing`);
    const body = JSON.parse(row.body) as ToolBody;
    await runToolStep({ session, turnId, callId, input: body.input, tool: this.#toolSet(session).tool(body.name), services: this.#services, signal, report: this.#report });
  }

  #toolSet(session: Session): ToolSet {
    this.#tools ??= createToolSet(session.config.target.definition, this.#services.tools);
    return this.#tools;
  }

  /** `timeoutSeconds` counts running time of the turn, over all its runs. */
  #watchDeadline({ state, config }: Session): void {
    const { live } = state;
    if (config.timeoutSeconds === null || live?.status !== 'running' || live.runStartedAt === undefined) return;
    const at = live.runStartedAt + config.timeoutSeconds * 1_000 - live.ranMs;
    this.#later(`deadline ${live.id} ${live.runs}`, at, () => this.#stop('timed_out'));
  }

  /** Stops what runs; when it has stopped, or was given up, the turn is settled (N2). */
  #stop(why: 'cancelled' | 'timed_out'): void {
    if (this.#stopping) return;
    this.#stopping = why;
    this.#abortAll();
    const running = [...this.#activities.values()].map((activity) => activity.done);
    void Promise.race([Promise.all(running), this.#pause(this.#services.graceMs + 1_000)]).then(async () => {
      const partialText = this.#partialText;
      await this.#report((state) => (canStop(state, why) ? [{ type: 'stopped', outcome: why, partialText }] : []));
      this.#partialText = '';
      if (this.#stopping === why) this.#stopping = undefined;
      this.look();
    });
  }

  #abortAll(): void {
    for (const { abort } of this.#activities.values()) abort.abort(new Error('stopped'));
  }

  #endExclusive(): void {
    this.#exclusive?.();
    this.#exclusive = undefined;
  }

  /** The session was let go: nothing here runs for it any more. */
  #end(): void {
    for (const key of [...this.#timers.keys()]) this.#stopTimer(key);
    this.#endExclusive();
    this.#ended();
  }

  /** The lane let the session go in a commit. */
  released(): void {
    this.#end();
  }
}

const canStop = (state: SessionState, why: 'cancelled' | 'timed_out'): boolean =>
  state.live?.status === 'running' && (why === 'timed_out' || state.live.cancelRequested);
