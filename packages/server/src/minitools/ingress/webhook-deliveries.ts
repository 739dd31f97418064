/** The deliveries of all hooks whose mini-tools run here: what `webhooks.begin` asks for. */
import { WhileRunning } from '../delivery/while-running.ts';
import type { HostApi, RunningMinitools } from '../host-api.ts';
import { HookDeliveries, type HookDeliveriesServices } from './hook-deliveries.ts';
import { LargeBodies } from './large-bodies.ts';

export type WebhookDeliveriesOptions = Omit<HookDeliveriesServices, 'minitools'> & {
  readonly minitools: RunningMinitools;
  /** Where a mini-tool's process finds large bodies: it may read there, and not write. */
  readonly inbox: (minitoolId: string) => string;
};

export class WebhookDeliveries {
  readonly #options: WebhookDeliveriesOptions;
  readonly #begun: WhileRunning<HookDeliveries>;
  /** By mini-tool: its hooks share a folder. */
  readonly #bodies = new Map<string, LargeBodies>();

  constructor(options: WebhookDeliveriesOptions) {
    this.#options = options;
    this.#begun = new WhileRunning(options.minitools);
  }

  get api(): Pick<HostApi, 'webhooks.begin'> {
    return {
      'webhooks.begin': async (minitool, { id }) => {
        this.#begun.begin(minitool.id, id, () => new HookDeliveries(this.#options, minitool, id, this.#bodiesOf(minitool.id)));
        return null;
      },
    };
  }

  /** Something came in, here. */
  received(minitoolId: string, hook: string): void {
    this.#begun.get(minitoolId, hook)?.wake();
  }

  /** No further delivery begins. Resolves when those under way have been taken, or the processes have ended. */
  stop(): Promise<void> {
    return this.#begun.stop();
  }

  #bodiesOf(minitoolId: string): LargeBodies {
    const bodies = this.#bodies.get(minitoolId) ?? new LargeBodies(this.#options.inbox(minitoolId));
    this.#bodies.set(minitoolId, bodies);
    return bodies;
  }
}
