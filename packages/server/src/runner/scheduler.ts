/**
 * Looks for schedules that owe a slot, and sees that it is submitted. Every node does so; one that is due is claimed.
 *
 * Owns: when is looked, and how many are submitted at once. What a slot is and what becomes of it is app/run-schedule.ts.
 *
 * SW1 The store's time decides what is due, not a timer: one that fires early or late, or never, only delays.
 * SW2 What fails is told and stays owed: its claim runs out, and whoever looks then tries again.
 */
import type { App } from '../app/app.ts';
import { runOwedSlot } from '../app/run-schedule.ts';
import { sleep } from '../ports/clock.ts';

export type SchedulerOptions = {
  readonly app: App;
  /** Other processes look too: what they hold is theirs. */
  readonly shared: boolean;
  readonly sweepMs: number;
  readonly report: (error: unknown, about: { readonly sessionId: string }) => void;
};

const pageRows = 200;
const atOnce = 16;

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #stopping = new AbortController();
  #waiting = new AbortController();
  #again = false;
  #running: Promise<void> | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** A schedule was made or changed: its slot may come before the next look. */
  wake(): void {
    this.#again = true;
    this.#waiting.abort();
  }

  /** Nothing new begins; what is under way is waited for. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#waiting.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { app, shared, sweepMs, report } = this.#options;
    const { signal } = this.#stopping;
    for (let first = true; !signal.aborted; ) {
      this.#again = false;
      let waitMs = sweepMs;
      try {
        if (first && !shared) await app.schedules.releaseAll();
        first = false;
        waitMs = await this.#look();
      } catch (error) {
        report(error, { sessionId: '' });
      }
      if (this.#again || signal.aborted) continue;
      this.#waiting = new AbortController();
      await sleep(app.clock, waitMs, this.#waiting.signal).catch(() => {});
    }
  }

  /** How long there is nothing to do then, as far as it can be seen. */
  async #look(): Promise<number> {
    const { app, sweepMs } = this.#options;
    const now = app.clock.now();
    const rows = await app.schedules.due(now, now + sweepMs, pageRows);
    const due = rows.filter(({ nextAt }) => nextAt !== null && nextAt <= now);
    for (let at = 0; at < due.length && !this.#stopping.signal.aborted; at += atOnce)
      await Promise.all(due.slice(at, at + atOnce).map((row) => this.#fire(row)));
    if (due.length === pageRows) return 0;
    const upcoming = rows.find(({ nextAt }) => nextAt !== null && nextAt > now)?.nextAt;
    return upcoming === undefined || upcoming === null ? sweepMs : Math.max(upcoming - app.clock.now(), 0);
  }

  async #fire(row: Parameters<typeof runOwedSlot>[1]): Promise<void> {
    const { app, report } = this.#options;
    await runOwedSlot(app, row).catch((error: unknown) => report(error, { sessionId: row.sessionId }));
  }
}
