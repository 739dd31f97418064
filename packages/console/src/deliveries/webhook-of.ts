/** What a webhook is on, as the API is asked for it and as it is named. */
import type { WebhookOf } from '@turnkeeper/client/calls/webhooks';
import type { WebhookResource } from '@turnkeeper/core/protocol/wire/webhooks';

type Subject = Pick<WebhookResource, 'session_id' | 'turn_id' | 'application_id'>;

export const webhookOf = ({ session_id, turn_id, application_id }: Subject): WebhookOf => {
  if (application_id !== null) return { applicationId: application_id };
  return turn_id === null ? { sessionId: session_id ?? '' } : { sessionId: session_id ?? '', turnId: turn_id };
};

/** Events that people ask for most; any other may be named. */
export const usualEvents = [
  'turn.completed',
  'turn.partial_succeeded',
  'turn.failed',
  'turn.cancelled',
  'turn.timed_out',
  'turn.requires_action',
  'turn.interrupted',
] as const;
