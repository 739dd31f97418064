/**
 * Agents and their definitions on the wire.
 *
 * Requests are strict: a misspelt `permission` that went unnoticed would let a tool run without asking.
 */
import { z } from 'zod';
import { approverRoles } from '../../session/standing.ts';
import { hasLiteralOrigin, hasSoundTemplates, soundTemplates } from '../request-template.ts';
import { hasSoundSecretRefs, soundSecretRefs } from '../secret-refs.ts';
import { secretName } from './identity.ts';
import { limits } from './limits.ts';
import { currencyWanted, isCurrency, modelPrice } from './prices.ts';

const haveOwnNames = (list: readonly { readonly name: string }[]): boolean => new Set(list.map(({ name }) => name)).size === list.length;

/** Tool names as providers accept them. */
export const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, { error: 'letters, digits, _ and -, at most 64' });

const userIds = z
  .array(z.string().min(1).max(200))
  .min(1)
  .max(50)
  .refine((ids) => new Set(ids).size === ids.length, { error: 'each user once' });
const approver = z.union([z.enum(['owner', 'application'], { error: '"owner", "application" or a list of user ids' }), userIds]);
/** What the model is told in place of an answer that did not come in time; without it, that nobody answered. */
const onExpiry = z
  .json()
  .refine((value) => JSON.stringify(value).length <= limits.metadataBytes, { error: `at most ${limits.metadataBytes} characters of JSON` });
/** Who is asked, and how long is waited: for a tool, or for all tools of a server. */
const asking = {
  permission: z.enum(['always_allow', 'always_ask', 'never']).optional(),
  /** The session's owner (unless said otherwise), the application that owns it, or these users and nobody else. */
  approver: approver.optional(),
  timeoutMs: z.int().min(1_000).max(600_000).optional(),
  /** Seconds until an unanswered action of this tool expires as denied. */
  expiresSeconds: z.int().min(1).max(limits.expirySeconds).optional(),
};
const common = { ...asking, readOnly: z.boolean().optional(), idempotent: z.boolean().optional(), destructive: z.boolean().optional() };

/** Stands where a value is secret: the name of a stored one, which is looked up when it is used. */
export const secretRef = z.strictObject({ $secret: secretName });
/** Names and values of headers or of an environment; at most 64. */
const namedValues = (name: z.ZodString, value: z.ZodString) =>
  z.record(name, z.union([value, secretRef])).refine((values) => Object.keys(values).length <= 64, { error: 'at most 64' });
/** A line break in a value would begin another header. */
const headerValue = z
  .string()
  .max(8_192)
  .regex(/^[^\0\r\n]*$/, { error: 'no line breaks' });
const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/, { error: 'the name of a header' });
const envName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, { error: 'letters, digits and _' });
const envValue = z.string().max(32_768);
const url = z.string().max(8_192);

/** The application executes it: an `external_execution` action. */
export const functionTool = z.strictObject({
  type: z.literal('function'),
  name: toolName,
  description: z.string().min(1),
  inputSchema: z.record(z.string(), z.json()),
  onExpiry: onExpiry.optional(),
  ...common,
});

/** Of `request_approval`: a user, users, or whoever has a role in the application or the space that the session is of. */
export const approverRef = z.union([z.string().regex(/^(?!role:).{1,200}$/), z.string().regex(new RegExp(`^role:(?:${approverRoles.join('|')})$`)), userIds], {
  error: `a user id, a list of them, or "role:<name>" with one of ${approverRoles.join(', ')}`,
});
const waitingTools: ReadonlySet<string> = new Set(['ask_user', 'ask_form', 'wait_for_signal']);
export const builtinTool = z
  .strictObject({
    type: z.literal('builtin'),
    name: toolName,
    approverRef: approverRef.optional(),
    /** Of `request_approval`: the question that its approver is asked. */
    prompt: z.string().min(1).max(4_000).optional(),
    onExpiry: onExpiry.optional(),
    ...common,
  })
  .refine((tool) => (tool.name === 'request_approval') === (tool.approverRef !== undefined), {
    error: 'request_approval wants it, no other tool takes it',
    path: ['approverRef'],
  })
  .refine((tool) => tool.approverRef === undefined || tool.approver === undefined, { error: 'approverRef says it', path: ['approver'] })
  .refine((tool) => tool.prompt === undefined || tool.name === 'request_approval', { error: 'only request_approval takes it', path: ['prompt'] })
  .refine((tool) => tool.onExpiry === undefined || waitingTools.has(tool.name), {
    error: 'this tool waits for no answer that it could stand for',
    path: ['onExpiry'],
  });

