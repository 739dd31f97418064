/**
 * Webhooks on the wire: subscriptions, what was delivered, and the notice that a receiver gets.
 *
 * Members are snake_case, as in the events that a notice tells of.
 */
import { z } from 'zod';
import { eventTypes, isEventType } from '../../session/event-types.ts';
import { limits } from './limits.ts';

const url = z.string().min(1).max(2_048);
/** A subscription to what never comes would be silent for ever. */
const eventType = z.string().refine(isEventType, { error: `no event has this name; there are: ${eventTypes.join(', ')}` });

/** `event_types`: empty = all. Strict: a filter that is misspelt would let all through. */
export const createWebhookRequest = z.strictObject({
  url,
  event_types: z
    .array(eventType)
    .max(limits.webhookEventTypes)
    .default([])
    .transform((types) => [...new Set(types)]),
});

export const webhookResource = z.object({
  id: z.string(),
  url: z.string(),
  event_types: z.array(z.string()),
  /** `paused`: eight attempts in a row failed; `retry` goes on. */
  status: z.enum(['active', 'paused']),
  /** What it is on: a session, one of its turns, or all sessions of an application. */
  session_id: z.string().nullable(),
  turn_id: z.string().nullable(),
  application_id: z.string().nullable(),
  /** Attempts in a row that failed. */
  failures: z.int(),
  /** Why the last attempt failed, or what was left out. */
  last_error: z.string().nullable(),
  /** When the next attempt is due, while one is waited for. */
  next_attempt_at: z.int().nullable(),
  created_at: z.int(),
  /** A secret that was replaced signs beside the new one until then; null = there is none. */
  previous_secret_until: z.int().nullable(),
});
/** `signing_secret` is shown here, and where the same call is repeated by its key; never again. */
export const createdWebhook = webhookResource.extend({ signing_secret: z.string().optional() });
export const rotatedWebhook = webhookResource.extend({ signing_secret: z.string() });

export const deliveryResource = z.object({
  id: z.string(),
  webhook_id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  session_id: z.string(),
  turn_id: z.string().nullable(),
  status: z.enum(['delivered', 'failing']),
  attempts: z.int(),
  response_status: z.int().nullable(),
  error: z.string().nullable(),
  first_attempt_at: z.int(),
  last_attempt_at: z.int(),
});

/** One sending of a delivery's notice. `again`: somebody asked for it. */
export const deliverySending = z.object({
  at: z.int(),
  duration_ms: z.int(),
  response_status: z.int().nullable(),
  error: z.string().nullable(),
  again: z.boolean(),
  /** What went over the wire, signatures included. */
  request: z.object({ url: z.string(), headers: z.record(z.string(), z.string()), body: z.string() }),
});
/** A delivery with what was sent for it, the oldest first. Of very many attempts the later ones are not kept. */
export const deliveryDetails = deliveryResource.extend({ sendings: z.array(deliverySending) });

/** What a receiver gets: that something happened, and where it can be read. */
export const webhookNotice = z.object({
  id: z.string(),
  type: z.string(),
  session_id: z.string(),
  turn_id: z.string().optional(),
  cursor: z.string(),
  created_at: z.int(),
  event_url: z.string(),
});

export const testedWebhook = z.object({ delivered: z.boolean(), response_status: z.int().nullable(), error: z.string().nullable() });

export type CreateWebhookRequest = z.infer<typeof createWebhookRequest>;
export type WebhookResource = z.infer<typeof webhookResource>;
export type CreatedWebhook = z.infer<typeof createdWebhook>;
export type RotatedWebhook = z.infer<typeof rotatedWebhook>;
export type DeliveryDetails = z.infer<typeof deliveryDetails>;
export type DeliveryResource = z.infer<typeof deliveryResource>;
export type WebhookNotice = z.infer<typeof webhookNotice>;
export type TestedWebhook = z.infer<typeof testedWebhook>;
