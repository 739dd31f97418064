/** What a receiver gets of a delivery, as far as it is known: signatures are made anew with each attempt, with secrets that nobody reads back. */
import type { DeliveryResource, WebhookResource } from '@turnkeeper/core/protocol/wire/webhooks';

export const requestText = ({ url }: Pick<WebhookResource, 'url'>, delivery: DeliveryResource, base: string): string => {
  const { event_id: id, event_type: type, session_id, turn_id } = delivery;
  const at = Math.floor(delivery.last_attempt_at / 1_000);
  const notice = { id, type, session_id, ...(turn_id === null ? {} : { turn_id }), event_url: `${base}/api/v1/agent-sessions/${session_id}/events/${id}` };
  return [
    `POST ${url}`,
    'content-type: application/json',
    `webhook-id: ${id}`,
    `webhook-timestamp: ${at}`,
    'webhook-signature: v1,…',
    `x-webhook-timestamp: ${at}`,
    'x-webhook-signature: v1=…',
    '',
    JSON.stringify(notice, null, 2),
  ].join('\n');
};
