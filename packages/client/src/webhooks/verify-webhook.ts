/**
 * For receivers of webhooks: is a request really from the server that knows the secret, and is it recent?
 *
 * VW1 The raw bytes of the body are what is signed: a body that was parsed and written anew does not verify.
 * VW2 Any of several signatures may fit: while a secret is being replaced, two sign.
 */
import type { WebhookNotice } from '@turnkeeper/core/protocol/wire/webhooks';

/** A header's value by its name in lower case; `Headers`, or an object as Node has it. */
export type HeadersLike = { readonly get: (name: string) => string | null } | { readonly [name: string]: string | readonly string[] | undefined };

const headerOf = (headers: HeadersLike, name: string): string => {
  const value = typeof headers['get'] === 'function' ? (headers['get'] as (name: string) => string | null)(name) : (headers as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
};

const hex = (bytes: ArrayBuffer): string => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Takes as long for what differs early as for what differs late. */
const same = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let at = 0; at < a.length; at += 1) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
};

/**
 * The notice of a request that was signed with `secret` not longer ago than `toleranceSeconds` (300); undefined for any other.
 * `body`: as it came. `nowMs`: by the receiver's clock.
 */
export const verifyWebhook = async (request: {
  readonly secret: string;
  readonly headers: HeadersLike;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly nowMs: number;
  readonly toleranceSeconds?: number;
}): Promise<WebhookNotice | undefined> => {
  const { secret, headers, nowMs, toleranceSeconds = 300 } = request;
  const encoder = new TextEncoder();
  const body = typeof request.body === 'string' ? request.body : new TextDecoder().decode(request.body);
  const at = headerOf(headers, 'x-webhook-timestamp');
  if (!/^\d+$/.test(at) || Math.abs(nowMs / 1_000 - Number(at)) > toleranceSeconds) return undefined;
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const wanted = `v1=${hex(await crypto.subtle.sign('HMAC', key, encoder.encode(`${at}.${body}`)))}`;
  const given = headerOf(headers, 'x-webhook-signature').split(',');
  return given.some((signature) => same(signature.trim(), wanted)) ? (JSON.parse(body) as WebhookNotice) : undefined;
};
