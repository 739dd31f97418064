/** What comes from outside, and what comes by time: both are kept by the server until the handler has taken them. */
import type { Disposable } from './lifetime.ts';

/** A request that came in over a webhook of the manifest, verified. */
export interface WebhookDelivery {
  readonly id: string;
  readonly webhookId: string;
  /** Made from the platform's own id of the message: the key for `ctx.sessions.send`. */
  readonly idempotencyKey: string;
  readonly orderKey: string;
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** ISO 8601. */
  readonly receivedAt: string;
  /** 1 at first. */
  readonly attempt: number;
  /** The body as UTF-8. */
  text(): string;
  /** The body as JSON; throws where it is none. */
  json(): unknown;
}

export interface Http {
  /** Deliveries come in order for each order key. What the handler rejects comes again, later each time. */
  onWebhook(id: string, handler: (delivery: WebhookDelivery) => unknown): Disposable;
}

/** One slot of a schedule of the manifest. */
export interface ScheduleFire {
  readonly scheduleId: string;
  /** The same however often the slot is told: a key for `ctx.sessions`. */
  readonly fireId: string;
  /** When it was due, ISO 8601. */
  readonly slot: string;
}

export interface Timers {
  onSchedule(id: string, handler: (fire: ScheduleFire) => unknown): Disposable;
}
