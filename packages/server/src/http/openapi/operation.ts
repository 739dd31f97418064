/** How a route is described: what validates requests and what the OpenAPI document says come from the same schemas. */
import { z } from 'zod';
import { problem } from '@turnkeeper/core/protocol/wire/identity';

export type Tag = 'sessions' | 'turns' | 'actions' | 'events' | 'usage' | 'agents' | 'sign-in' | 'server';

/** Error statuses that an operation may answer with; 401, 429 and 5xx go without saying. */
type ErrorStatus = 400 | 403 | 404 | 409 | 410 | 413 | 415 | 422;

type Parts = { readonly params?: z.ZodType; readonly querystring?: z.ZodType; readonly body?: z.ZodType; readonly headers?: z.ZodType };

type Description<P extends Parts> = P & {
  readonly summary: string;
  readonly description?: string;
  readonly tag: Tag;
  /** By status; `null` = no body. */
  readonly answers: { readonly [status: number]: z.ZodType | null };
  readonly errors?: readonly ErrorStatus[];
  /** The answer is an event stream. */
  readonly stream?: true;
  /** No credential is needed. */
  readonly open?: true;
};

const errorText: Readonly<Record<ErrorStatus | 401 | 429 | 503, string>> = {
  400: 'The request is malformed.',
  401: 'No valid credential.',
  403: 'The credential does not allow this.',
  404: 'Not there, or not yours.',
  409: 'Not possible in the present state.',
  410: 'The cursor has expired.',
  413: 'Larger than allowed.',
  415: 'Not application/json.',
  422: 'The request does not match its schema; `errors` lists every fault.',
  429: 'Too many; `Retry-After` says how long to wait.',
  503: 'The server cannot take this now; `Retry-After` says when to try again.',
};

const problemContent = (description: string) => ({ description, content: { 'application/problem+json': { schema: problem } } });
const streamContent = { description: 'Server-sent events: `id` is the cursor, `event` the type, `data` one envelope.', content: { 'text/event-stream': { schema: z.string() } } };

const answerContent = (schema: z.ZodType | null, stream: boolean) => {
  if (stream) return streamContent;
  return schema === null ? { description: 'Done.', type: 'null' } : { description: 'Done.', content: { 'application/json': { schema } } };
};

/** Headers are named for readers only: they are read by code, since a schema would cost each request a copy of them. */
export const keyHeader = { name: 'Idempotency-Key', description: 'A stable id of this one request, the same on every retry; 1 to 512 characters.' };

/**
 * The `schema` of a route. Its type keeps only what validates requests: answers are typed by the use cases, and are not
 * validated again while they are sent.
 */
export const operation = <P extends Parts>(description: Description<P>): Omit<P, keyof Description<Parts>> & Pick<P, keyof P & keyof Parts> => {
  const { summary, description: text, tag, answers, errors = [], stream = false, open = false, ...parts } = description;
  const statuses = [...errors, ...(open ? [] : ([401] as const)), ...(parts.body ? ([400, 413, 415, 422] as const) : []), ...(parts.querystring ? ([422] as const) : []), 429 as const, 503 as const];
  const response = {
    ...Object.fromEntries(Object.entries(answers).map(([status, schema]) => [status, answerContent(schema, stream)])),
    ...Object.fromEntries(statuses.map((status) => [status, problemContent(errorText[status])])),
    default: problemContent('Any other refusal.'),
  };
  return {
    ...parts,
    summary,
    ...(text === undefined ? {} : { description: text }),
    tags: [tag],
    ...(open ? { security: [] } : {}),
    response,
  } as never;
};
