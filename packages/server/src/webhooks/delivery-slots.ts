/**
 * How many deliveries are under way at once.
 *
 * SL1 Of one owner and to one host only so many: a receiver that is slow, or an owner with much to tell, holds up nobody else.
 * SL2 Owners take turns; of one owner's deliveries the one that waits longest and may go comes first. One that somebody waits for
 *     (a test) stands before its owner's others, not before other owners.
 */
export type SlotLimits = { readonly all: number; readonly owner: number; readonly host: number };

type Waiting = { readonly host: string; readonly go: () => void };

export class DeliverySlots {
  readonly #limits: SlotLimits;
  readonly #owners = new Map<string, number>();
  readonly #hosts = new Map<string, number>();
  /** By owner; whoever was served goes to the end. */
  readonly #waiting = new Map<string, Waiting[]>();
  #used = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  get used(): number {
    return this.#used;
  }

  /** Waits for a slot, before its owner's others when it is `urgent`; what it resolves with gives it back. */
  acquire(owner: string, host: string, urgent = false): Promise<() => void> {
    return new Promise((resolve) => {
      const go = (): void => {
        this.#move(owner, host, 1);
        let held = true;
        resolve(() => {
          if (!held) return;
          held = false;
          this.#move(owner, host, -1);
          this.#serve();
        });
      };
      const queue = this.#waiting.get(owner);
      if (queue && urgent) queue.unshift({ host, go });
      else if (queue) queue.push({ host, go });
      else this.#waiting.set(owner, [{ host, go }]);
      this.#serve();
    });
  }

  #serve(): void {
    for (let served = true; served && this.#used < this.#limits.all; ) {
      served = false;
      for (const [owner, queue] of this.#waiting) {
        if (this.#used >= this.#limits.all) return;
        if ((this.#owners.get(owner) ?? 0) >= this.#limits.owner) continue;
        const at = queue.findIndex(({ host }) => (this.#hosts.get(host) ?? 0) < this.#limits.host);
        const [next] = at < 0 ? [] : queue.splice(at, 1);
        if (!next) continue;
        this.#waiting.delete(owner);
        if (queue.length > 0) this.#waiting.set(owner, queue);
        next.go();
        served = true;
      }
    }
  }

  #move(owner: string, host: string, by: number): void {
    this.#used += by;
    for (const [counts, key] of [
      [this.#owners, owner],
      [this.#hosts, host],
    ] as const) {
      const count = (counts.get(key) ?? 0) + by;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    }
  }
}
