/**
 * The names under which this node holds sessions, and their leases as far as they are known here.
 *
 * Owns: heartbeats, when a lease counts as over, and which name the node goes by.
 *
 * N19 A lease counts as over here when its time has passed since the last heartbeat that was taken was *sent*, by a clock that
 *     nobody sets. The time is looked at before anything is begun: a process that was stopped and goes on does not wait for
 *     its timers to find out. So it ends here before it ends for the other nodes. An embedded store has none: there a medium
 *     that fails for a while costs no run.
 * N20 A heartbeat that gets no answer is given up after a fifth of the lease and the next one is sent; a late answer counts
 *     from when it was asked for.
 * N21 When a lease is over the node goes on under a new name, which holds nothing before it was announced; the one before is
 *     told to leave, so that a heartbeat of it that arrives late keeps nothing from the others.
 * LV1 Before it holds anything anew, a node whose lease ended while it tried in vain to renew it says that it lives: no run
 *     that it dropped then has ended its process. One that stood still, for whatever it ran, has tried nothing meanwhile and
 *     does not say so: that counts as the loss that it may be.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { NodeName } from '../app/sessions.ts';
import { type Clock, sleep } from '../ports/clock.ts';
import type { SessionStore } from '../ports/session-store.ts';

export type NodeLeaseOptions = {
  readonly store: Pick<SessionStore, 'heartbeat' | 'leave'>;
  readonly clock: Clock;
  readonly node: NodeName;
  readonly leaseMs: number;
  /** Other nodes take over what this one does not renew. */
  readonly shared: boolean;
  readonly report: (error: unknown) => void;
  /** Sessions are still held under this name. */
  readonly inUse: (name: string) => boolean;
  /** Another node holds what was held under this name, or may: it is dropped. */
  readonly over: (name: string) => void;
  /** This name was announced. */
  readonly taken?: (name: string) => void;
  /** There may be something to claim now: a name was announced, or gave up what it held. */
  readonly changed: () => void;
};

/** `sentAt`: when the last heartbeat that was taken was sent (elapsed ms). */
type Lease = { readonly sentAt: number; readonly stopTimer: () => void };

export class NodeLease {
  readonly #options: NodeLeaseOptions;
  /** Of the names that were announced and are not over. */
  readonly #leases = new Map<string, Lease>();
  /** Names under which sessions are still held though new ones are claimed under another. */
  readonly #former = new Set<string>();
  /** Names that are over and were not told to leave yet, and whether this process was alive all along (LV1). */
  readonly #ended = new Map<string, boolean>();
  /** When heartbeats failed since the last one that was taken (elapsed ms). */
  #failed: { readonly first: number; readonly last: number } | undefined;
  #announcing: Promise<void> | undefined;
  #stopBeat: () => void = () => {};
  #stopped = false;

  constructor(options: NodeLeaseOptions) {
    this.#options = options;
  }

  /** Sessions may be claimed and held under this name, and what is held under it may be worked on. */
  alive(name: string): boolean {
    const lease = this.#leases.get(name);
    const { clock, leaseMs, shared } = this.#options;
    return lease !== undefined && (!shared || clock.elapsed() - lease.sentAt < leaseMs);
  }

