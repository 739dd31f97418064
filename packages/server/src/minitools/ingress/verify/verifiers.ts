/** How each platform signs what it sends, by its own documents. */
import { type GivenRequest, hmac, isRecent, sameText, type Verifier } from './signing.ts';

/** `X-Slack-Signature: v0=<hex>` over `v0:<X-Slack-Request-Timestamp>:<body>`. */
const slack: Verifier = ({ headers, body }, secret, now) => {
  const time = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  return signature !== undefined && isRecent(time, now) && sameText(signature, `v0=${hmac(secret, 'hex', `v0:${time}:`, body)}`);
};

/** `X-Telegram-Bot-Api-Secret-Token`: the secret itself, as it was given to `setWebhook`. */
const telegram: Verifier = ({ headers }, secret) => {
  const token = headers['x-telegram-bot-api-secret-token'];
  return token !== undefined && sameText(token, secret);
};

/** `X-Hub-Signature-256: sha256=<hex>` over the body. */
const github: Verifier = ({ headers, body }, secret) => {
  const signature = headers['x-hub-signature-256'];
  return signature !== undefined && sameText(signature, `sha256=${hmac(secret, 'hex', body)}`);
};

/** `Stripe-Signature: t=<seconds>,v1=<hex>[,v1=<hex>…]` over `<seconds>.<body>`: more than one while a secret is exchanged. */
const stripe: Verifier = ({ headers, body }, secret, now) => {
  const parts = (headers['stripe-signature'] ?? '').split(',').map((part) => part.trim());
  const values = (name: string): readonly string[] => parts.flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []));
  const [time] = values('t');
  if (!isRecent(time, now)) return false;
  const wanted = hmac(secret, 'hex', `${time}.`, body);
  return values('v1')
    .slice(0, mostSignatures)
    .some((signature) => sameText(signature, wanted));
};

/** `webhook-signature: v1,<base64>[ v1,<base64>…]` over `<webhook-id>.<webhook-timestamp>.<body>`; the key stands behind `whsec_` in base64. */
const standardWebhooks: Verifier = ({ headers, body }, secret, now) => {
  const id = headers['webhook-id'];
  const time = headers['webhook-timestamp'];
  const key = Buffer.from(secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : secret, 'base64');
  // A signature made with no key at all anybody can make.
  if (id === undefined || !isRecent(time, now) || key.length === 0) return false;
  const wanted = `v1,${hmac(key, 'base64', `${id}.${time}.`, body)}`;
  const given = (headers['webhook-signature'] ?? '').split(' ').slice(0, mostSignatures);
  return given.some((signature) => sameText(signature, wanted));
};

/** Most signatures of one request that are looked at. */
const mostSignatures = 16;

export const platformVerifiers = { slack, telegram, github, stripe, 'standard-webhooks': standardWebhooks } as const;
export type Platform = keyof typeof platformVerifiers;

/** HMAC-SHA256 of the body in hex, in a header of the sender's choice; `sha256=` may stand before it. */
export const hmacInHeader =
  (header: string): Verifier =>
  ({ headers, body }: GivenRequest, secret) => {
    const given = headers[header.toLowerCase()]?.trim().toLowerCase();
    return given !== undefined && sameText(given.startsWith('sha256=') ? given.slice('sha256='.length) : given, hmac(secret, 'hex', body));
  };

/** The secret itself in a header; `Bearer` may stand before it. */
export const tokenInHeader =
  (header: string): Verifier =>
  ({ headers }, secret) => {
    const given = headers[header.toLowerCase()]?.trim();
    return given !== undefined && sameText(given.replace(/^Bearer +/i, ''), secret);
  };
