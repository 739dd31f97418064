import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifyWebhook } from './verify-webhook.ts';

const secret = 'whsec_c2VjcmV0';
const body = '{"id":"evt_1","type":"turn.completed","session_id":"ses_1","cursor":"c","created_at":1,"event_url":"u","ü":"😀"}';
const at = '1800000000';
const sign = (key: string): string => `v1=${createHmac('sha256', key).update(`${at}.${body}`).digest('hex')}`;
const verify = (signature: string, more: { readonly body?: string; readonly nowMs?: number; readonly at?: string } = {}) =>
  verifyWebhook({
    secret,
    headers: { 'x-webhook-timestamp': more.at ?? at, 'x-webhook-signature': signature },
    body: more.body ?? body,
    nowMs: more.nowMs ?? 1_800_000_000_000,
  });

test('a signed notice is given back', async () => {
  expect(await verify(sign(secret))).toMatchObject({ id: 'evt_1', type: 'turn.completed' });
  const headers = new Headers({ 'X-Webhook-Timestamp': at, 'X-Webhook-Signature': sign(secret) });
  expect(await verifyWebhook({ secret, headers, body: new TextEncoder().encode(body), nowMs: 1_800_000_000_000 })).toMatchObject({ id: 'evt_1' });
});

test('VW2: one of several signatures is enough', async () => {
  expect(await verify(`${sign('whsec_new')},${sign(secret)}`)).toBeDefined();
});

test('another secret, another body, another time, an old one, no signature: none of ours', async () => {
  expect(await verify(sign('whsec_other'))).toBeUndefined();
  expect(await verify(sign(secret), { body: `${body} ` })).toBeUndefined();
  expect(await verify(sign(secret), { at: '1800000001' })).toBeUndefined();
  expect(await verify(sign(secret), { nowMs: 1_800_000_301_000 })).toBeUndefined();
  expect(await verify(sign(secret), { nowMs: 1_800_000_299_000 })).toBeDefined();
  for (const signature of ['', 'v1=', sign(secret).slice(0, -1), sign(secret).toUpperCase()]) expect(await verify(signature)).toBeUndefined();
  expect(await verifyWebhook({ secret, headers: {}, body, nowMs: 0 })).toBeUndefined();
});
