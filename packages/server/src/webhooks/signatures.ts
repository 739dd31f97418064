/**
 * How a receiver knows that a notice is ours: two families of headers over the same bytes.
 *
 * SG1 Each secret that is in force signs, the newest first, so that a receiver may change over at any moment of a rotation.
 * SG2 `X-Webhook-Signature` is keyed by the whole text of the secret, the Standard Webhooks' `webhook-signature` by the bytes
 *     that stand behind its `whsec_`.
 */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A fresh signing secret: `whsec_` and 32 bytes in base64. */
export const newSigningSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

/** `atSeconds`: Unix seconds, against replays. */
export const signedHeaders = (notice: {
  readonly id: string;
  readonly atSeconds: number;
  readonly body: string;
  readonly secrets: readonly string[];
}): Readonly<Record<string, string>> => {
  const { id, body, secrets } = notice;
  const at = String(notice.atSeconds);
  const plain = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`);
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`;
  });
  return {
    'x-webhook-timestamp': at,
    'x-webhook-signature': plain.join(','),
    'webhook-id': id,
    'webhook-timestamp': at,
    'webhook-signature': standard.join(' '),
  };
};