/**
 * What an HTTP tool sends. `{{input.a.b}}` stands for a member of the call's input: in the path and the query, in values
 * of headers, and in any text of `body`. `{"$secret": "NAME"}` may be a header's value, and any value in `body`.
 */
export const httpRequest = z
  .strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    url: url
      .refine(hasLiteralOrigin, { error: 'http:// or https:// and a literal host: {{…}} may stand in the path and the query only' })
      .refine(hasSoundTemplates, { error: soundTemplates }),
    headers: namedValues(headerName, headerValue.refine(hasSoundTemplates, { error: soundTemplates })).optional(),
    body: z.json().refine(hasSoundTemplates, { error: soundTemplates }).refine(hasSoundSecretRefs, { error: soundSecretRefs }).optional(),
  })
  .refine(({ method, body }) => method !== 'GET' || body === undefined, { error: 'a GET request has no body', path: ['body'] });
/** The server sends one request to an API. */
export const httpTool = z.strictObject({
  type: z.literal('http'),
  name: toolName,
  description: z.string().min(1),
  inputSchema: z.record(z.string(), z.json()),
  request: httpRequest,
  ...common,
});
/**
 * Tools of a mini-tool, those that are named or all others that it has. They come and go with it: one that is not installed is
 * no fault, its tools are just not offered.
 */
export const minitoolTool = z.strictObject({
  type: z.literal('minitool'),
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,61}$/, { error: 'lower case letters, digits and hyphens, at most 62' }),
  /** By their names within the mini-tool. */
  tools: z
    .array(toolName)
    .min(1)
    .max(128)
    .refine((names) => new Set(names).size === names.length, { error: 'each tool once' })
    .optional(),
  ...common,
});
export const toolDefinition = z.discriminatedUnion('type', [functionTool, httpTool, builtinTool, minitoolTool]);

/** The name under which a model knows a tool of a mini-tool. */
export const minitoolToolName = (id: string, tool: string): string => `${id}_${tool}`;

/** The definitions that name one tool each, by the name that the model is told. */
export const namedTools = (tools: readonly ToolDefinition[]): readonly NamedTool[] => tools.filter((tool) => tool.type !== 'minitool');

/** Names that stand for themselves, and for each mini-tool what is said of which of its tools: said twice, it could be said otherwise. */
const differ = (tools: readonly ToolDefinition[]): boolean => {
  const names = tools.flatMap((tool) => {
    if (tool.type !== 'minitool') return [tool.name];
    return tool.tools ? tool.tools.map((name) => minitoolToolName(tool.id, name)) : [`all others of ${tool.id}`];
  });
  return new Set(names).size === names.length;
};

