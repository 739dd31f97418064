/**
 * The runner: finds sessions that are owed work, holds them, and lets them go.
 *
 * Owns: claims, sweeps, the node's lease, recovery at start, and the graceful stop.
 *
 * N4 A session is run only by the node that holds it, under the fence of that claim.
 * N5 Nothing depends on a notification: what was missed is found by a sweep.
 */
import type { Committed, Lane } from '../app/lane.ts';
import type { NodeName, RunnerPort, Sessions } from '../app/sessions.ts';
import type { RunServices } from './run-services.ts';
import { SessionRun } from './session-run.ts';

export type RunnerOptions = {
  readonly sessions: Sessions;
  readonly node: NodeName;
  readonly services: RunServices;
  /** How often to look for work that nobody announced. */
  readonly sweepMs: number;
  readonly leaseMs: number;
  /** Sessions held at once: bounds memory, not turns (those wait without being held). */
  readonly mostHeld: number;
};

export class Runner implements RunnerPort {
  readonly #options: RunnerOptions;
  readonly #runs = new Map<number, SessionRun>();
  #state: 'new' | 'running' | 'stopping' | 'stopped' = 'new';
  #wake: { readonly at: number; readonly cancel: () => void } | undefined;
  #claiming: Promise<void> | undefined;
  #again = false;
  #stopSweep: () => void = () => {};
  #stopLease: () => void = () => {};

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  get held(): number {
    return this.#runs.size;
  }

  readonly mayAdopt = (): boolean => this.mayStart() && this.#runs.size < this.#options.mostHeld;
  readonly mayStart = (): boolean => this.#state === 'running' && this.#options.services.slots.free > 0;

  readonly committed = (commit: Committed): void => {
    const { lane, hold } = commit;
    switch (hold) {
      case 'claim':
        this.#hold(lane, commit.session.head.fence).look();
        break;
      case 'release':
        this.#runs.get(lane.sid)?.released();
        break;
      case undefined:
        this.#runs.get(lane.sid)?.look();
        break;
    }
  };

  readonly claimLost = (lane: Lane): void => this.#runs.get(lane.sid)?.drop();

  readonly movedElsewhere = (lane: Lane): void => {
    const run = this.#runs.get(lane.sid);
    if (run) void lane.load().then(() => run.look(), (error: unknown) => this.#options.services.report(error, { sessionId: '' }));
  };

  /** Looks for work at `at` (Unix ms; 0 = now). */
  readonly due = (at: number): void => {
    if (this.#state !== 'running') return;
    const { clock } = this.#options.services;
    const wait = at - clock.now();
    if (wait <= 0) void this.#claim();
    else if (!this.#wake || this.#wake.at > at) {
      this.#wake?.cancel();
      const fire = (): void => {
        this.#wake = undefined;
        void this.#claim();
      };
      this.#wake = { at, cancel: clock.after(wait, fire) };
    }
  };

  /** Announces the node and takes up what an earlier process left. */
  async start(): Promise<void> {
    const { sessions, node, leaseMs, services } = this.#options;
    await sessions.store.heartbeat(node.current, leaseMs);
    this.#state = 'running';
    sessions.attachRunner(this);
    this.#stopLease = this.#every(leaseMs / 3, async () => {
      if (!(await sessions.store.heartbeat(node.current, leaseMs))) await this.#leaseLost();
    });
    this.#stopSweep = this.#every(this.#options.sweepMs, async () => {
      await Promise.all([this.#claim(), sessions.feeds.sweep()]);
    });
    void this.#claim().catch((error: unknown) => services.report(error, { sessionId: '' }));
  }

  /** Nothing new begins; what runs gets `graceMs`; then every session is let go and the node leaves. */
  async stop(graceMs: number): Promise<void> {
    if (this.#state !== 'running') return;
    this.#state = 'stopping';
    this.#stopSweep();
    this.#wake?.cancel();
    await this.#claiming?.catch(() => {});
    const handedOver = Promise.allSettled([...this.#runs.values()].map((run) => run.handOver(graceMs)));
    // A store that cannot be written any more must not keep the process: the next one recovers what is left.
    await Promise.race([handedOver, new Promise<void>((resolve) => void this.#options.services.clock.after(graceMs + 5_000, resolve))]);
    this.#stopLease();
    this.#state = 'stopped';
    await this.#options.sessions.store.leave(this.#options.node.current).catch((error: unknown) => this.#options.services.report(error, { sessionId: '' }));
  }

  /**
   * Another node may hold what this one held: all of it is stopped. The node goes on under a new name, so that what it
   * held under the old one counts as orphaned, for itself as for others.
   */
  async #leaseLost(): Promise<void> {
    for (const run of [...this.#runs.values()]) run.drop();
    this.#options.node.renew();
    await this.#options.sessions.store.heartbeat(this.#options.node.current, this.#options.leaseMs);
    await this.#claim();
  }

  #every(ms: number, run: () => Promise<void>): () => void {
    const { services } = this.#options;
    const { clock } = services;
    let cancel = (): void => {};
    let stopped = false;
    const next = (): void => {
      cancel = clock.after(ms, () => {
        run()
          .catch((error: unknown) => services.report(error, { sessionId: '' }))
          .finally(() => {
            if (!stopped) next();
          });
      });
    };
    next();
    return () => {
      stopped = true;
      cancel();
    };
  }

  #hold(lane: Lane, fence: number): SessionRun {
    const before = this.#runs.get(lane.sid);
    if (before && before.fence === fence) return before;
    before?.drop();
    const run = new SessionRun(lane, fence, this.#options.services, () => {
      if (this.#runs.get(lane.sid) !== run) return;
      this.#runs.delete(lane.sid);
      // Room for one more: something may be waiting for it.
      if (this.#again) void this.#claim();
    });
    this.#runs.set(lane.sid, run);
    return run;
  }

  #claim(): Promise<void> {
    if (this.#claiming) {
      this.#again = true;
      return this.#claiming;
    }
    this.#claiming = this.#claimAll().finally(() => {
      this.#claiming = undefined;
    });
    return this.#claiming;
  }

  async #claimAll(): Promise<void> {
    const { sessions, node, services, mostHeld } = this.#options;
    do {
      this.#again = false;
      const room = Math.min(mostHeld - this.#runs.size, claimsAtOnce);
      if (room <= 0 || this.#state !== 'running') {
        this.#again = room <= 0;
        return;
      }
      const claimed = await sessions.store.claim({ node: node.current, now: services.clock.now(), limit: room });
      await Promise.all(claimed.map(async ({ loaded }) => {
        const lane = await sessions.claimed(loaded);
        // Adopted in the same moment by a commit of this process: that claim is the newer one.
        if (lane.held !== loaded.head.fence) return;
        const run = this.#hold(lane, loaded.head.fence);
        // A run that is open at a fresh claim belonged to a process that is gone.
        if (lane.session?.state.live?.status === 'running') await run.recover();
        else run.look();
      }));
      if (claimed.length === room) this.#again = true;
    } while (this.#again);
    const next = await sessions.store.nextDue(services.clock.now());
    if (next !== null) this.due(next);
  }
}

const claimsAtOnce = 200;
