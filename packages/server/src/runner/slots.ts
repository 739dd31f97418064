/**
 * Slots: how many model calls and tools run at once in this process.
 *
 * Z1 Slots bound model calls and tool executions, not turns: who waits for people or other sessions holds none.
 * Z2 Owners take turns: one with many waiting calls delays another's by one call at most.
 * Z3 An exclusive holder (a suspect of a crash loop) runs while nothing else does; it waits for what runs to end, and
 *    what comes meanwhile waits for it.
 */

export type Release = () => void;
type Waiter = { readonly owner: string; readonly exclusive: boolean; readonly grant: () => void };

export class Slots {
  readonly #capacity: number;
  readonly #owners = new Map<string, Waiter[]>();
  readonly #suspects: Waiter[] = [];
  #used = 0;
  #exclusive = false;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Free now, with nobody waiting before. */
  get free(): number {
    const blocked = this.#exclusive || this.#suspects.length > 0 || this.#owners.size > 0;
    return blocked ? 0 : this.#capacity - this.#used;
  }

  get used(): number {
    return this.#used;
  }

  /** Resolves with the slot's release when it is this call's turn; rejects with the signal's reason. */
  acquire(owner: string, signal: AbortSignal): Promise<Release> {
    return this.#wait({ owner, exclusive: false }, signal);
  }

  /** As `acquire`, but resolves when everything else has stopped, and keeps it from starting until released. */
  acquireAlone(owner: string, signal: AbortSignal): Promise<Release> {
    return this.#wait({ owner, exclusive: true }, signal);
  }

  #wait(who: { readonly owner: string; readonly exclusive: boolean }, signal: AbortSignal): Promise<Release> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const abort = (): void => {
        this.#withdraw(waiter);
        reject(signal.reason);
        this.#next();
      };
      const waiter: Waiter = {
        ...who,
        grant: () => {
          signal.removeEventListener('abort', abort);
          resolve(this.#releaseOf(who.exclusive));
        },
      };
      signal.addEventListener('abort', abort, { once: true });
      if (who.exclusive) this.#suspects.push(waiter);
      else this.#owners.set(who.owner, [...(this.#owners.get(who.owner) ?? []), waiter]);
      this.#next();
    });
  }

  #releaseOf(exclusive: boolean): Release {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      if (exclusive) this.#exclusive = false;
      else this.#used -= 1;
      this.#next();
    };
  }

  #withdraw(waiter: Waiter): void {
    const at = this.#suspects.indexOf(waiter);
    if (at !== -1) this.#suspects.splice(at, 1);
    const rest = (this.#owners.get(waiter.owner) ?? []).filter((other) => other !== waiter);
    if (rest.length > 0) this.#owners.set(waiter.owner, rest);
    else this.#owners.delete(waiter.owner);
  }

  #next(): void {
    if (this.#exclusive) return;
    const suspect = this.#suspects[0];
    if (suspect) {
      if (this.#used > 0) return;
      this.#suspects.shift();
      this.#exclusive = true;
      suspect.grant();
      return;
    }
    while (this.#used < this.#capacity) {
      const entry = this.#owners.entries().next();
      if (entry.done) return;
      const [owner, waiters] = entry.value;
      const waiter = waiters.shift();
      // To the end of the line: the next slot is another owner's.
      this.#owners.delete(owner);
      if (waiters.length > 0) this.#owners.set(owner, waiters);
      if (!waiter) continue;
      this.#used += 1;
      waiter.grant();
    }
  }
}
