/**
 * Model calls of a turn, and what the model was shown and said at one. For people with the right alone: nothing of it
 * stands in events, exports or webhooks.
 */
import { z } from 'zod';
import { inputBlock, outputBlock, textBlock, toolUseBlock } from '../content.ts';
import { pageOf } from './sessions.ts';

/** As in events: counts of the provider, and what they cost by the price that was in force. */
const tokenUsage = z.object({
  input_tokens: z.int(),
  output_tokens: z.int(),
  total_tokens: z.int(),
  cached_input_tokens: z.int().optional(),
  cache_creation_input_tokens: z.int().optional(),
  reasoning_tokens: z.int().optional(),
});
const cost = z.object({ amount: z.number(), currency: z.string() });

export const modelCallResource = z.object({
  id: z.string(),
  /** `compaction`: for the summary that stands for the beginning of the context from then on. */
  kind: z.enum(['answer', 'compaction']),
  /** Of the turn, from 1; a compaction is of the step that it comes before. */
  step: z.int(),
  /** Which try of the step it is, from 1. */
  attempt: z.int(),
  runId: z.string(),
  itemId: z.string(),
  model: z.string().nullable(),
  status: z.enum(['running', 'completed', 'failed', 'cancelled']),
  /** From when on it was owed, when it first told something, and when it ended. */
  owedAt: z.int(),
  startedAt: z.int(),
  endedAt: z.int().nullable(),
  usage: tokenUsage.nullable(),
  cost: cost.nullable(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  retryAt: z.int().nullable(),
});
export const modelCallsPage = pageOf(modelCallResource);

const reasoningBlock = z.object({ type: z.literal('reasoning'), text: z.string() });
/** What providers keep their own marks in (signatures, say) is not told: nobody else can read it. */
const assistantBlock = z.discriminatedUnion('type', [textBlock, reasoningBlock, toolUseBlock]);
const toolResult = z.object({ tool_call_id: z.string(), name: z.string(), output: z.array(outputBlock), is_error: z.boolean() });
export const promptMessage = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: z.array(inputBlock) }),
  z.object({ role: z.literal('assistant'), content: z.array(assistantBlock) }),
  z.object({ role: z.literal('tool'), results: z.array(toolResult) }),
]);
const toolSpec = z.object({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.json()) });

/**
 * What cannot be told as it was then: `messages` (a part was left out of what a summary was made of), `system` and `tools` (they are
 * as mini-tools and MCP servers say now), `files` (one is not there any more).
 */
export const requestDifferences = ['messages', 'system', 'tools', 'files'] as const;

export const modelCallDetail = modelCallResource.extend({
  /** The request is what was sent to the provider's adapter, member by member; else `differs` says what is not. */
  exact: z.boolean(),
  differs: z.array(z.enum(requestDifferences)),
  request: z.object({
    model: z.string(),
    system: z.string(),
    messages: z.array(promptMessage),
    tools: z.array(toolSpec),
    temperature: z.number().nullable(),
  }),
  /** Null while nothing was said. `complete`: it is the whole answer, as the model is shown it from then on. */
  response: z.object({ content: z.array(assistantBlock), complete: z.boolean() }).nullable(),
});

export type ModelCallResource = z.infer<typeof modelCallResource>;
export type ModelCallsPage = z.infer<typeof modelCallsPage>;
export type ModelCallDetail = z.infer<typeof modelCallDetail>;
export type InspectedMessage = z.infer<typeof promptMessage>;
export type RequestDifference = (typeof requestDifferences)[number];
