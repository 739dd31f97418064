/**
 * The runner: finds sessions that are owed work, holds them, and lets them go.
 *
 * Owns: claims, sweeps, recovery at start, and the graceful stop. The node's names and leases are kept in node-lease.ts.
 *
 * N4 A session is run only by the node that holds it, under the fence of that claim.
 * N5 Nothing depends on a notification: what was missed is found by a sweep.
 * N12 What this node was given to hold, it runs: a session that was claimed is opened until that works, and when the
 *     answer of a claim was lost the node goes on under a new name, so that what it took unknowingly is orphaned as soon
 *     as nothing that it knows of is held under the old one.
 * N13 A store that fails never ends the process, nor the runner: the next sweep tries again.
 */
import { wantsHost } from '../app/hosted-sessions.ts';
import { type Committed, type Lane, outcomeUnknown } from '../app/lane.ts';
import type { NodeName, RunnerPort, Sessions } from '../app/sessions.ts';
import { sleep } from '../ports/clock.ts';
import type { Claimed } from '../ports/session-store.ts';
import { NodeLease } from './node-lease.ts';
import type { RunServices } from './run-services.ts';
import { SessionRun } from './session-run.ts';

export type RunnerOptions = {
  readonly sessions: Sessions;
  readonly node: NodeName;
  readonly services: RunServices;
  /** How often to look for work that nobody announced. */
  readonly sweepMs: number;
  readonly leaseMs: number;
  /** Other nodes write to the same store, and take over what this one lets lapse. */
  readonly shared: boolean;
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
  readonly #lease: NodeLease;
  #stopSweep: () => void = () => {};

  constructor(options: RunnerOptions) {
    this.#options = options;
    const { sessions, node, leaseMs, services, shared } = options;
    this.#lease = new NodeLease({
      ...{ store: sessions.store, clock: services.clock, node, leaseMs, shared },
      report: (error) => services.report(error, { sessionId: '' }),
      inUse: (name) => this.#runsOf(name).length > 0,
      over: (name) => {
        const runs = this.#runsOf(name);
        services.telemetry.leaseLost(name, runs.length);
        for (const run of runs) run.drop();
      },
      taken: services.telemetry.leaseTaken,
      changed: () => void this.#claim(),
    });
  }

  get held(): number {
    return this.#runs.size;
  }

  /** It takes sessions: it has started, does not stop, and its lease is not over. */
  get ready(): boolean {
    return this.#state === 'running' && this.#lease.announced;
  }

  readonly mayAdopt = (): boolean => this.mayStart() && this.#room() > 0;
  readonly mayStart = (): boolean => this.#state === 'running' && this.#lease.announced && this.#options.services.slots.free > 0;

  /** What only waits for its owner's other runs is bounded by itself, and takes nobody else's place. */
  #room(): number {
    const room = this.#options.mostHeld - (this.#runs.size - this.#options.sessions.gates.waiting);
    // Counted only where it matters: whoever waits for a child must not keep it out.
    return room > 0 ? room : room + [...this.#runs.values()].filter((run) => run.awaits).length;
  }

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
    const { sessions } = this.#options;
    await this.#lease.start();
    this.#state = 'running';
    sessions.attachRunner(this);
    this.#stopSweep = this.#every(this.#options.sweepMs, async () => {
      await Promise.all([this.#claim(), sessions.feeds.sweep(), sessions.formats.look()]);
    });
    void this.#claim();
  }

  /**
   * Nothing new begins; what runs gets `graceMs`; then every session is let go and the node leaves. `hostedGone` is called when none is
   * held any more that uses mini-tools.
   */
  async stop(graceMs: number, hostedGone: () => void = () => {}): Promise<void> {
    if (this.#state !== 'running') return;
    this.#state = 'stopping';
    this.#stopSweep();
    this.#wake?.cancel();
    const { sessions, services } = this.#options;
    const handedOver = async (): Promise<void> => {
      await this.#claiming;
      const { hosted = [], other = [] } = Object.groupBy(this.#runs.values(), ({ lane }) => (lane.session && wantsHost(lane.session) ? 'hosted' : 'other'));
      const all = (runs: readonly SessionRun[]) => Promise.allSettled(runs.map((run) => run.handOver(graceMs)));
      await Promise.all([all(other), all(hosted).then(hostedGone)]);
    };
    // A store that cannot be written any more must not keep the process: the next one recovers what is left.
    const over = new AbortController();
    await Promise.race([handedOver(), sleep(services.clock, graceMs + 5_000, over.signal).catch(() => {})]);
    over.abort();
    this.#lease.stop();
    this.#state = 'stopped';
    for (const run of [...this.#runs.values()]) run.drop();
    sessions.gates.close();
    await services.tools.close().catch((error: unknown) => services.report(error, { sessionId: '' }));
    await this.#lease.leave();
  }

  #runsOf(name: string): readonly SessionRun[] {
    return [...this.#runs.values()].filter((run) => run.node === name);
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

  /** A session that was found with a claim: a run that is open belonged to a process that is gone, or that dropped it. */
  #takeUp(lane: Lane, head: HeldHead, dropped = false): void {
    const known = this.#runs.get(lane.sid)?.fence === head.fence;
    const run = this.#hold(lane, head);
    if (!known && lane.session?.state.live?.status === 'running') run.recover(dropped ? 'handed_over' : 'lost');
    else run.look();
  }

  #hold(lane: Lane, { fence, node }: HeldHead): SessionRun {
    const before = this.#runs.get(lane.sid);
    if (before && before.fence === fence) return before;
    before?.drop();
    const name = node ?? this.#options.node.current;
    const run = new SessionRun(lane, { fence, node: name, alive: () => this.#lease.alive(name) }, this.#options.services, () => {
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
        if (this.#again && this.#room() > 0) void this.#claim();
      });
    return this.#claiming;
  }

  async #claimAll(): Promise<void> {
    const { sessions, node, services } = this.#options;
    do {
      this.#again = false;
      const room = Math.min(this.#room(), claimsAtOnce);
      const crowded = sessions.gates.crowded();
      if (room <= 0 || this.#state !== 'running') {
        this.#again = room <= 0;
        return;
      }
      // Once it is announced again, it looks for work.
      if (!this.#lease.announced) return;
      const name = node.current;
      const claimed = await sessions.store
        .claim({
          node: name,
          now: services.clock.now(),
          limit: room,
          ...(crowded.length > 0 ? { except: crowded } : {}),
          leaveHosted: services.tools.minitools.areElsewhere(),
        })
        .catch(async (error: unknown) => {
          if (outcomeUnknown(error)) await this.#lease.takeNewName(name);
          throw error;
        });
      const recovered = claimed.filter(({ orphaned }) => orphaned).length;
      if (recovered > 0) services.telemetry.runsRecovered(recovered);
      await Promise.all(claimed.map((claim) => this.#open(claim)));
      if (claimed.length === room) this.#again = true;
    } while (this.#again);
    const next = await sessions.store.nextDue(services.clock.now());
    if (next !== null) this.due(next);
  }

  async #open({ loaded, dropped }: Claimed): Promise<void> {
    const { sessions, services } = this.#options;
    for (let wait = 100; this.#state === 'running'; wait = Math.min(wait * 2, 5_000)) {
      try {
        const lane = await sessions.claimed(loaded);
        // Adopted in the same moment by a commit of this process: that claim is the newer one.
        if (lane?.held === loaded.head.fence) this.#takeUp(lane, loaded.head, dropped);
        return;
      } catch (error) {
        services.report(error, { sessionId: loaded.row.id });
        await sleep(services.clock, wait);
      }
    }
  }
}

type HeldHead = { readonly fence: number; readonly node: string | null };

const claimsAtOnce = 200;
