/**
 * Which node hosts the mini-tools: one of those on a database at a time, the only one on an embedded store.
 *
 * HL1 A lease that could not be renewed in time counts as lost here before it is over for the others: then everything is stopped.
 * HL2 `lost` is told of that by a timer of the lease's own, whatever else the node and its store are busy with.
 * HL3 Other nodes are told when it is taken and when it is given back (`changed`): they need not wait for their next look.
 */
import type { Clock } from '../ports/clock.ts';
import type { MinitoolStore } from '../ports/minitools.ts';

/** As long as a node's (semantics, section 8): what a killed host has left goes on elsewhere as soon as its sessions do. */
const leaseMs = 15_000;
const renewMs = 3_000;
/** What stopping takes, at most: it begins so much before another node may begin. */
const stoppingMs = 7_000;

export type HostLeaseOptions = {
  readonly store: Pick<MinitoolStore, 'host' | 'hostedBy'>;
  readonly clock: Clock;
  readonly node: () => string;
  /** Other nodes are on the same database. */
  readonly shared: boolean;
  readonly lost: () => void;
  readonly changed?: () => void;
};

export class HostLease {
  readonly #options: HostLeaseOptions;
  /** Under which name, and since when by a clock that nobody sets. */
  #held: { readonly node: string; readonly at: number } | undefined;
  /** Until when another node has it, as far as is known; 0 = none has. */
  #othersUntil = 0;
  #stopTimer = (): void => {};
  #turn: Promise<void> = Promise.resolve();

  constructor(options: HostLeaseOptions) {
    this.#options = options;
  }

  get held(): boolean {
    const { shared, clock } = this.#options;
    if (!shared) return true;
    return this.#held !== undefined && clock.elapsed() - this.#held.at < leaseMs - stoppingMs;
  }

  /** Another node has it, or had it until `afterMs` ago: as it was when it was last looked at. */
  isElsewhere(afterMs: number): boolean {
    return !this.held && this.#options.clock.now() < this.#othersUntil + afterMs;
  }

  /** When to renew it, or to look who has it: in ms from now. Not after it is over for another node. */
  get nextLookMs(): number {
    const left = this.#othersUntil - this.#options.clock.now();
    return left > 0 ? Math.min(renewMs, left) : renewMs;
  }

  /** Looks who has it. Rejects where the store cannot tell: then it stays as it was known. */
  async look(): Promise<void> {
    const { store, node } = this.#options;
    const host = await store.hostedBy();
    if (host) this.#othersUntil = host.node === node() ? 0 : host.until;
  }

  /** Takes or renews it. Rejects where the store cannot tell. */
  async take(): Promise<void> {
    if (this.#options.shared) await this.#inTurn(() => this.#ask());
  }

  /** Takes none that it does not have. */
  async renew(): Promise<void> {
    if (this.#options.shared)
      await this.#inTurn(async () => {
        if (this.held) await this.#ask();
      });
  }

  /** Another node may have it at once. */
  release(): Promise<void> {
    return this.#inTurn(async () => {
      const { store, clock, changed } = this.#options;
      const held = this.#held;
      this.#set(undefined);
      if (!held) return;
      await store.host(held.node, clock.now(), clock.now());
      changed?.();
    });
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #ask(): Promise<void> {
    const { store, clock, lost, changed } = this.#options;
    const wasHeld = this.held;
    const node = this.#held && wasHeld ? this.#held.node : this.#options.node();
    const at = clock.elapsed();
    const now = clock.now();
    this.#set((await store.host(node, now, now + leaseMs)) ? { node, at } : undefined);
    if (wasHeld && !this.#held) lost();
    else if (!wasHeld && this.#held) changed?.();
  }

  #set(held: { readonly node: string; readonly at: number } | undefined): void {
    this.#stopTimer();
    this.#held = held;
    const { clock, lost } = this.#options;
    if (held) this.#stopTimer = clock.after(Math.max(0, held.at + leaseMs - stoppingMs - clock.elapsed()), lost);
  }
}
