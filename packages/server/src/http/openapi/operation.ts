/** How a route is described: what validates its requests and what the OpenAPI document says come from the same schemas. */

import { problem } from '@turnkeeper/core/protocol/wire/identity';
import { z } from 'zod';

export type Tag =
  | 'sessions'
  | 'turns'
  | 'actions'
  | 'context'
  | 'events'
  | 'usage'
  | 'subagents'
  | 'files'
  | 'agents'
  | 'teams'
  | 'workflows'
  | 'sign-in'
  | 'tokens'
  | 'users'
  | 'spaces'
  | 'applications'
  | 'secrets'
  | 'audit'
  | 'webhooks'
  | 'schedules'
  | 'minitools'
  | 'server';

/** Statuses of refusals beside those that go without saying. */
type ErrorStatus = 403 | 404 | 409 | 410 | 413 | 415 | 416;

export type RequestParts = { readonly params?: z.ZodType; readonly querystring?: z.ZodType; readonly body?: z.ZodType };

export type Description = {
  readonly summary: string;
  readonly description?: string;
  readonly tag: Tag;
  /** The answer by status; `null` = no body, a text = not JSON, of that media type. */
  readonly answers: { readonly [status: number]: z.ZodType | string | null };
  readonly errors?: readonly ErrorStatus[];
  /** Whether the call takes an Idempotency-Key. */
  readonly key?: 'required' | 'optional';
  /** The body is bytes of any type, and is not validated. */
  readonly takes?: 'bytes';
  /** The answer may be an event stream as well. */
  readonly streams?: true;
  /** No credential is needed. */
  readonly open?: true;
};

/** Marks in a route's schema for what document.ts adds: headers that code reads, so that no request pays for a schema. */
export const keyMark = 'x-idempotency-key';
export const streamMark = 'x-event-stream';
export const bytesMark = 'x-takes-bytes';

const refusals: Readonly<Record<ErrorStatus | 400 | 401 | 422 | 429 | 503, string>> = {
  400: 'The request is malformed.',
  401: 'There is no valid credential.',
  403: 'The credential does not allow this.',
  404: 'Not there, or not yours.',
  409: 'Not possible in the present state.',
  410: 'The cursor has expired.',
  413: 'Larger than allowed.',
  415: 'Not a content type that this takes.',
  416: 'The range lies beyond the end.',
  422: 'The request does not match its schema; `errors` lists every fault.',
  429: 'Too many; `Retry-After` says how long to wait.',
  503: 'The server cannot take this now; `Retry-After` says when to try again.',
};

const refusal = (description: string) => ({ description, content: { 'application/problem+json': { schema: problem } } });

const answer = (schema: z.ZodType | string | null, streams: boolean) => {
  if (schema === null) return z.null().describe('Done.');
  const stream = streams ? { 'text/event-stream': { schema: z.string() } } : {};
  const content = typeof schema === 'string' ? { [schema]: { schema: z.string() } } : { 'application/json': { schema } };
  return { description: 'Done.', content: { ...content, ...stream } };
};

const statusesOf = ({ errors = [], open, key }: Description, { body, querystring }: RequestParts) => [
  ...errors,
  ...(body || querystring || key ? ([400] as const) : []),
  ...(body ? ([413, 415] as const) : []),
  ...(body || querystring ? ([422] as const) : []),
  ...(open ? [] : ([401, 429, 503] as const)),
];

/**
 * The `schema` of a route. Its type keeps only what validates requests: answers are typed by their use cases, and are
 * not validated again while they are sent.
 */
export const operation = <Parts extends RequestParts>(description: Description, parts: Parts): Parts => {
  const { summary, description: text, tag, answers, key, open, takes, streams = false } = description;
  const schema = {
    ...parts,
    summary,
    ...(text === undefined ? {} : { description: text }),
    tags: [tag],
    ...(open ? { security: [] } : {}),
    ...(key ? { [keyMark]: key } : {}),
    ...(takes ? { [bytesMark]: true } : {}),
    ...(streams || Object.values(answers).includes('text/event-stream') ? { [streamMark]: true } : {}),
    response: {
      ...Object.fromEntries(Object.entries(answers).map(([status, content]) => [status, answer(content, streams)])),
      ...Object.fromEntries(statusesOf(description, parts).map((status) => [status, refusal(refusals[status])])),
      default: refusal('Any other refusal.'),
    },
  };
  return schema;
};
