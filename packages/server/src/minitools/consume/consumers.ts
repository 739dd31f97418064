/** The consumers of all mini-tools that run here: what `consume.begin` and `consume.end` ask for. */
import { WhileRunning } from '../delivery/while-running.ts';
import { type HostApi, MinitoolFailure, type RunningMinitools } from '../host-api.ts';
import { Consumer, type ConsumerServices } from './consumer.ts';

export type ConsumersOptions = Omit<ConsumerServices, 'minitools'> & { readonly minitools: RunningMinitools };

const mostNameCharacters = 200;
const mostConsumers = 100;

export class Consumers {
  readonly #options: ConsumersOptions;
  readonly #begun: WhileRunning<Consumer>;

  constructor(options: ConsumersOptions) {
    this.#options = options;
    this.#begun = new WhileRunning(options.minitools);
  }

  get api(): Pick<HostApi, 'consume.begin' | 'consume.end'> {
    return {
      'consume.begin': async (minitool, { name }) => {
        const characters = [...name].length;
        if (name.trim() === '' || characters > mostNameCharacters || !name.isWellFormed() || name.includes('\0'))
          throw new MinitoolFailure('invalid_argument', `A consumer's name has 1 to ${mostNameCharacters} characters.`);
        const known = this.#begun.get(minitool.id, name) !== undefined;
        if (!known && this.#begun.of(minitool.id).length >= mostConsumers)
          throw new MinitoolFailure('invalid_argument', `There are ${mostConsumers} consumers already.`);
        this.#begun.begin(minitool.id, name, () => new Consumer(this.#options, minitool, name));
        return null;
      },
      'consume.end': async ({ id }, { name }) => {
        this.#begun.end(id, name);
        return null;
      },
    };
  }

  /** Events of a mini-tool's sessions were added. */
  added(minitoolId: string): void {
    for (const consumer of this.#begun.of(minitoolId)) consumer.wake();
  }

  /** No further event is delivered. Resolves when those under way have been taken, or the processes have ended. */
  stop(): Promise<void> {
    return this.#begun.stop();
  }
}
