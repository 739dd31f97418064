/**
 * A mini-tool's process and everything that it started.
 *
 * PG1 It leads a process group of its own: what it starts ends with it, and a signal to its group does not reach the server. What
 *     leaves the group (a program that `shell` allowed and that began a session of its own) is not found again.
 * PG2 When this process exits the groups are killed; one that was killed outright leaves its mini-tools to end by themselves (SL3).
 */
import type { ChildProcess } from 'node:child_process';
import { endWithThisProcess, signalGroup, vanished } from '../../processes/process-groups.ts';

export class ProcessGroup {
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  #killing: Promise<void> | undefined;

  constructor(child: ChildProcess) {
    this.#child = child;
    if (child.pid !== undefined) endWithThisProcess(child.pid);
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => {
        if (child.pid === undefined) resolve();
      });
    });
  }

  /** Resolves when nothing of it runs any more. */
  kill(): Promise<void> {
    this.#killing ??= this.#kill();
    return this.#killing;
  }

  async #kill(): Promise<void> {
    const { pid } = this.#child;
    if (pid !== undefined && !signalGroup(pid, 'SIGKILL')) this.#child.kill('SIGKILL');
    await this.#exited;
    if (pid === undefined) return;
    signalGroup(pid, 'SIGKILL');
    await vanished(pid);
  }
}
