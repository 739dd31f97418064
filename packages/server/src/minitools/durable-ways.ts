/**
 * The durable ways into mini-tools: events of their sessions, webhooks from outside, schedules. What comes by them is kept until the
 * mini-tool has taken it.
 *
 * They answer the host of the processes, and use it: made before it, they are joined to it once it is there.
 */
import { realpathSync } from 'node:fs';
import { sealedName } from '../app/minitools/sealed-name.ts';
import type { SecretBox } from '../app/secrets.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { MinitoolStore } from '../ports/minitools.ts';
import { Consumers } from './consume/consumers.ts';
import { foldersOf } from './folders.ts';
import { type HostApi, MinitoolDown, type RunningMinitools } from './host-api.ts';
import { WebhookDeliveries } from './ingress/webhook-deliveries.ts';
import { WebhookIngress } from './ingress/webhook-ingress.ts';
import type { LogLevel } from './logs.ts';
import { Schedules } from './schedules/schedules.ts';

export type DurableWaysOptions = {
  readonly store: MinitoolStore;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'next'>;
  /** Absolute. */
  readonly dataFolder: string;
  readonly report: (error: unknown) => void;
};

/** The host of the processes, as far as it is needed here. */
export type JoinedHost = RunningMinitools & {
  readonly logOf: (minitoolId: string) => { readonly write: (level: LogLevel, message: string) => void };
};

type Joined = { readonly host: JoinedHost; readonly consumers: Consumers; readonly deliveries: WebhookDeliveries; readonly schedules: Schedules };
type Answers = Pick<HostApi, 'consume.begin' | 'consume.end' | 'webhooks.begin' | 'schedules.begin'>;

export class DurableWays {
  /** Takes what comes in over webhooks, on every node. */
  readonly door: WebhookIngress;
  readonly api: Answers;
  readonly #options: DurableWaysOptions;
  #joined: Joined | undefined;

  constructor(options: DurableWaysOptions) {
    const { store, box, clock, ids } = options;
    this.#options = options;
    this.door = new WebhookIngress({
      store,
      clock,
      ids,
      secret: async (minitoolId, key) => {
        const sealed = await store.secret(minitoolId, key);
        return sealed === undefined ? undefined : box.open(sealedName(minitoolId, key), sealed);
      },
      received: (minitoolId, hook) => this.#joined?.deliveries.received(minitoolId, hook),
      log: (minitoolId, level, message) => this.#joined?.host.logOf(minitoolId).write(level, message),
    });
    this.api = {
      'consume.begin': (...asked) => this.#parts.consumers.api['consume.begin'](...asked),
      'consume.end': (...asked) => this.#parts.consumers.api['consume.end'](...asked),
      'webhooks.begin': (...asked) => this.#parts.deliveries.api['webhooks.begin'](...asked),
      'schedules.begin': (...asked) => this.#parts.schedules.api['schedules.begin'](...asked),
    };
  }

  /** Before the host starts anything. */
  join(host: JoinedHost): void {
    const { store, clock, report, dataFolder } = this.#options;
    const services = { store, clock, report, minitools: host };
    this.#joined = {
      host,
      consumers: new Consumers(services),
      deliveries: new WebhookDeliveries({ ...services, inbox: (minitoolId) => foldersOf(realpathSync(dataFolder), minitoolId).inbox }),
      schedules: new Schedules(services),
    };
  }

  /** A durable event of a mini-tool's session was added. */
  eventAdded(minitoolId: string): void {
    this.#joined?.consumers.added(minitoolId);
  }

  /** Nothing further is delivered. Resolves when what is under way has been taken, or the processes have ended. */
  async stop(): Promise<void> {
    if (!this.#joined) return;
    const { consumers, deliveries, schedules } = this.#joined;
    await Promise.all([consumers.stop(), deliveries.stop(), schedules.stop()]);
  }

  get #parts(): Joined {
    if (!this.#joined) throw new MinitoolDown('Nothing is delivered yet.');
    return this.#joined;
  }
}
