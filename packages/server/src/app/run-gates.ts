/**
 * Where turns wait whose owner may run no more at once.
 *
 * Owns: who of an owner's turns on this node tries next. Does not own: whether there is room, which the store alone says
 * (the owner's counter under its lock).
 *
 * RG1 Who waits here holds no slot, and nothing is tried in vain more often than once a second for an owner and node,
 *     unless a run of that owner began or ended.
 * RG2 First come, first served: one tries at a time, and whoever comes while others wait goes behind them.
 * RG3 A run that ends here is heard at once, one that ends elsewhere within a second. Where other nodes share the store,
 *     what comes free is left for them to find now and then: turns that follow each other here never shut out theirs.
 * RG4 Nothing is kept of an owner for whom nobody waits.
 */
import type { Clock } from '../ports/clock.ts';

/** What became of a try: a run began, there was no room, or nothing is owed any more. */
export type Try = 'began' | 'full' | 'nothing';

type Waiter = { wake: () => void };
type Phase =
  | { readonly kind: 'opened' }
  /** A moment passes before the next try. */
  | { readonly kind: 'rests'; readonly stop: () => void }
  /** One tries. With `tooEarly` a run ended since: it may have looked before. */
  | { readonly kind: 'tries'; readonly waiter: Waiter; readonly tooEarly: boolean };
type Gate = {
  readonly waiting: Waiter[];
  phase: Phase;
  /** When what comes free here is next left for other nodes (Unix ms). */
  leaveAt: number;
};

const opened: Phase = { kind: 'opened' };
const tries = ({ phase }: Gate, waiter: Waiter): boolean => phase.kind === 'tries' && phase.waiter === waiter;
const stopResting = ({ phase }: Gate): void => {
  if (phase.kind === 'rests') phase.stop();
};

const relookMs = 1_000;
const leaveEveryMs = 5_000;
/** With so many waiting here, more sessions of the owner are not taken up: they wait in the store, at no cost. */
const crowd = 32;

export class RunGates {
  readonly #clock: Clock;
  readonly #shared: boolean;
  readonly #thinned: () => void;
  readonly #gates = new Map<string, Gate>();
  #waiting = 0;

  /** `thinned`: an owner is not crowded any more. */
  constructor(options: { readonly clock: Clock; readonly shared: boolean; readonly thinned: () => void }) {
    this.#clock = options.clock;
    this.#shared = options.shared;
    this.#thinned = options.thinned;
  }

  /** True while the owner is known to be at its limit, or turns of it wait: nothing overtakes them. */
  closed(owner: string): boolean {
    return this.#gates.has(owner);
  }

  /** How many wait, of all owners. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Owners of whom more waiting sessions need not be taken up. */
  crowded(): readonly string[] {
    return [...this.#gates].flatMap(([owner, { waiting }]) => (waiting.length >= crowd ? [owner] : []));
  }

  /** The store refused a run of this owner. */
  full(owner: string): void {
    this.#relookLater(owner, this.#gate(owner));
  }

  /** A run of this owner ended, or its limit may have been raised. */
  opened(owner: string): void {
    const gate = this.#gates.get(owner);
    if (!gate) return;
    if (this.#shared && this.#clock.now() >= gate.leaveAt) {
      gate.leaveAt = this.#clock.now() + leaveEveryMs;
      this.#relookLater(owner, gate);
      return;
    }
    if (gate.phase.kind === 'tries') gate.phase = { ...gate.phase, tooEarly: true };
    else this.#next(owner, gate);
  }

  /** Makes the try when it is its turn, and again while there is no room. Rejects with the signal's reason. */
  async through(owner: string, signal: AbortSignal, attempt: () => Promise<Try>): Promise<void> {
    const waiter: Waiter = { wake: () => {} };
    let waits = this.#gates.has(owner);
    for (;;) {
      if (waits) await this.#turn(owner, waiter, signal);
      let outcome: Try = 'nothing';
      try {
        outcome = await attempt();
      } finally {
        if (outcome === 'full') this.#refused(owner, waiter);
        else this.#left(owner, waiter);
      }
      if (outcome !== 'full') return;
      waits = true;
    }
  }

  /** Looks no more; for the end of the process. */
  close(): void {
    for (const gate of this.#gates.values()) stopResting(gate);
    this.#gates.clear();
  }

  #gate(owner: string): Gate {
    const known = this.#gates.get(owner);
    if (known) return known;
    const gate: Gate = { waiting: [], phase: opened, leaveAt: this.#clock.now() + leaveEveryMs };
    this.#gates.set(owner, gate);
    return gate;
  }

  #queue(gate: Gate, waiter: Waiter): void {
    if (gate.waiting.includes(waiter)) return;
    gate.waiting.push(waiter);
    this.#waiting += 1;
  }

  async #turn(owner: string, waiter: Waiter, signal: AbortSignal): Promise<void> {
    const gate = this.#gate(owner);
    this.#queue(gate, waiter);
    this.#relookLater(owner, gate);
    if (tries(gate, waiter)) return;
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        this.#left(owner, waiter);
        reject(signal.reason);
      };
      if (signal.aborted) {
        abort();
        return;
      }
      signal.addEventListener('abort', abort, { once: true });
      waiter.wake = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
    });
  }

  /** It keeps its place. */
  #refused(owner: string, waiter: Waiter): void {
    const gate = this.#gate(owner);
    this.#queue(gate, waiter);
    const { phase } = gate;
    if (phase.kind === 'tries' && phase.waiter === waiter) {
      gate.phase = opened;
      if (phase.tooEarly) {
        this.#next(owner, gate);
        return;
      }
    }
    this.#relookLater(owner, gate);
  }

  #left(owner: string, waiter: Waiter): void {
    const gate = this.#gates.get(owner);
    if (!gate) return;
    const at = gate.waiting.indexOf(waiter);
    if (at !== -1) {
      gate.waiting.splice(at, 1);
      this.#waiting -= 1;
      if (gate.waiting.length === crowd - 1) this.#thinned();
    }
    if (tries(gate, waiter) || (gate.phase.kind !== 'tries' && gate.waiting.length === 0)) this.#next(owner, gate);
  }

  /** The first one tries; with nobody there the gate is gone. */
  #next(owner: string, gate: Gate): void {
    stopResting(gate);
    const [first] = gate.waiting;
    if (!first) {
      this.#gates.delete(owner);
      return;
    }
    gate.phase = { kind: 'tries', waiter: first, tooEarly: false };
    first.wake();
  }

  #relookLater(owner: string, gate: Gate): void {
    if (gate.phase.kind !== 'opened') return;
    gate.phase = { kind: 'rests', stop: this.#clock.after(relookMs, () => this.#next(owner, gate)) };
  }
}
