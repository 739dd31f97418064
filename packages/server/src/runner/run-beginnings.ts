/**
 * How the runs of one held session begin, and the slots that they begin in.
 *
 * Owns: the slot that a run hands on to its first model call, and the one that a suspect of a crash loop has for itself.
 *
 * N16 A run begins in a slot and hands it on to its first model call: waiting in line is no running time.
 * N17 A run that its owner's limit leaves no room for waits at the owner's gate, without a slot (app/run-gates.ts).
 */
import type { UserMessage } from '@turnkeeper/core/protocol/content';
import type { SessionState } from '@turnkeeper/core/session/state';
import { isChild } from '../app/is-child.ts';
import type { Lane, Session } from '../app/lane.ts';
import type { Ask } from '../app/lane-batch.ts';
import type { Try } from '../app/run-gates.ts';
import type { ActivityRun } from './run-activities.ts';
import type { RunServices } from './run-services.ts';
import type { Release } from './slots.ts';

export type BeginningsOptions = {
  readonly services: RunServices;
  readonly lane: Lane;
  /** Aborted when the server stops: nobody waits for a slot then (N15). */
  readonly draining: AbortSignal;
  /** Commits the beginning of a run, if the state still asks for one. */
  readonly tryRun: (ask: (state: SessionState) => Ask | undefined) => Promise<Try>;
  /** The claim is lost: what was acquired meanwhile is nobody's. */
  readonly lost: () => boolean;
};

export class RunBeginnings {
  readonly #options: BeginningsOptions;
  #exclusive: Release | undefined;
  /** The slot in which a run began, until its model call takes it (N16). */
  #slot: Release | undefined;

  constructor(options: BeginningsOptions) {
    this.#options = options;
  }

  /** Works in a slot: in the one that the run has already, or in a new one. */
  async withSlot(session: Session, { signal, abandoned }: ActivityRun, work: () => Promise<void>): Promise<void> {
    const release = this.#takeSlot() ?? (await this.#options.services.slots.acquire(session.row.owner, AbortSignal.any([signal, this.#options.draining])));
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

  /** The first run of turn `n`. */
  start(session: Session, n: number, { signal }: ActivityRun): Promise<void> {
    return this.#through(session, signal, async (until) => {
      const release = await this.#options.services.slots.acquire(session.row.owner, until);
      this.#slot = release;
      try {
        const body = await this.#options.services.store.payload(session.head.sid, n);
        if (body === undefined) throw new Error(`the input of turn ${n} is missing`);
        const message = JSON.parse(body) as readonly UserMessage[];
        // The lane may have begun it meanwhile, in the commit that ended the turn before.
        return await this.#options.tryRun((state) => (state.live === undefined && state.queue[0]?.n === n ? { type: 'start', message } : undefined));
      } finally {
        this.#giveBack(release);
      }
    });
  }

  /** The next run of the live turn; `alone` while nothing else runs in this process. */
  restart(session: Session, alone: boolean, { signal }: ActivityRun): Promise<void> {
    const again = { type: 'restart', ...(alone ? { alone: true } : {}) } as const;
    return this.#through(session, signal, async (until) => {
      const { slots } = this.#options.services;
      const release = alone ? await slots.acquireAlone(session.row.owner, until) : await slots.acquire(session.row.owner, until);
      let alive = false;
      try {
        // Kept over the commit: its run begins in it.
        if (alone) this.#exclusive = release;
        else this.#slot = release;
        const tried = await this.#options.tryRun((state) => (state.live?.status === 'queued' ? again : undefined));
        const live = this.#options.lane.session?.state.live;
        alive = alone && !this.#options.lost() && live?.status === 'running' && live.runsAlone;
        return tried;
      } finally {
        // Whoever dropped the run meanwhile did so before the slot was its own.
        if (!alone) this.#giveBack(release);
        else if (!alive) {
          release();
          if (this.#exclusive === release) this.#exclusive = undefined;
        }
      }
    });
  }

  /** Tries to begin a run when its owner may run one more, and waits for that without a slot (N17). */
  #through({ row }: Session, signal: AbortSignal, attempt: (until: AbortSignal) => Promise<Try>): Promise<void> {
    const { gates, limits, store } = this.#options.services;
    const until = AbortSignal.any([signal, this.#options.draining]);
    // Its root's turn is the one that counts: a parent would wait for a run that it keeps from beginning.
    if (isChild(row)) return attempt(until).then(() => {});
    return gates.through(row.owner, until, async () => {
      // No slot is asked for in vain: one alone would stop all others.
      await limits.ready(row.owner);
      const limit = limits.of(row.owner)?.running;
      if (limit !== undefined && (await store.quota(row.owner)).running >= limit) return 'full';
      return attempt(until);
    });
  }

  /** The try alone is over: others may run again. */
  endExclusive(): void {
    this.#exclusive?.();
    this.#exclusive = undefined;
  }
}
