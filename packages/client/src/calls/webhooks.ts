/** Webhooks of a session, of one of its turns, or of all sessions of an application. */
import type {
  CreatedWebhook,
  DeliveryDetails,
  DeliveryResource,
  RotatedWebhook,
  TestedWebhook,
  WebhookResource,
} from '@turnkeeper/core/protocol/wire/webhooks';
import type { Transport } from '../transport/transport.ts';
import { api, type Keyed, type Page, type PageQuery, part, sessionPath, turnPath } from './paths.ts';

/** Whose events are told. */
export type WebhookOf = { readonly sessionId: string; readonly turnId?: string } | { readonly applicationId: string };

export type WebhookCalls = {
  /** From now on; `event_types` empty or absent = all. `signing_secret` is in this answer and never again. */
  readonly create: (of: WebhookOf, webhook: { readonly url: string; readonly event_types?: readonly string[] }, options: Keyed) => Promise<CreatedWebhook>;
  readonly list: (of: WebhookOf, query?: PageQuery) => Promise<Page<WebhookResource>>;
  /** All that one may change, whatever they are on; the newest first. */
  readonly all: (query?: PageQuery) => Promise<Page<WebhookResource>>;
  readonly get: (of: WebhookOf, webhookId: string) => Promise<WebhookResource>;
  /** The newest first; the last 1,000 are kept. */
  readonly deliveries: (of: WebhookOf, webhookId: string, query?: PageQuery) => Promise<Page<DeliveryResource>>;
  /** One delivery, with each request that was sent for it. */
  readonly delivery: (of: WebhookOf, webhookId: string, deliveryId: string) => Promise<DeliveryDetails>;
  /** Goes on from a pause, or from a wait for the next attempt. */
  readonly retry: (of: WebhookOf, webhookId: string) => Promise<WebhookResource>;
  /** Sends the notice of one delivery once more, now and outside of any order. */
  readonly redeliver: (of: WebhookOf, webhookId: string, deliveryId: string) => Promise<TestedWebhook>;
  /** Sends a notice of type `webhook.test` now. */
  readonly test: (of: WebhookOf, webhookId: string) => Promise<TestedWebhook>;
  /** The old secret signs too for a day. */
  readonly rotateSecret: (of: WebhookOf, webhookId: string) => Promise<RotatedWebhook>;
  readonly delete: (of: WebhookOf, webhookId: string) => Promise<void>;
};

const webhooksPath = (of: WebhookOf): string => {
  if ('applicationId' in of) return `${api}/applications/${part(of.applicationId)}/webhooks`;
  return `${of.turnId === undefined ? sessionPath(of.sessionId) : turnPath(of.sessionId, of.turnId)}/webhooks`;
};
const webhookPath = (of: WebhookOf, webhookId: string): string => `${webhooksPath(of)}/${part(webhookId)}`;

/** A receiver has 10 s to answer a test. */
const testTimeoutMs = 20_000;

export const createWebhookCalls = ({ request }: Transport): WebhookCalls => ({
  create: (of, body, options) => request('POST', webhooksPath(of), { body, ...options }),
  list: (of, query) => request('GET', webhooksPath(of), query ? { query } : {}),
  all: (query) => request('GET', `${api}/webhooks`, query ? { query } : {}),
  get: (of, id) => request('GET', webhookPath(of, id)),
  deliveries: (of, id, query) => request('GET', `${webhookPath(of, id)}/deliveries`, query ? { query } : {}),
  delivery: (of, id, deliveryId) => request('GET', `${webhookPath(of, id)}/deliveries/${part(deliveryId)}`),
  retry: (of, id) => request('POST', `${webhookPath(of, id)}/retry`),
  redeliver: (of, id, deliveryId) => request('POST', `${webhookPath(of, id)}/deliveries/${part(deliveryId)}/redeliver`, { timeoutMs: testTimeoutMs }),
  test: (of, id) => request('POST', `${webhookPath(of, id)}/test`, { timeoutMs: testTimeoutMs }),
  rotateSecret: (of, id) => request('POST', `${webhookPath(of, id)}/rotate-secret`),
  delete: (of, id) => request('DELETE', webhookPath(of, id)),
});
