/**
 * Keeps one mini-tool's process alive: starts it, activates it, starts it again after a crash, and gives up in the end.
 *
 * KA1 After a crash it waits 1 s, after the next 2 s, and so on, 60 s at most; after `mostCrashes` in `crashWindowMs` it gives up and
 *     says why. A start whose `activate` fails, or takes longer than `activateMs`, counts as a crash.
 * KA2 One process at a time: the next one is started when nothing of the one before runs any more.
 * KA3 `stop` lets a running one `deactivate` for `deactivateMs`, then ends it; it resolves when nothing of it runs any more.
 * KA4 Where its files are not on this machine that is no crash: it is looked for again every `missingMs`.
 */
import type { Beginning } from '@turnkeeper/minitool/protocol';
import { type Clock, sleep } from '../../ports/clock.ts';
import { MinitoolDown } from '../host-api.ts';
import type { MinitoolProcess, ProcessEnd } from './minitool-process.ts';

/** What it would be started from is not on this machine: nothing is said of the mini-tool itself. */
export class FilesMissing extends Error {}

export type Crash = { readonly at: number; readonly kind: ProcessEnd['kind'] | 'activate'; readonly detail: string };

export type KeepAliveOptions = {
  readonly clock: Clock;
  /** A fresh process, and what it is told when it begins. Throws where it cannot be started at all, `FilesMissing` where they are. */
  readonly start: () => Promise<{ readonly process: MinitoolProcess; readonly beginning: Beginning }>;
  readonly activated: (process: MinitoolProcess) => void;
  /** A process has ended, or could not be started; nothing of it runs any more. `crash` unless somebody asked for it. */
  readonly ended: (crash: Crash | undefined, process: MinitoolProcess | undefined) => void;
  /** `reason` may say what the process itself said; `kind` does not. */
  readonly gaveUp: (reason: string, kind: Crash['kind']) => void;
};

export type AliveState = 'starting' | 'running' | 'waiting' | 'missing' | 'stopping' | 'stopped';

const mostCrashes = 5;
const crashWindowMs = 10 * 60_000;
const firstWaitMs = 1_000;
const longestWaitMs = 60_000;
const missingMs = 30_000;
const activateMs = 120_000;
const deactivateMs = 5_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class KeepAlive {
  readonly #options: KeepAliveOptions;
  readonly #stopped = new AbortController();
  #state: AliveState = 'starting';
  #process: MinitoolProcess | undefined;
  #crashes: readonly Crash[] = [];
  #lastCrash: Crash | undefined;
  #restarts = 0;
  #loop: Promise<void> | undefined;

  constructor(options: KeepAliveOptions) {
    this.#options = options;
  }

  get state(): AliveState {
    return this.#state;
  }

  /** The process, where it is activated. */
  get process(): MinitoolProcess | undefined {
    return this.#state === 'running' ? this.#process : undefined;
  }

  /** The process that runs, activated or not. */
  get anyProcess(): MinitoolProcess | undefined {
    return this.#process;
  }

  get lastCrash(): Crash | undefined {
    return this.#lastCrash;
  }

  get restarts(): number {
    return this.#restarts;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  async stop(): Promise<void> {
    const running = this.process;
    const first = this.#state !== 'stopping' && this.#state !== 'stopped';
    if (first) this.#state = 'stopping';
    if (first && running) await this.#deactivate(running);
    this.#stopped.abort();
    await this.#process?.stop();
    await this.#loop;
    this.#state = 'stopped';
  }

  async #deactivate(process: MinitoolProcess): Promise<void> {
    const enough = new AbortController();
    const over = sleep(this.#options.clock, deactivateMs, enough.signal).catch(() => {});
    await Promise.race([process.request('deactivate', {}).catch(() => {}), over, process.ended]);
    enough.abort();
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const crash = await this.#live();
      if (this.#stopping) return;
      if (crash === 'missing') {
        this.#state = 'missing';
        await sleep(this.#options.clock, missingMs, this.#stopped.signal).catch(() => {});
        continue;
      }
      if (!crash) continue;
      this.#lastCrash = crash;
      this.#crashes = [...this.#crashes.filter(({ at }) => at > crash.at - crashWindowMs), crash];
      if (this.#crashes.length >= mostCrashes) {
        this.#state = 'stopped';
        this.#options.gaveUp(`It ended ${mostCrashes} times within ${crashWindowMs / 60_000} minutes. The last time: ${crash.detail}`, crash.kind);
        return;
      }
      this.#state = 'waiting';
      this.#restarts += 1;
      const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** (this.#crashes.length - 1));
      await sleep(this.#options.clock, wait, this.#stopped.signal).catch(() => {});
    }
  }

  get #stopping(): boolean {
    return this.#stopped.signal.aborted || this.#state === 'stopping';
  }

  /** From the start of one process to its end. */
  async #live(): Promise<Crash | 'missing' | undefined> {
    const { clock } = this.#options;
    if (!this.#stopping) this.#state = 'starting';
    let begun: Awaited<ReturnType<KeepAliveOptions['start']>>;
    try {
      begun = await this.#options.start();
    } catch (error) {
      if (error instanceof FilesMissing) {
        this.#options.ended(undefined, undefined);
        return 'missing';
      }
      const crash: Crash = { at: clock.now(), kind: 'activate', detail: messageOf(error) };
      this.#options.ended(crash, undefined);
      return crash;
    }
    this.#process = begun.process;
    // `stop` came while it was being started.
    if (this.#stopped.signal.aborted) void begun.process.stop();
    const failed = await this.#activate(begun.process, begun.beginning);
    if (failed) await begun.process.stop();
    const end = await begun.process.ended;
    this.#process = undefined;
    const crash = failed ?? (end.kind === 'stopped' ? undefined : { at: clock.now(), kind: end.kind, detail: end.detail });
    this.#options.ended(crash, begun.process);
    return crash;
  }

  async #activate(process: MinitoolProcess, beginning: Beginning): Promise<Crash | undefined> {
    const { clock, activated } = this.#options;
    const late = new AbortController();
    const stopTimer = clock.after(activateMs, () => late.abort());
    const timedOut = new Promise<never>((_, reject) => {
      late.signal.addEventListener('abort', () => reject(new Error(`activate() was not done after ${activateMs / 1_000} s.`)), { once: true });
    });
    timedOut.catch(() => {});
    try {
      await Promise.race([process.request('activate', beginning), timedOut]);
    } catch (error) {
      // Its end says more than that there is no answer.
      if (error instanceof MinitoolDown) return undefined;
      return { at: clock.now(), kind: 'activate', detail: `activate() failed: ${messageOf(error)}` };
    } finally {
      stopTimer();
    }
    if (!this.#stopping) {
      this.#state = 'running';
      activated(process);
    }
    return undefined;
  }
}
