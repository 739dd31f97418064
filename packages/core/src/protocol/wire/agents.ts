/**
 * Agents and their definitions on the wire.
 *
 * Requests are strict: a misspelt `permission` that went unnoticed would let a tool run without asking.
 */
import { z } from 'zod';
import { limits } from './limits.ts';

/** Tool names as providers accept them. */
export const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, { error: 'letters, digits, _ and -, at most 64' });
const permission = z.enum(['always_allow', 'always_ask', 'never']).optional();
const common = {
  permission,
  /** Nobody but its owner sees a session yet: a list of users would name people who cannot answer. */
  approver: z.enum(['owner', 'application'], { error: '"owner" or "application"; lists of users are not supported yet' }).optional(),
  readOnly: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  destructive: z.boolean().optional(),
  timeoutMs: z.int().min(1_000).max(600_000).optional(),
  /** Seconds until an unanswered action of this tool expires as denied. */
  expiresSeconds: z.int().min(1).max(limits.expirySeconds).optional(),
};

/** The application executes it: an `external_execution` action. */
export const functionTool = z.strictObject({
  type: z.literal('function'),
  name: toolName,
  description: z.string().min(1),
  inputSchema: z.record(z.string(), z.json()),
  ...common,
});
export const builtinTool = z.strictObject({ type: z.literal('builtin'), name: toolName, ...common });
export const toolDefinition = z.discriminatedUnion('type', [functionTool, builtinTool]);

export const agentDefinition = z.strictObject({
  system: z.string(),
  model: z.string().regex(/^[^:\s]+:.+$/, { error: 'provider:model, e.g. openai:gpt-5-mini or demo:welcome' }),
  maxIters: z.int().min(1).max(1_000).default(20),
  temperature: z.number().min(0).max(2).optional(),
  tools: z
    .array(toolDefinition)
    .max(128)
    .default([])
    .refine((tools) => new Set(tools.map((tool) => tool.name)).size === tools.length, { error: 'tool names must differ' }),
  permissionMode: z.enum(['ask', 'acceptCalls']).default('acceptCalls'),
  /** Only the newest messages of the context are sent to the model. */
  maxContextMessages: z.int().min(2).max(1_000_000).optional(),
});

export const createAgentRequest = z.strictObject({
  agentKey: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, { error: 'lower case letters, digits, . _ -, at most 64' }),
  displayName: z.string().min(1).max(200),
  description: z.string().max(2_000).default(''),
  space: z.string().min(1).optional(),
  definition: agentDefinition,
});
export const patchDefinitionRequest = z.strictObject({
  version: z
    .int()
    .min(1)
    .max(limits.version - 1),
  definition: agentDefinition,
});

export const agentResource = z.object({
  id: z.string(),
  agentKey: z.string(),
  displayName: z.string(),
  description: z.string(),
  space: z.string(),
  version: z.int(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export const agentAnswer = z.object({ agent: agentResource, definition: agentDefinition });
export const agentVersionResource = z.object({ version: z.int(), definition: agentDefinition, createdAt: z.int(), createdBy: z.string() });

/** Names to offer in a picker. */
export const modelsAnswer = z.object({ models: z.array(z.object({ name: z.string(), provider: z.string() })) });

export type ToolDefinition = z.infer<typeof toolDefinition>;
export type AgentDefinition = z.infer<typeof agentDefinition>;
export type AgentResource = z.infer<typeof agentResource>;
export type CreateAgentRequest = z.infer<typeof createAgentRequest>;
