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
import type { Json } from '../json.ts';
import { isPointer } from '../json-pointer.ts';
import { limits } from './limits.ts';
import { outcomeCheck, outcomeVerdict } from './outcomes.ts';

const text = (max: number) => z.string().refine((value) => codePoints(value) <= max, { error: `at most ${max} characters` });

/** Beyond 100,000 characters, or 10 attachments in a message, the answer is 413 with the limit, given by the use case: all texts of a submission count. */
export const messageText = z.string().refine((value) => value.trim().length > 0, { error: 'must not be blank' });
const smallJson = <Schema extends z.ZodType>(schema: Schema) =>
  schema.refine((value) => JSON.stringify(value).length <= limits.metadataBytes, { error: `at most ${limits.metadataBytes} bytes of JSON` });
const name = z.string().min(1).max(200);
const jsonSchema = z.record(z.string(), z.json());
const metadata = smallJson(z.record(z.string(), z.json()));
export const targetRef = z.object({
  type: z.enum(['agent', 'team', 'workflow']),
  id: name,
  version: z.int().min(1).max(limits.version).optional(),
  revisionId: name.optional(),
});

/** Exactly one of `message` and `input`. */
const said = z.object({ message: messageText.optional(), input: z.array(userMessage).min(1).max(limits.inputMessages).optional() });
const exactlyOne = (body: { readonly message?: unknown; readonly input?: unknown }): boolean => (body.message === undefined) !== (body.input === undefined);
const oneOfBoth = { error: 'give exactly one of message and input' };

/** What is said to a turn that is under way, or for whichever turn comes. */
export const saidInput = said.refine(exactlyOne, oneOfBoth);

const messageList = z.array(userMessage).min(1).max(limits.inputMessages);
const isMessageLike = (value: unknown): boolean => typeof value === 'object' && value !== null && ('role' in value || 'content' in value);
/** User messages, rather than a value of another shape: then they are held to what messages are. */
export const areMessages = (input: unknown): input is readonly UserMessage[] => Array.isArray(input) && input.some(isMessageLike);

/** 1 to 100 user messages; for teams, workflows, and where the session has an `inputSchema`, any JSON that fits it. */
const turnSaidInput = z
  .unknown()
  .superRefine((value, context) => {
    if (areMessages(value)) for (const issue of messageList.safeParse(value).error?.issues ?? []) context.issues.push({ ...issue, input: value } as never);
  })
  .describe('1 to 100 user messages; for teams, workflows, and where the session has an `inputSchema`, any JSON that fits it.') as unknown as z.ZodType<
  readonly UserMessage[] | Json,
  readonly UserMessage[] | Json
>;
/** The two ways to say something to a turn: exactly one of them is given. */
export const turnMessages = { message: messageText, input: turnSaidInput };
/** `outcome`: what the turn's result must be, and how often it is tried. */
const turnSaid = said.extend({ input: turnSaidInput.optional(), metadata: smallJson(z.json()).optional(), outcome: outcomeCheck.optional() });
export const turnInput = turnSaid.refine(exactlyOne, oneOfBoth);
/**
 * What a submission becomes while the session has an unfinished turn: queued behind what is there (as without it), a steer of
 * the turn that is under way, a refusal, or the next turn, for which the one under way is cancelled.
 */
const busyPolicies = ['queue', 'steer', 'reject', 'interrupt'] as const;
export const submitRequest = turnSaid
  .extend({ onBusy: z.enum(busyPolicies).optional() })
  .refine(exactlyOne, oneOfBoth)
  .refine(({ onBusy, outcome }) => onBusy !== 'steer' || outcome === undefined, { error: 'what becomes a steer has no outcome of its own', path: ['outcome'] });

export const createSessionRequest = z
  .object({
    target: targetRef.optional(),
    /** Alias of `target: {type: "agent", id}`. */
    agent: name.optional(),
    /** Another model than the agent's own, of those that it allows (`models` of its definition); for admins any that the server has. */
    model: name.optional(),
    title: text(limits.titleCharacters).optional(),
    metadata: metadata.optional(),
    space: name.optional(),
    timeoutSeconds: z
      .int()
      .min(1)
      .max(7 * 86_400)
      .optional(),
    /** Tokens that one turn may use, with all that it spawns. */
    budget: z.object({ maxTokens: z.int().min(1).nullish() }).nullish(),
    initialMessage: turnInput.optional(),
    /** JSON Schemas (2020-12): what turns may be given, and what each must come to. They hold for the life of the session. */
    inputSchema: jsonSchema.optional(),
    outputSchema: jsonSchema.optional(),
    /** What a turn's result is made of: by name, a JSON pointer into its output. */
    resultMapping: z
      .record(name, z.string().max(1_000).refine(isPointer, { error: 'a JSON pointer: "", or parts that each begin with "/"' }))
      .refine((mapping) => Object.keys(mapping).length > 0 && Object.keys(mapping).length <= limits.mappedNames, { error: `1 to ${limits.mappedNames} names` })
      .optional(),
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
    /** Of a workflow. */
    revisionId: z.string().optional(),
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
  /** Of a child session: the session at the top of its tree, and the names on the way down to it. */
  rootId: z.string().optional(),
  path: z.string().optional(),
  /** Whose context it began with; absent where it began with none. */
  forked_from: z.object({ session_id: z.string(), checkpoint_id: z.string(), turn_id: z.string().nullable() }).optional(),
  /** It was brought back from an export: a record, in which nothing new is done. */
  imported: z.literal(true).optional(),
  /** Of a mini-tool's session: `background` notifies nobody. Absent where nobody said: then it is as `interactive`. */
  activity: z.enum(['interactive', 'background']).optional(),
  /** In one that is read by itself, and in lists: it stands in a container, something happened in it, and nobody has looked. */
  unread: z.literal(true).optional(),
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
  /** The submission became this input of the turn (`onBusy: "steer"`): no turn of its own. */
  inputId: z.string().optional(),
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
  unreported_calls: z.int().optional(),
});
export const usageResource = usageSums.extend({
  /** Of one session or turn: what its newest reported model call had in its context, with the answer. */
  context_tokens: z.int().optional(),
  by_model: z.record(z.string(), usageSums),
});
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
  /** Of a turn with success criteria, once it was judged. */
  verdict: outcomeVerdict.nullable().optional(),
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
export const pageOf = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item), next_offset: z.int().nullable() });

/** A mini-tool whose tools the session may use: whether any of them is there now, and under which names models know them. */
export const usedMinitool = z.object({ id: z.string(), available: z.boolean(), tools: z.array(z.string()) });
/** `minitools`: absent where the session uses none. */
export const sessionCapabilities = z.object({ capabilities: z.record(z.string(), z.boolean()), minitools: z.array(usedMinitool).optional() });
export type SessionCapabilities = z.infer<typeof sessionCapabilities>;
export const turnCapabilities = z.object({ available_commands: z.array(z.string()), capabilities: z.record(z.string(), z.boolean()) });

export type CreateSessionRequest = z.infer<typeof createSessionRequest>;
export type SaidInput = z.infer<typeof saidInput>;
export type TurnInput = z.infer<typeof turnInput>;
export type SubmitRequest = z.infer<typeof submitRequest>;
export type SessionResource = z.infer<typeof sessionResource>;
export type CreatedSession = z.infer<typeof createdSession>;
export type TurnReceipt = z.infer<typeof turnReceipt>;
export type TurnResource = z.infer<typeof turnResource>;
export type UsageResource = z.infer<typeof usageResource>;
