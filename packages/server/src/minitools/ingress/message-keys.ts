/**
 * What a message is known by: the platform's own id of it, and what it must not overtake.
 *
 * IK1 A platform sends a message again under the id that it had: that id is the key, so that it is known. Where there is none, or it
 *     is not where it should be, the key is the hash of what was sent.
 * IK2 A number of JSON is read digit by digit: two ids that floating point makes one stay two.
 * IK3 What is too long for a key, or cannot be kept as text, is kept as its hash: as different as it was.
 */
import { createHash } from 'node:crypto';
import type { WebhookContribution } from '@turnkeeper/minitool/manifest/schema';
import type { GivenRequest } from './verify/signing.ts';
import type { Platform } from './verify/verifiers.ts';

/** Where the id of a message stands: a JSON pointer into the body, or the name of a header. */
const placeOfId: Readonly<Record<Platform, string>> = {
  slack: '/event_id',
  telegram: '/update_id',
  github: 'x-github-delivery',
  stripe: '/id',
  'standard-webhooks': 'webhook-id',
};

const hashOf = (bytes: Buffer | string): string => `sha256-${createHash('sha256').update(bytes).digest('hex')}`;

const keepable = /^[^\p{C}]{1,200}$/u;
const asKey = (text: string): string => (keepable.test(text) ? text : hashOf(text));

/** A number as it was written where it is not exact (IK2). The third argument is younger than the types. */
const exact = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) ? (context?.source ?? value) : value;

/** The body as JSON or as a form; undefined where it is neither. */
const read = ({ headers, body }: GivenRequest): unknown => {
  const text = body.toString('utf8');
  if (/^\s*application\/x-www-form-urlencoded/i.test(headers['content-type'] ?? '')) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text, exact as (name: string, value: unknown) => unknown);
  } catch {
    return undefined;
  }
};

const at = (value: unknown, pointer: string): unknown => {
  let found = value;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
};

const textOf = (value: unknown): string | undefined => {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** What stands at a place of a request. */
const lookIn = (request: GivenRequest): ((place: string) => string | undefined) => {
  let body: { readonly value: unknown } | undefined;
  return (place) => {
    if (!place.startsWith('/')) return textOf(request.headers[place.toLowerCase()]);
    body ??= { value: read(request) };
    return textOf(at(body.value, place));
  };
};

export type MessageKeys = { readonly key: string; readonly orderKey: string };

/** `orderKey` is empty where all of a hook come one after another. */
export const messageKeys = (hook: Pick<WebhookContribution, 'dedupe' | 'orderKey'>, platform: Platform | undefined, request: GivenRequest): MessageKeys => {
  const look = lookIn(request);
  const place = hook.dedupe ?? (platform && placeOfId[platform]);
  const id = place === undefined ? undefined : look(place);
  const lane = hook.orderKey === undefined ? undefined : look(hook.orderKey);
  return { key: id === undefined ? hashOf(request.body) : asKey(id), orderKey: lane === undefined ? '' : asKey(lane) };
};
