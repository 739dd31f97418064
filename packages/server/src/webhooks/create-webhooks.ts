/** The webhooks of a node: the sender, the dispatcher, and what use cases ask of them. */
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { DeliveryRow, WebhookAnswer, WebhookRow, WebhookSender, WebhookStore, Webhooks } from '../ports/webhooks.ts';
import type { SlotLimits } from './delivery-slots.ts';
import { WebhookDispatcher } from './dispatcher.ts';
import { noticeOf, secretsInForce } from './notice.ts';
import { type Sent, sendNoted } from './send-noted.ts';
import { newSigningSecret, signedHeaders } from './signatures.ts';

export type CreateWebhooksOptions = {
  readonly store: WebhookStore;
  readonly sessions: Pick<SessionStore, 'events'>;
  readonly sender: WebhookSender;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'next'>;
  /** How secrets are kept: by name. */
  readonly box: { readonly seal: (name: string, text: string) => string; readonly open: (name: string, sealed: string) => string };
  readonly base: () => string;
  readonly node: () => string;
  readonly shared: boolean;
  readonly telemetry: Telemetry;
  readonly report: (error: unknown) => void;
  readonly sweepMs?: number;
  readonly limits?: SlotLimits;
  readonly ownerLanes?: number;
  /** In [0, 1): spreads retries. */
  readonly random?: () => number;
};

const nameOf = (webhookId: string): string => `webhook:${webhookId}`;

export const createWebhooks = (options: CreateWebhooksOptions): { readonly webhooks: Webhooks; readonly dispatcher: WebhookDispatcher } => {
  const { store, sessions, sender, clock, ids, box, base } = options;
  const open = (webhookId: string, sealed: string): string => box.open(nameOf(webhookId), sealed);
  const dispatcher = new WebhookDispatcher({ ...options, open, random: options.random ?? Math.random });
  const send = (webhook: WebhookRow, notice: { readonly id: string }, now: number): Promise<Sent> => {
    const body = JSON.stringify(notice);
    const secrets = secretsInForce(webhook, now, open);
    const headers = signedHeaders({ id: notice.id, atSeconds: Math.floor(now / 1_000), body, secrets });
    return sendNoted({ sender, clock }, { url: webhook.url, headers, body });
  };
  /** Signed when its turn has come: a timestamp is of the sending. */
  const sendTest = async (webhook: WebhookRow): Promise<WebhookAnswer> => {
    const now = clock.now();
    const { subject } = webhook;
    const session = subject.kind === 'application' ? {} : { session_id: subject.sessionId };
    const owner = subject.kind === 'application' ? `/api/v1/applications/${subject.applicationId}` : `/api/v1/agent-sessions/${subject.sessionId}`;
    const notice = { id: ids.next('evt_test'), type: 'webhook.test', ...session, created_at: now, event_url: `${base()}${owner}/webhooks/${webhook.id}` };
    return (await send(webhook, notice, now)).answer;
  };
  const sendAgain = async (webhook: WebhookRow, { id, sid, seq, sessionId }: DeliveryRow): Promise<WebhookAnswer | undefined> => {
    const [row] = await sessions.events({ sid, after: seq - 1, upto: seq, limit: 1 });
    if (!row) return undefined;
    const { answer, sending } = await send(webhook, noticeOf({ webhook, sid, sessionId: sessionId as SessionId }, row, base()), clock.now());
    // It went out: whoever asked for it is not told that it failed, and would ask again.
    await store.sentAgain(webhook.id, id, { ...sending, again: true }).catch(options.report);
    return answer;
  };
  const newSecret = (webhookId: string): { readonly text: string; readonly sealed: string } => {
    const text = newSigningSecret();
    return { text, sealed: box.seal(nameOf(webhookId), text) };
  };
  const test = (webhook: WebhookRow): Promise<WebhookAnswer> => dispatcher.inSlot(webhook, () => sendTest(webhook));
  const resend = (webhook: WebhookRow, delivery: DeliveryRow): Promise<WebhookAnswer | undefined> =>
    dispatcher.inSlot(webhook, () => sendAgain(webhook, delivery));
  const registered = (webhook: WebhookRow): void => dispatcher.registered(webhook);
  const webhooks = { store, fault: sender.fault, newSecret, reveal: open, registered, test, resend };
  return { webhooks, dispatcher };
};
