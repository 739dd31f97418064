/** What the methods of `ctx.sessions` take, as the service holds them to it. */
import { z } from 'zod';
import { invalidArgument } from '../failure.ts';
import { hasMoreCharacters, mostAttachments, mostTextCharacters } from '../message-limits.ts';

/** Gives the value as the method takes it; throws `invalid_argument` with the member that is wrong. */
export const take = <Value>(schema: z.ZodType<Value>, value: unknown, name: string): Value => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const member = [name, ...(issue?.path ?? [])].join('.');
  throw invalidArgument(`${member}: ${issue?.message ?? 'wrong'}`, { member });
};

const name = (most: number) =>
  z
    .string({ error: 'a text' })
    .refine((text) => text.trim() !== '' && !hasMoreCharacters(text, most), { error: `a text of 1 to ${most} characters, not blank` });

export const id = name(200);
const key = name(512);

const attachment = z.object({ file: z.string(), name: z.string(), mimeType: z.string(), kind: z.string().optional() });
const metadata = z.record(z.string(), z.json()).refine((value) => Buffer.byteLength(JSON.stringify(value)) <= 4_096, { error: 'at most 4096 bytes of JSON' });
export const message = z
  .object({
    text: z.string({ error: 'a text' }).refine((text) => !hasMoreCharacters(text, mostTextCharacters), { error: `at most ${mostTextCharacters} characters` }),
    attachments: z.array(attachment).max(mostAttachments).default([]),
    idempotencyKey: key,
    metadata: metadata.optional(),
  })
  .refine(({ text, attachments }) => text.trim() !== '' || attachments.length > 0, { error: 'must not be blank without an attachment', path: ['text'] });
export type TakenMessage = z.output<typeof message>;

export const mode = z.enum(['ask', 'acceptCalls'], { error: '"ask" or "acceptCalls"' });

export const createOptions = z
  .object({
    containerId: name(64).optional(),
    space: z.object({ spaceId: id }).optional(),
    title: z.string().optional(),
    activity: z.enum(['interactive', 'background'], { error: '"interactive" or "background"' }).default('interactive'),
    permissionMode: mode.optional(),
    context: z.literal('caller', { error: '"caller"' }).optional(),
    initialMessage: message.optional(),
    externalKey: key.optional(),
    profileId: z.unknown().optional(),
  })
  .refine(({ containerId, space }) => (containerId === undefined) !== (space === undefined), {
    error: 'give exactly one of containerId and space',
    path: ['containerId'],
  });
export type TakenOptions = z.output<typeof createOptions>;

export const listOptions = z.object({ containerId: name(64).optional(), includeArchived: z.boolean().default(false) }).default({ includeArchived: false });
export const sendOptions = z.object({ delivery: z.literal('queue', { error: '"queue"' }).optional() }).default({});
export const eventQuery = z.object({ sessionId: id, after: z.int().min(0).default(0), limit: z.int().min(1).max(1_000).default(200) });

/** Held to what a wait may last, never refused for its size. */
export const waitMs = z
  .object({ timeoutMs: z.number({ error: 'a number of milliseconds' }).default(60_000) })
  .default({ timeoutMs: 60_000 })
  .transform(({ timeoutMs }) => Math.min(Math.max(timeoutMs, 1_000), 600_000));

export const waitResponse = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('permission'), allow: z.boolean() }),
  z.object({ kind: z.literal('question'), answers: z.record(z.string(), z.string()) }),
  z.object({
    kind: z.literal('form'),
    submitted: z.boolean(),
    values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).optional(),
  }),
]);
export type TakenResponse = z.output<typeof waitResponse>;
