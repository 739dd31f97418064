/** `ctx.http` and `ctx.timers`: what comes from outside and what comes by time. */
import { readFile } from 'node:fs/promises';
import type { Http, ScheduleFire, Timers, WebhookDelivery } from '../context/ingress.ts';
import type { Logger } from '../context/logger.ts';
import type { SentDelivery } from '../protocol.ts';
import type { ToolPeer } from '../rpc/peer.ts';
import { createHandlers } from './handlers.ts';
import type { Settling } from './settling.ts';

export type IngressHost = {
  readonly http: Http;
  readonly timers: Timers;
  readonly deliver: (id: string, delivery: SentDelivery) => Promise<null>;
  readonly fire: (id: string, fireId: string, slot: string) => Promise<null>;
};

const deliveryOf = async (webhookId: string, { body, file, ...said }: SentDelivery): Promise<WebhookDelivery> => {
  const bytes = file === undefined ? Buffer.from(body, 'base64') : await readFile(file);
  const text = (): string => bytes.toString('utf8');
  return { ...said, webhookId, body: bytes, text, json: () => JSON.parse(text()) as unknown };
};

export const createIngress = (host: Pick<ToolPeer, 'ask'>, settling: Settling, logger: Logger): IngressHost => {
  const nothing = (): void => {};
  const webhooks = createHandlers<WebhookDelivery>('ctx.http.onWebhook', logger, {
    begin: (id) => settling.add(`The webhook "${id}"`, host.ask('webhooks.begin', { id })),
    end: nothing,
  });
  const schedules = createHandlers<ScheduleFire>('ctx.timers.onSchedule', logger, {
    begin: (id) => settling.add(`The schedule "${id}"`, host.ask('schedules.begin', { id })),
    end: nothing,
  });
  return {
    http: { onWebhook: (id, handler) => webhooks.add(id, handler) },
    timers: { onSchedule: (id, handler) => schedules.add(id, handler) },
    deliver: async (id, delivery) => webhooks.run(id, await deliveryOf(id, delivery)),
    fire: (id, fireId, slot) => schedules.run(id, { scheduleId: id, fireId, slot }),
  };
};
