/** The logs of the mini-tools, each opened when it is first asked for. */
import type { Clock } from '../ports/clock.ts';
import { foldersOf } from './folders.ts';
import { MinitoolLog } from './logs.ts';

export class KeptLogs {
  readonly #dataFolder: string;
  readonly #clock: Clock;
  readonly #logs = new Map<string, MinitoolLog>();

  constructor(dataFolder: string, clock: Clock) {
    this.#dataFolder = dataFolder;
    this.#clock = clock;
  }

  of(id: string): MinitoolLog {
    const known = this.#logs.get(id);
    if (known) return known;
    const log = new MinitoolLog(foldersOf(this.#dataFolder, id).log, this.#clock);
    this.#logs.set(id, log);
    return log;
  }

  /** Its file is gone. */
  forget(id: string): void {
    this.#logs.delete(id);
  }
}
