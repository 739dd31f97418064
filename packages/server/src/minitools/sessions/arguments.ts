/**
 * What a mini-tool gave to a method of `ctx.sessions`, held to what the method takes.
 *
 * AS1 What does not fit is refused as `invalid_argument` with the member that is wrong; nothing has happened then.
 * AS2 Members that nobody knows are left out, not refused: packages are written for other hosts, too.
 */
import { codePoints } from '@turnkeeper/core/protocol/content';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { z } from 'zod';
import { minitoolLimits } from '../../app/minitool-limits.ts';
import { MinitoolFailure } from '../host-api.ts';

export const invalid = (message: string, details: Record<string, string | number> = {}): MinitoolFailure =>
  new MinitoolFailure('invalid_argument', message, details);

const pathOf = (name: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>((all, part) => (typeof part === 'number' ? `${all}[${part}]` : `${all}.${String(part)}`), name);

/** `name`: what the argument is called, in front of the member that is wrong. Throws `invalid_argument` (AS1). */
export const readArgument = <Value>(schema: z.ZodType<Value>, value: unknown, name: string): Value => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const member = pathOf(name, issue?.path ?? []);
  throw invalid(`${member}: ${issue?.message ?? 'wrong'}`, { member });
};

const name = (most: number) =>
  z
    .string({ error: `a text of 1 to ${most} characters` })
    .refine((value) => value.trim() !== '' && codePoints(value) <= most, { error: `a text of 1 to ${most} characters, not blank` })
    // Stores would take two of these for one.
    .refine((value) => value.isWellFormed() && !value.includes('\0'), { error: 'no lone surrogates, no NUL' });

export const sessionId = name(200);
export const turnId = name(200);
export const requestId = name(200);

const key = name(limits.idempotencyKeyCharacters);
const text = z
  .string({ error: 'a text' })
  .refine((value) => codePoints(value) <= limits.textCharacters, { error: `a text of at most ${limits.textCharacters} characters` });

/** Its bytes are in a file of the outbox; what the mini-tool says of their size is not relied on. */
const attachment = z.object({
  file: z.string({ error: 'the name of a file in the outbox' }).regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/, { error: 'the name of a file in the outbox' }),
  name: name(limits.fileNameCharacters),
  mimeType: name(200),
  kind: z.enum(['image', 'pdf', 'text', 'file']).optional(),
});
export type Attachment = z.infer<typeof attachment>;

const metadata = z
  .record(z.string(), z.json(), { error: 'a JSON object' })
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= minitoolLimits.metadataBytes, {
    error: `at most ${minitoolLimits.metadataBytes} bytes of JSON`,
  });

export const message = z
  .object(
    {
      text,
      attachments: z
        .array(attachment, { error: 'a list of attachments' })
        .max(limits.attachments, { error: `at most ${limits.attachments} attachments` })
        .default([]),
      idempotencyKey: key,
      metadata: metadata.optional(),
    },
    { error: 'a message: {text, attachments?, idempotencyKey}' },
  )
  .refine((value) => value.text.trim() !== '' || value.attachments.length > 0, { error: 'must not be blank without an attachment', path: ['text'] });
export type Message = z.infer<typeof message>;

export const permissionMode = z.enum(['ask', 'acceptCalls'], { error: '"ask" or "acceptCalls"' });

export const createOptions = z
  .object(
    {
      containerId: name(64).optional(),
      space: z.object({ spaceId: name(200) }, { error: '{spaceId}' }).optional(),
      title: z
        .string({ error: 'a text' })
        .refine((value) => codePoints(value) <= limits.titleCharacters, { error: `a text of at most ${limits.titleCharacters} characters` })
        .optional(),
      activity: z.enum(['interactive', 'background'], { error: '"interactive" or "background"' }).default('interactive'),
      permissionMode: permissionMode.optional(),
      context: z.literal('caller', { error: '"caller"' }).optional(),
      initialMessage: message.optional(),
      externalKey: key.optional(),
      profileId: z.unknown().optional(),
    },
    { error: 'options: an object' },
  )
  .refine((value) => value.containerId === undefined || value.space === undefined, {
    error: 'goes without space: give exactly one of both',
    path: ['containerId'],
  })
  .refine((value) => value.containerId !== undefined || value.space !== undefined, { error: 'is missing: give containerId or space', path: ['containerId'] });
export type CreateOptions = z.infer<typeof createOptions>;

export const listOptions = z
  .object({ containerId: name(64).optional(), includeArchived: z.boolean({ error: 'true or false' }).default(false) }, { error: 'options: an object' })
  .default({ includeArchived: false });

export const sendOptions = z.object({ delivery: z.literal('queue', { error: '"queue"' }).optional() }, { error: 'options: an object' }).default({});

const shortestMs = 1_000;
const longestMs = 600_000;
const usualMs = 60_000;
/** Held to what a wait may last, never refused for its size. */
export const waitOptions = z
  .object({ timeoutMs: z.number({ error: 'a number of milliseconds' }).default(usualMs) }, { error: 'options: an object' })
  .default({ timeoutMs: usualMs })
  .transform(({ timeoutMs }) => Math.min(Math.max(timeoutMs, shortestMs), longestMs));

const eventsPage = 1_000;
export const eventQuery = z.object(
  {
    sessionId,
    after: z.int({ error: 'a sequence: a whole number' }).min(0, { error: 'a sequence: a whole number' }).default(0),
    limit: z
      .int({ error: 'a whole number' })
      .min(1, { error: 'at least 1' })
      .default(200)
      .transform((value) => Math.min(value, eventsPage)),
  },
  { error: 'a query: {sessionId, after?, limit?}' },
);

const formValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())], { error: 'a text, a number, a boolean or a list of texts' });
export const waitResponse = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('permission'), allow: z.boolean({ error: 'true or false' }) }),
    z.object({ kind: z.literal('question'), answers: z.record(z.string(), z.string({ error: 'a text' }), { error: 'texts by header' }) }),
    z.object({ kind: z.literal('form'), submitted: z.boolean({ error: 'true or false' }), values: z.record(z.string(), formValue).optional() }),
  ],
  { error: '{kind: "permission", allow}, {kind: "question", answers} or {kind: "form", submitted, values?}' },
);
export type WaitResponse = z.infer<typeof waitResponse>;