const serverName = z.string().regex(/^[a-zA-Z0-9_-]{1,32}$/, { error: 'letters, digits, _ and -, at most 32' });
/** What is said of one tool of a server, by its name there; it comes before what is said of the server. */
const mcpTools = z.record(z.string().min(1).max(128), z.strictObject(common)).refine((tools) => Object.keys(tools).length <= 256, { error: 'at most 256' });
const mcpCommon = { name: serverName, ...asking, tools: mcpTools.optional() };
/** Started by the server, spoken to over its standard input and output. */
export const mcpProcess = z.strictObject({
  ...mcpCommon,
  command: z.string().min(1).max(4_096),
  args: z.array(z.string().max(32_768)).max(200).optional(),
  env: namedValues(envName, envValue).optional(),
});
/** Reached by streamable HTTP. */
export const mcpRemote = z.strictObject({
  ...mcpCommon,
  url: url.refine((value) => hasLiteralOrigin(value) && !value.includes('{{'), { error: 'an http:// or https:// address' }),
  headers: namedValues(headerName, headerValue).optional(),
});
export const mcpServer = z.union([mcpProcess, mcpRemote], { error: 'either `command` (with `args` and `env`) or `url` (with `headers`)' });

/** Whom the agent may delegate to, by the name and for what it is told. */
export const subagent = z.strictObject({ agentId: z.string().min(1).max(200), name: toolName, description: z.string().min(1).max(2_000) });

const modelName = z.string().regex(/^[^:\s]+:.+$/, { error: 'provider:model, e.g. openai:gpt-5-mini or demo:welcome' });

export const agentDefinition = z.strictObject({
  system: z.string(),
  model: modelName,
  /** Other models that sessions may be made on; `*` = all that `GET /models` lists. Without it only admins make sessions on another one. */
  models: z
    .array(z.union([z.literal('*'), modelName], { error: 'provider:model, or "*" for all that are listed' }))
    .max(64)
    .optional(),
  maxIters: z.int().min(1).max(1_000).default(20),
  temperature: z.number().min(0).max(2).optional(),
  tools: z.array(toolDefinition).max(128).default([]).refine(differ, { error: 'tool names must differ' }),
  mcpServers: z.array(mcpServer).max(16).refine(haveOwnNames, { error: 'server names must differ' }).optional(),
  subagents: z.array(subagent).max(16).refine(haveOwnNames, { error: 'names of subagents must differ' }).optional(),
  permissionMode: z.enum(['ask', 'acceptCalls']).default('acceptCalls'),
  /** Only the newest messages of the context are sent to the model. */
  maxContextMessages: z.int().min(2).max(1_000_000).optional(),
  /** How many tokens the model takes, prompt and answer together; by its name where it is not said. */
  contextWindow: z.int().min(1_000).max(100_000_000).optional(),
  /** What calls of `model` cost, by the million tokens; goes before the server's own prices. */
  pricing: modelPrice.refine(({ currency }) => currency === undefined || isCurrency(currency), { error: currencyWanted, path: ['currency'] }).optional(),
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
/** What was accepted, and will not work as this server is set up now. */
const agentWarning = z.object({ code: z.literal('model_not_configured'), message: z.string() });
export const agentAnswer = z.object({
  agent: agentResource,
  definition: agentDefinition,
  /** Absent when there is nothing to warn of. */
  warnings: z.array(agentWarning).readonly().optional(),
});
export const agentVersionResource = z.object({ version: z.int(), definition: agentDefinition, createdAt: z.int(), createdBy: z.string() });

/** Names to offer in a picker. */
export const modelsAnswer = z.object({ models: z.array(z.object({ name: z.string(), provider: z.string() })) });

export type AgentWarning = z.infer<typeof agentWarning>;
export type SecretRef = z.infer<typeof secretRef>;
export type BuiltinTool = z.infer<typeof builtinTool>;
export type HttpTool = z.infer<typeof httpTool>;
export type HttpRequest = z.infer<typeof httpRequest>;
export type McpServer = z.infer<typeof mcpServer>;
export type MinitoolTool = z.infer<typeof minitoolTool>;
export type ToolDefinition = z.infer<typeof toolDefinition>;
export type NamedTool = Exclude<ToolDefinition, MinitoolTool>;
export type AgentDefinition = z.infer<typeof agentDefinition>;
export type AgentResource = z.infer<typeof agentResource>;
export type CreateAgentRequest = z.infer<typeof createAgentRequest>;
