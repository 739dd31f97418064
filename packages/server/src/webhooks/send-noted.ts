/** Sends, and says what was sent: with its signatures, which show nothing of the secret. */
import type { Clock } from '../ports/clock.ts';
import type { Sending, WebhookAnswer, WebhookRequest, WebhookSender } from '../ports/webhooks.ts';

export type Sent = { readonly answer: WebhookAnswer; readonly sending: Sending };

export const sendNoted = async (
  { sender, clock }: { readonly sender: WebhookSender; readonly clock: Clock },
  request: WebhookRequest,
  signal?: AbortSignal,
): Promise<Sent> => {
  const at = clock.now();
  const began = clock.elapsed();
  const answer = await sender.send(request, signal);
  const { status, error } = answer;
  return { answer, sending: { at, ms: Math.round(clock.elapsed() - began), status, error, request } };
};