  /** The node may claim now. */
  get announced(): boolean {
    return this.alive(this.#options.node.current);
  }

  /** Announces the node; rejects when the store cannot take that. From then on the lease is renewed. */
  async start(): Promise<void> {
    await this.#announce();
    this.#beatIn(this.#options.leaseMs / 3);
  }

  /** A claim under `name` got no answer: what it may have taken is held under a name that will not be renewed for its sake. */
  async takeNewName(name: string): Promise<void> {
    const { node } = this.#options;
    // It was over before the answer was missed.
    if (name !== node.current) return;
    this.#former.add(name);
    node.renew();
    await this.#announce();
  }

  /** No more heartbeats. */
  stop(): void {
    this.#stopped = true;
    this.#stopBeat();
    for (const { stopTimer } of this.#leases.values()) stopTimer();
  }

  /** All names end at once. */
  async leave(): Promise<void> {
    const { store, node, report } = this.#options;
    for (const name of new Set([...this.#former, ...this.#ended.keys(), node.current])) await store.leave(name, this.#ended.get(name)).catch(report);
  }

  #beatIn(ms: number): void {
    this.#stopBeat = this.#options.clock.after(ms, () => void this.#beat());
  }

  async #beat(): Promise<void> {
    const { node, leaseMs, report } = this.#options;
    const beats = [...this.#former].map((name) => this.#renewFormer(name));
    beats.push(this.#leases.has(node.current) ? this.#renew(node.current) : this.#announce());
    const failures = (await Promise.allSettled(beats)).filter((beat) => beat.status === 'rejected');
    for (const { reason } of failures) report(reason);
    if (this.#stopped) return;
    if (failures.length === 0) void this.#leaveEnded();
    // Several tries fit into what is left of a lease; one that was lost is not waited out.
    if (failures.length > 0) this.#beatIn(leaseMs / 15);
    else this.#beatIn(this.#leases.has(node.current) ? leaseMs / 3 : 0);
  }

  async #renewFormer(name: string): Promise<void> {
    if (this.#options.inUse(name)) return this.#renew(name);
    this.#forget(name);
    this.#ended.set(name, false);
  }

  /** One at a time: announcing a name twice orphans what was claimed under it in between. */
  #announce(): Promise<void> {
    this.#announcing ??= this.#announceOnce().finally(() => {
      this.#announcing = undefined;
    });
    return this.#announcing;
  }

  /** A name that could not be announced was perhaps announced all the same: it is not used, and another one is. */
  async #announceOnce(): Promise<void> {
    const { node, changed, taken } = this.#options;
    if (this.#ended.size > 0) await this.#leaveEnded();
    const name = node.current;
    try {
      await this.#renew(name);
    } finally {
      if (node.current === name && !this.#leases.has(name)) {
        this.#ended.set(name, false);
        node.renew();
      }
    }
    if (this.#leases.has(name)) taken?.(name);
    changed();
  }

  /** What was held under them is free for all at once, and this node looks for it, too. Waits for that, but not for long. */
  async #leaveEnded(): Promise<void> {
    const { store, clock, leaseMs, report, changed } = this.#options;
    const left = [...this.#ended].map(([name, alive]) =>
      store.leave(name, alive).then(() => {
        if (this.#ended.delete(name)) changed();
      }, report),
    );
    const over = new AbortController();
    await Promise.race([Promise.all(left), sleep(clock, leaseMs / 5, over.signal).catch(() => {})]);
    over.abort();
  }

  /** One heartbeat; rejects when it failed or was given up. */
  async #renew(name: string): Promise<void> {
    const { store, clock, leaseMs, shared } = this.#options;
    const sentAt = clock.elapsed();
    const answered = store.heartbeat(name, leaseMs).then((held) => this.#answered(name, sentAt, held));
    if (!shared) return answered;
    const over = new AbortController();
    const givenUp = sleep(clock, leaseMs / 5, over.signal).then(() => {
      throw new TurnkeeperError('storage_unavailable', 'A heartbeat got no answer.');
    });
    answered.catch(() => {});
    givenUp.catch(() => {});
    const failed = (error: unknown): never => {
      this.#failed = { first: this.#failed?.first ?? clock.elapsed(), last: clock.elapsed() };
      throw error;
    };
    return Promise.race([answered, givenUp])
      .catch(failed)
      .finally(() => over.abort());
  }

  #answered(name: string, sentAt: number, held: boolean): void {
    const { node, clock, leaseMs, shared } = this.#options;
    const lease = this.#leases.get(name);
    if (this.#stopped || (name !== node.current && !lease)) return;
    // What was over is not taken up again: some of what it held may have been dropped for that.
    if (!held || (lease && !this.alive(name))) {
      this.#end(name);
      return;
    }
    if (lease && lease.sentAt >= sentAt) return;
    this.#failed = undefined;
    lease?.stopTimer();
    const left = leaseMs - (clock.elapsed() - sentAt);
    this.#leases.set(name, { sentAt, stopTimer: shared ? clock.after(left, () => this.#end(name)) : () => {} });
  }

  #end(name: string): void {
    const { node, over } = this.#options;
    this.#forget(name);
    this.#ended.set(name, this.#triedInVain);
    // Before anything is dropped: what is read from now on is not taken for this node's own.
    if (node.current === name) node.renew();
    over(name);
  }

  /** Heartbeats failed one after the other, over some time: what a process sees that stood still all fails at once. */
  get #triedInVain(): boolean {
    return this.#failed !== undefined && this.#failed.last - this.#failed.first >= this.#options.leaseMs / 5;
  }

  #forget(name: string): void {
    this.#leases.get(name)?.stopTimer();
    this.#leases.delete(name);
    this.#former.delete(name);
  }
}
