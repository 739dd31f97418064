/**
 * The callers that this node remembers for a moment, and the credentials that are being revoked.
 *
 * Owns: when what was read of a credential may be believed without reading it again (A1). What is read of one is
 * look-up-caller.ts.
 */
import type { Caller } from './caller.ts';

/** How long a caller is remembered: what changes on another node is noticed here so much later at most. */
const rememberMs = 5_000;
const mostRemembered = 10_000;

/** A caller as it was read. `expiresAt`: when its credential ends by itself. */
export type KnownCaller = { readonly caller: Caller; readonly expiresAt: number | null };

export class CallerCache {
  /** By hash, the one looked up longest ago first. An entry past `until` is read again before it is believed. */
  readonly #callers = new Map<string, { readonly caller: Caller; readonly until: number }>();
  /** Hashes of the credentials that are being revoked; how often, as two may do so at once. */
  readonly #ending = new Map<string, number>();
  /** What is being read, by hash, and how many changes there had been when that began. */
  readonly #reading = new Map<string, { readonly since: number; readonly read: Promise<Caller> }>();
  /** Moves with everything that may have made untrue what is being read. */
  #changes = 0;

  /** The hash was valid here when it was last looked up. */
  has(hash: string): boolean {
    return this.#callers.has(hash);
  }

  isEnding(hash: string): boolean {
    return this.#ending.has(hash);
  }

  get(hash: string, now: number): Caller | undefined {
    const known = this.#callers.get(hash);
    return known && known.until > now ? known.caller : undefined;
  }

  /** Reads a caller and remembers it. Whoever asks meanwhile waits for the same read, unless something changed since it began. */
  async read(hash: string, now: number, look: () => Promise<KnownCaller>): Promise<Caller> {
    const under = this.#reading.get(hash);
    if (under?.since === this.#changes) return under.read;
    const mine = { since: this.#changes, read: this.#look(hash, now, look) };
    this.#reading.set(hash, mine);
    try {
      return await mine.read;
    } finally {
      if (this.#reading.get(hash) === mine) this.#reading.delete(hash);
    }
  }

  /** What is read while something changes is true of those who asked before, and is not remembered. */
  async #look(hash: string, now: number, look: () => Promise<KnownCaller>): Promise<Caller> {
    const before = this.#changes;
    const { caller, expiresAt } = await look();
    if (before === this.#changes) this.#remember(hash, caller, Math.min(now + rememberMs, expiresAt ?? Number.POSITIVE_INFINITY));
    return caller;
  }

  /** Refuses these credentials from now on while `work` revokes them. */
  async whileEnding<Of>(hashes: readonly string[], work: () => Promise<Of>): Promise<Of> {
    for (const hash of hashes) {
      this.#ending.set(hash, (this.#ending.get(hash) ?? 0) + 1);
      this.#callers.delete(hash);
    }
    try {
      return await work();
    } finally {
      // Still valid if that failed: then the next request reads them again.
      this.#changes += 1;
      for (const hash of hashes) {
        const others = (this.#ending.get(hash) ?? 1) - 1;
        if (others > 0) this.#ending.set(hash, others);
        else this.#ending.delete(hash);
      }
    }
  }

  forget(hash: string): void {
    this.#callers.delete(hash);
  }

  /** Something of these callers has changed: the next request reads them again. Gives back the hashes of those that were known. */
  forgetAll(which: (caller: Caller) => boolean): readonly string[] {
    this.#changes += 1;
    const forgotten = [...this.#callers].filter(([, { caller }]) => which(caller)).map(([hash]) => hash);
    for (const hash of forgotten) this.#callers.delete(hash);
    return forgotten;
  }

  #remember(hash: string, caller: Caller, until: number): void {
    this.#callers.delete(hash);
    const [oldest] = this.#callers.keys();
    if (this.#callers.size >= mostRemembered && oldest !== undefined) this.#callers.delete(oldest);
    this.#callers.set(hash, { caller, until });
  }
}
