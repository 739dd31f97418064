/**
 * What runs for a held session now.
 *
 * Owns: that each owed work is under way at most once (N1), its abort, and giving up what ignores it. What was given up
 * is forgotten: it never stands in the way of the same work of a later turn.
 */
export type ActivityRun = {
  readonly signal: AbortSignal;
  /** Resolves when it was given up: nobody waits for it, and nothing that it holds (a slot) is its own any more. */
  readonly abandoned: Promise<void>;
};

type Activity = { readonly abort: AbortController; readonly abandon: () => void; readonly done: Promise<void> };

export class RunActivities {
  readonly #running = new Map<string, Activity>();

  get isEmpty(): boolean {
    return this.#running.size === 0;
  }

  has(key: string): boolean {
    return this.#running.has(key);
  }

  /** Begins `run`, which must not reject; `ended` is called when it has ended, unless it was given up. */
  begin(key: string, run: (activity: ActivityRun) => Promise<void>, ended: () => void): void {
    const abort = new AbortController();
    let abandon = (): void => {};
    const abandoned = new Promise<void>((resolve) => {
      abandon = resolve;
    });
    const done = run({ signal: abort.signal, abandoned }).then(() => {
      if (this.#running.get(key) !== activity) return;
      this.#running.delete(key);
      ended();
    });
    const activity: Activity = { abort, abandon, done };
    this.#running.set(key, activity);
  }

  abortAll(): void {
    for (const { abort } of this.#running.values()) abort.abort(new Error('stopped'));
  }

  /** Resolves when all that runs now has ended. */
  async ended(): Promise<void> {
    await Promise.all([...this.#running.values()].map((activity) => activity.done));
  }

  /** Gives up what still runs. */
  abandonAll(): void {
    const given = [...this.#running.values()];
    this.#running.clear();
    for (const { abandon } of given) abandon();
  }
}
