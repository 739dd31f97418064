/** The schedules of all mini-tools that run here: what `schedules.begin` asks for. */
import { WhileRunning } from '../delivery/while-running.ts';
import type { HostApi, RunningMinitools } from '../host-api.ts';
import { Firing, type FiringServices } from './firing.ts';

export type SchedulesOptions = Omit<FiringServices, 'minitools'> & { readonly minitools: RunningMinitools };

export class Schedules {
  readonly #options: SchedulesOptions;
  readonly #begun: WhileRunning<Firing>;

  constructor(options: SchedulesOptions) {
    this.#options = options;
    this.#begun = new WhileRunning(options.minitools);
  }

  get api(): Pick<HostApi, 'schedules.begin'> {
    return {
      'schedules.begin': async (minitool) => {
        for (const schedule of minitool.manifest.contributes.schedules)
          this.#begun.begin(minitool.id, schedule.id, () => new Firing(this.#options, minitool, schedule));
        return null;
      },
    };
  }

  /** Nothing further is fired. Resolves when what is under way has been taken, or the processes have ended. */
  stop(): Promise<void> {
    return this.#begun.stop();
  }
}
