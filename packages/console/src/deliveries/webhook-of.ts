/** What a webhook is on, as the API is asked for it and as it is named. */
import type { WebhookOf } from '@turnkeeper/client/calls/webhooks';
import type { WebhookResource } from '@turnkeeper/core/protocol/wire/webhooks';
import type { Query } from '../shell/query.ts';

type Subject = Pick<WebhookResource, 'session_id' | 'turn_id' | 'application_id'>;

export const webhookOf = ({ session_id, turn_id, application_id }: Subject): WebhookOf => {
  if (application_id !== null) return { applicationId: application_id };
  return turn_id === null ? { sessionId: session_id ?? '' } : { sessionId: session_id ?? '', turnId: turn_id };
};

/** The same beside its id in an address, so that what is opened there can be asked for by other ways (palette/place-forms.ts). */
export const subjectQuery = ({ session_id, turn_id, application_id }: Subject): Query => {
  if (application_id !== null) return { application: application_id };
  return { session: session_id ?? '', ...(turn_id === null ? {} : { turn: turn_id }) };
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
