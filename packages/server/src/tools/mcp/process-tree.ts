/**
 * A program that was started for a tool, with all that it started itself.
 *
 * R1 It runs in a process group of its own, so that what it started ends with it. `end` asks them to stop, and makes them
 *    after `killMs`. The same happens when this process exits; one that is killed outright leaves them to notice that
 *    their input has ended.
 * R2 Its environment is what it is given here, never this server's own: that holds keys.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { type Clock, sleep } from '../../ports/clock.ts';
import { endWithThisProcess, signalGroup, vanished } from '../../processes/process-groups.ts';

export type Program = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Bytes of its standard error that are kept, at least; the newest. */
  readonly kept?: number;
};

const killMs = 2_000;
const lookMs = 50;
const stderrBytes = 4_096;

export class ProcessTree {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #clock: Clock;
  #stderr = Buffer.alloc(0);
  #cut = false;
  #ending: Promise<void> | undefined;

  constructor({ command, args, env, kept = stderrBytes }: Program, clock: Clock) {
    this.#clock = clock;
    this.child = spawn(command, [...args], { env, detached: true, stdio: 'pipe' });
    if (this.child.pid !== undefined) endWithThisProcess(this.child.pid);
    // Always read: a program that nobody listens to would stop at a full pipe.
    this.child.stderr.on('data', (bytes: Buffer) => {
      const all = Buffer.concat([this.#stderr, bytes]);
      this.#cut ||= all.length > 2 * kept;
      this.#stderr = all.subarray(-2 * kept);
    });
    this.child.stderr.on('error', () => {});
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** The newest of what it wrote to its standard error. */
  get stderr(): string {
    return this.#stderr.toString('utf8');
  }

  /** It wrote more before: what is kept may begin anywhere, within a secret too. */
  get stderrIsCut(): boolean {
    return this.#cut;
  }

  /** Resolves when nothing of it runs any more. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    const { pid } = this.child;
    if (pid === undefined) return;
    const exited = new Promise<void>((resolve) => {
      if (this.child.exitCode !== null || this.child.signalCode !== null) resolve();
      else this.child.once('exit', () => resolve());
    });
    this.child.stdin.end();
    if (signalGroup(pid, 'SIGTERM')) await this.#untilGone(pid);
    signalGroup(pid, 'SIGKILL');
    await exited;
    await vanished(pid);
    for (const stream of [this.child.stdin, this.child.stdout, this.child.stderr]) stream.destroy();
  }

  /** Until no process of the group is left, `killMs` at most. */
  async #untilGone(pid: number): Promise<void> {
    const until = this.#clock.now() + killMs;
    while (signalGroup(pid, 0) && this.#clock.now() < until) await sleep(this.#clock, lookMs);
  }
}
