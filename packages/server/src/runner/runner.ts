/**
 * The runner: finds sessions that are owed work, holds them, and lets them go.
 *
 * Owns: claims, sweeps, the node's lease, recovery at start, and the graceful stop.
 *
 * N4 A session is run only by the node that holds it, under the fence of that claim.
 * N5 Nothing depends on a notification: what was missed is found by a sweep.
 * N12 What this node was given to hold, it runs: a session that was claimed is opened until that works, and when the
 *     answer of a claim was lost the node goes on under a new name, so that what it took unknowingly is orphaned as soon
 *     as nothing that it knows of is held under the old one.
 * N13 A store that fails never ends the process, nor the runner: the next sweep tries again.
 */
import { type Committed, type Lane, outcomeUnknown } from '../app/lane.ts';
import type { NodeName, RunnerPort, Sessions } from '../app/sessions.ts';
import { sleep } from '../ports/clock.ts';
import type { Loaded } from '../ports/session-store.ts';
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
  /** Names under which sessions are still held though new ones are claimed under another. */
  readonly #formerNames = new Set<string>();
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
        this.#hold(lane, commit.session.head).look();
        break;
      case 'release':
        this.#runs.get(lane.sid)?.released();
        break;
      case undefined:
        this.#runs.get(lane.sid)?.moved(commit.session.head.stateSeq);
        break;
    }
  };

  readonly claimLost = (lane: Lane): void => this.#runs.get(lane.sid)?.drop();

  readonly movedElsewhere = (lane: Lane): void => {
    // It reads the session itself, until that works (N8).
    this.#runs.get(lane.sid)?.look();
  };

  readonly reread = (lane: Lane, claimed: boolean): void => {
    const { session } = lane;
    if (claimed && session) this.#takeUp(lane, session.head);
    else this.#runs.get(lane.sid)?.look();
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
    const { sessions, node, leaseMs } = this.#options;
    await sessions.store.heartbeat(node.current, leaseMs);
    this.#state = 'running';
    sessions.attachRunner(this);
    this.#stopLease = this.#every(leaseMs / 3, () => this.#renewLease());
    this.#stopSweep = this.#every(this.#options.sweepMs, async () => {
      await Promise.all([this.#claim(), sessions.feeds.sweep()]);
    });
    void this.#claim();
  }

  /** Nothing new begins; what runs gets `graceMs`; then every session is let go and the node leaves. */
  async stop(graceMs: number): Promise<void> {
    if (this.#state !== 'running') return;
    this.#state = 'stopping';
    this.#stopSweep();
    this.#wake?.cancel();
    const { sessions, node, services } = this.#options;
    const handedOver = async (): Promise<void> => {
      await this.#claiming;
      await Promise.allSettled([...this.#runs.values()].map((run) => run.handOver(graceMs)));
    };
    // A store that cannot be written any more must not keep the process: the next one recovers what is left.
    const over = new AbortController();
    await Promise.race([handedOver(), sleep(services.clock, graceMs + 5_000, over.signal).catch(() => {})]);
    over.abort();
    this.#stopLease();
    this.#state = 'stopped';
    for (const run of [...this.#runs.values()]) run.drop();
    for (const name of [...this.#formerNames, node.current])
      await sessions.store.leave(name).catch((error: unknown) => services.report(error, { sessionId: '' }));
  }

  async #renewLease(): Promise<void> {
    const { sessions, node, leaseMs } = this.#options;
    for (const name of [...this.#formerNames]) {
      const used = [...this.#runs.values()].some((run) => run.node === name);
      if (used && (await sessions.store.heartbeat(name, leaseMs))) continue;
      for (const run of [...this.#runs.values()]) if (run.node === name) run.drop();
      if (!used) await sessions.store.leave(name);
      this.#formerNames.delete(name);
      void this.#claim();
    }
    if (!(await sessions.store.heartbeat(node.current, leaseMs))) await this.#leaseLost();
  }

  /** A claim got no answer: what it may have taken is held under a name that will not be renewed for its sake (N12). */
  async #takeNewName(): Promise<void> {
    const { sessions, node, leaseMs } = this.#options;
    this.#formerNames.add(node.current);
    node.renew();
    await sessions.store.heartbeat(node.current, leaseMs);
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

  /** A session that was found with a claim: a run that is open belonged to a process that is gone. */
  #takeUp(lane: Lane, head: Claimed): void {
    const known = this.#runs.get(lane.sid)?.fence === head.fence;
    const run = this.#hold(lane, head);
    if (!known && lane.session?.state.live?.status === 'running') run.recover();
    else run.look();
  }

  #hold(lane: Lane, { fence, node }: Claimed): SessionRun {
    const before = this.#runs.get(lane.sid);
    if (before && before.fence === fence) return before;
    before?.drop();
    const run = new SessionRun(lane, { fence, node: node ?? this.#options.node.current }, this.#options.services, () => {
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
    this.#claiming = this.#claimAll()
      .catch((error: unknown) => this.#options.services.report(error, { sessionId: '' }))
      .finally(() => {
        this.#claiming = undefined;
        // Asked for after the last look, while the next due time was read: it must not wait for a sweep (N5).
        if (this.#again && this.#runs.size < this.#options.mostHeld) void this.#claim();
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
      const claimed = await sessions.store.claim({ node: node.current, now: services.clock.now(), limit: room }).catch(async (error: unknown) => {
        if (outcomeUnknown(error)) await this.#takeNewName();
        throw error;
      });
      await Promise.all(claimed.map(({ loaded }) => this.#open(loaded)));
      if (claimed.length === room) this.#again = true;
    } while (this.#again);
    const next = await sessions.store.nextDue(services.clock.now());
    if (next !== null) this.due(next);
  }

  async #open(loaded: Loaded): Promise<void> {
    const { sessions, services } = this.#options;
    for (let wait = 100; this.#state === 'running'; wait = Math.min(wait * 2, 5_000)) {
      try {
        const lane = await sessions.claimed(loaded);
        // Adopted in the same moment by a commit of this process: that claim is the newer one.
        if (lane.held === loaded.head.fence) this.#takeUp(lane, loaded.head);
        return;
      } catch (error) {
        services.report(error, { sessionId: loaded.row.id });
        await sleep(services.clock, wait);
      }
    }
  }
}

type Claimed = { readonly fence: number; readonly node: string | null };

const claimsAtOnce = 200;
