/**
 * Requests and answers of sessions and turns: the schemas that validate, that OpenAPI is made of, and that clients
 * are typed by. Resource answers use camelCase; what is inside events, inputs and actions snake_case.
 *
 * Members that are not known are left out, not refused: existing clients send some (`environmentId`, say). Nothing that
 * keeps people safe is said here, unlike in agent definitions.
 */
import { z } from 'zod';
import { turnStatuses } from '../../session/events.ts';
import { codePoints, type UserMessage, userMessage } from '../content.ts';
import { limits } from './limits.ts';

const text = (max: number) => z.string().refine((value) => codePoints(value) <= max, { error: `at most ${max} characters` });

/** Beyond 100,000 characters the answer is 413 with the limit, given by the use case: all texts of a submission count. */
export const messageText = z.string().refine((value) => value.trim().length > 0, { error: 'must not be blank' });
const smallJson = <Schema extends z.ZodType>(schema: Schema) =>
  schema.refine((value) => JSON.stringify(value).length <= limits.metadataBytes, { error: `at most ${limits.metadataBytes} bytes of JSON` });
const name = z.string().min(1).max(200);
const metadata = smallJson(z.record(z.string(), z.json()));
export const targetRef = z.object({
  type: z.enum(['agent', 'team', 'workflow']),
  id: name,
  version: z.int().min(1).max(limits.version).optional(),
  revisionId: name.optional(),
});

const attachments = (message: UserMessage): number => message.content.filter((block) => block.type !== 'text' && block.type !== 'data').length;
const inputMessage = userMessage.refine((message) => attachments(message) <= limits.attachments, { error: `at most ${limits.attachments} attachments` });

/** Exactly one of `message` and `input`. */
export const turnInput = z
  .object({
    message: messageText.optional(),
    input: z.array(inputMessage).min(1).max(limits.inputMessages).optional(),
    metadata: smallJson(z.json()).optional(),
  })
  .refine((body) => (body.message === undefined) !== (body.input === undefined), { error: 'give exactly one of message and input' });

export const createSessionRequest = z
  .object({
    target: targetRef.optional(),
    /** Alias of `target: {type: "agent", id}`. */
    agent: name.optional(),
    title: text(limits.titleCharacters).optional(),
    metadata: metadata.optional(),
    space: name.optional(),
    timeoutSeconds: z
      .int()
      .min(1)
      .max(7 * 86_400)
      .optional(),
    initialMessage: turnInput.optional(),
  })
  .refine((body) => (body.target === undefined) !== (body.agent === undefined), { error: 'give exactly one of target and agent', path: ['target'] });

export const patchSessionRequest = z.object({ title: text(limits.titleCharacters).optional(), metadata: metadata.optional() });

export const sessionResource = z.object({
  id: z.string(),
  status: z.enum(['idle', 'running', 'requires_action']),
  archived: z.boolean(),
  target: z.object({
    type: z.enum(['agent', 'team', 'workflow']),
    id: z.string(),
    version: z.int().optional(),
    name: z.string().optional(),
    model: z.string().optional(),
  }),
  title: z.string(),
  metadata: z.record(z.string(), z.json()),
  owner: z.object({ type: z.enum(['user', 'application', 'minitool']), id: z.string() }),
  placement: z.object({ type: z.enum(['space', 'container']), id: z.string() }),
  timeoutSeconds: z.int().nullable(),
  createdAt: z.int(),
  updatedAt: z.int(),
  archivedAt: z.int().nullable(),
});
export const createdSession = sessionResource.extend({ turnId: z.string().optional() });

export const turnStatus = z.enum(turnStatuses);
export const turnReceipt = z.object({
  id: z.string(),
  sessionId: z.string(),
  status: turnStatus,
  createdAt: z.int(),
  queuePosition: z.int().nullable(),
  statusUrl: z.string(),
  snapshotUrl: z.string(),
  eventsUrl: z.string(),
  errorCode: z.string().nullable(),
});
export const usageSums = z.object({
  model_calls: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  total_tokens: z.int(),
  estimated_cost: z.number(),
  currency: z.string().nullable(),
  cost_complete: z.boolean(),
  unpriced_calls: z.int(),
});
export const usageResource = usageSums.extend({ by_model: z.record(z.string(), usageSums) });
export const turnResource = z.object({
  id: z.string(),
  sessionId: z.string(),
  status: turnStatus,
  preview: z.string(),
  result: z.json().nullable(),
  outputText: z.string().nullable(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  retryable: z.boolean().nullable(),
  unverifiedCalls: z.array(z.string()),
  metadata: z.json().nullable(),
  createdAt: z.int(),
  startedAt: z.int().nullable(),
  endedAt: z.int().nullable(),
  runs: z.int(),
  queuePosition: z.int().nullable(),
  usage: usageResource,
});

/** `offset`/`limit` pages, as existing clients send them. */
export const pageQuery = z.object({
  offset: z.coerce.number().int().min(0).max(limits.offset).default(0),
  /** More than a page holds is no fault: existing clients ask for "all", and `next_offset` tells them. */
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .default(50)
    .transform((value) => Math.min(value, limits.pageSize)),
});
export const sessionsQuery = pageQuery.extend({
  status: z.enum(['active', 'archived', 'all']).default('active'),
  space: z.string().optional(),
  container: z.string().optional(),
  q: z.string().optional(),
});
export const pageOf = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item), next_offset: z.int().nullable() });

export const sessionCapabilities = z.object({ capabilities: z.record(z.string(), z.boolean()) });
export const turnCapabilities = z.object({ available_commands: z.array(z.string()), capabilities: z.record(z.string(), z.boolean()) });

export type CreateSessionRequest = z.infer<typeof createSessionRequest>;
export type TurnInput = z.infer<typeof turnInput>;
export type SessionResource = z.infer<typeof sessionResource>;
export type CreatedSession = z.infer<typeof createdSession>;
export type TurnReceipt = z.infer<typeof turnReceipt>;
export type TurnResource = z.infer<typeof turnResource>;
export type UsageResource = z.infer<typeof usageResource>;
