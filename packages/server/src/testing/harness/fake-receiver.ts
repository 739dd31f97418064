/** A receiver of webhooks in the test's hand: what it was sent, and how it answers. */
import type { WebhookNotice } from '@turnkeeper/core/protocol/wire/webhooks';
import type { WebhookAnswer, WebhookRequest, WebhookSender } from '../../ports/webhooks.ts';

export type Received = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly notice: WebhookNotice; readonly body: string };

export type FakeReceiver = WebhookSender & {
  /** Everything that was sent, failed attempts too. */
  readonly received: readonly Received[];
  /** How it answers from now on; by default it takes all. May wait. */
  readonly answer: (answer: (received: Received) => WebhookAnswer | Promise<WebhookAnswer>) => void;
};

export const taken: WebhookAnswer = { ok: true, status: 200, error: null };
export const refused: WebhookAnswer = { ok: false, status: 500, error: 'answered 500.' };

export const createFakeReceiver = (): FakeReceiver => {
  const received: Received[] = [];
  let respond: (received: Received) => WebhookAnswer | Promise<WebhookAnswer> = () => taken;
  const until = (signal: AbortSignal | undefined): Promise<WebhookAnswer> =>
    new Promise((resolve) => signal?.addEventListener('abort', () => resolve({ ok: false, status: null, error: 'stopped.' })));
  return {
    received,
    answer: (answer) => {
      respond = answer;
    },
    fault: (url) => (url.startsWith('https://') ? undefined : 'an https:// URL is wanted'),
    send: async ({ url, headers, body }: WebhookRequest, signal) => {
      const one = { url, headers, body, notice: JSON.parse(body) as WebhookNotice };
      received.push(one);
      return Promise.race([respond(one), until(signal)]);
    },
    close: async () => {},
  };
};
