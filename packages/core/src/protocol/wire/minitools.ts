/**
 * Mini-tools on the wire: what is installed, what it may do, and how people run it.
 *
 * Requests are strict: a permission that was misspelt would be one that nobody agreed to.
 */
import { z } from 'zod';
import { limits } from './limits.ts';

/** Of a packed mini-tool that is uploaded. */
export const packageBytes = 50 * 1024 * 1024;
export const mostLogLines = 5_000;

const id = z.string().min(1).max(200);
const time = z.int();

// ——— what is shown ———

export const minitoolStatus = z.enum(['enabled', 'disabled', 'broken']);
/** Of its process: `waiting` is started again in a while; `elsewhere` runs on another node; the files of what is `missing` are not on this machine. */
export const minitoolActivity = z.enum(['stopped', 'starting', 'running', 'waiting', 'elsewhere', 'missing']);

const names = z.array(z.string().max(200)).max(200);
/** As they stand in a manifest: what is shown before a mini-tool is enabled, and sent back to enable it. */
export const minitoolPermissions = z.strictObject({
  filesystem: z.enum(['none', 'read', 'readwrite']),
  network: z.boolean(),
  shell: z.boolean(),
  secrets: names,
  oauth: names,
  sessions: z.boolean(),
  sessionInteractions: z.boolean(),
});

/** `enforced`: the server keeps the mini-tool to it; else it is only what its author says. */
export const permissionInWords = z.object({ permission: z.string(), words: z.string(), enforced: z.boolean() });

const starterPrompt = z.object({ title: z.string(), description: z.string(), prompt: z.string() });
export const minitoolContainer = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  /** A name, a sign, or a `data:` address of a picture that its manifest brings along; null where it names none. */
  icon: z.string().nullable(),
  /** `assistant`: people open sessions there; `inbox`: only the mini-tool does. */
  mode: z.enum(['inbox', 'assistant']),
  starterPrompts: z.array(starterPrompt),
  /** Sessions in which something happened that nobody has looked at; none that is archived. */
  unread: z.array(z.string()),
  /** The id of the agent that its people chose; null = the installation's. */
  agent: z.string().nullable(),
});

export const minitoolToolResource = z.object({
  /** As models are told. */
  name: z.string(),
  title: z.string(),
  description: z.string(),
  risk: z.enum(['low', 'medium', 'high']),
  exposure: z.enum(['startup', 'dynamic']),
});

export const settingsFieldResource = z.object({
  key: z.string(),
  type: z.string(),
  label: z.string(),
  description: z.string(),
  placeholder: z.string(),
  required: z.boolean(),
  secret: z.boolean(),
  default: z.json(),
  options: z.array(z.object({ value: z.string(), label: z.string() })),
});

/** In a list. */
export const minitoolResource = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.string(),
  status: minitoolStatus,
  /** Why it is broken, or was disabled by itself; for admins. */
  reason: z.string().nullable(),
  activity: minitoolActivity,
  /** Whoever asks is one of its people: opens sessions in its containers, chooses their agents, and its sessions are as one's own. */
  isUser: z.boolean(),
  /** How many sessions of its containers are unread. */
  unreadCount: z.int(),
  installedAt: time,
  updatedAt: time,
});

/** What admins are told besides. */
const administered = z.object({
  /** What it was installed from: `npm:<name>@<version>`, `folder:<path>`, `link:<path>`, `file:<name>`. */
  source: z.string(),
  /** As people set them; those of secret fields are left out. */
  settings: z.record(z.string(), z.json()),
  /** Secret fields that have a value. */
  secretSettings: z.array(z.string()),
  /** The agent of each container that has one of its own. */
  containerAgents: z.record(z.string(), z.string()),
  /** Users who may use it. */
  users: z.array(z.string()),
  /** What was agreed to; null = nothing yet. */
  consent: minitoolPermissions.nullable(),
  /** Its declared secrets; a prefix like `mcp.*` is none that has a value. */
  secrets: z.array(z.object({ name: z.string(), isSet: z.boolean() })),
});

export const minitoolDetails = minitoolResource.extend({
  permissions: minitoolPermissions,
  permissionsInWords: z.array(permissionInWords),
  /** For admins. */
  lastCrash: z.object({ at: time, reason: z.string() }).nullable(),
  containers: z.array(minitoolContainer),
  tools: z.array(minitoolToolResource),
  settingsFields: z.array(settingsFieldResource),
  webhooks: z.array(z.object({ id: z.string(), path: z.string() })),
  schedules: z.array(z.string()),
  /** For admins. */
  administration: administered.optional(),
});
export const minitoolAnswer = z.object({ minitool: minitoolDetails });

export const minitoolLogEntry = z.object({ time: z.string(), level: z.enum(['debug', 'info', 'warn', 'error']), message: z.string() });
export const minitoolLog = z.object({ items: z.array(minitoolLogEntry) });

/** A request that came in by a webhook of a mini-tool. Never what was sent. */
export const minitoolArrival = z.object({
  id: z.string(),
  /** When it was answered. */
  at: time,
  hook: z.string(),
  path: z.string(),
  /** Of the HTTP answer. */
  status: z.int(),
  /** Why it was refused. */
  code: z.string().nullable(),
  /** `repeated`: it was kept before. `answered`: by the server itself, as the platform wants it. */
  outcome: z.enum(['kept', 'repeated', 'answered', 'refused']),
  /** `not_wanted`: the hook takes everything. `not_checked`: it was refused before that. */
  signature: z.enum(['verified', 'wrong', 'not_wanted', 'not_checked']),
  /** Of the body, as far as it was read. */
  bytes: z.int(),
  durationMs: z.int(),
  /** Of what was kept: the `id` of the delivery that the mini-tool gets. */
  messageId: z.string().nullable(),
});

// ——— what is asked ———

const npmSource = /^npm:(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:@[A-Za-z0-9._+~^-]+)?$/;

export const installMinitoolRequest = z.strictObject({
  source: z
    .string()
    .max(4_096)
    .refine((source) => npmSource.test(source) || (source.startsWith('folder:') && source.length > 'folder:'.length), {
      error: 'npm:<package>, npm:<package>@<version> or folder:<absolute path>',
    }),
  /** Of a folder: it runs where it lies, and is started again when something in it changes. For whoever works on it. */
  link: z.boolean().optional(),
});

export const patchMinitoolRequest = z.strictObject({
  /** Those that are named; null takes one back to its default. */
  settings: z.record(z.string().max(200), z.json()).optional(),
  /** By container, those that are named: an agent's key or id; null = the installation's default. */
  containerAgents: z.record(z.string().max(200), id.nullable()).optional(),
  users: z
    .array(id)
    .max(1_000)
    .transform((users) => [...new Set(users)])
    .optional(),
});

export const minitoolLocale = z.enum(['en-US', 'zh-CN']);

/** What holds for all mini-tools of the installation. */
export const minitoolDefaults = z.object({
  /** The id of the agent of containers that have none of their own; null = none is set. */
  defaultAgent: z.string().nullable(),
  /** The language in which mini-tools speak to people and models; null = none is set. */
  locale: minitoolLocale.nullable(),
  /** The one that is in force: that, else what the server was started with. */
  localeInForce: minitoolLocale,
});
/** What is left out stays as it is. */
export const putMinitoolDefaultsRequest = z.strictObject({
  /** An agent's key or id; null takes it back. */
  defaultAgent: id.nullable().optional(),
  /** null takes it back. */
  locale: minitoolLocale.nullable().optional(),
});

export const enableMinitoolRequest = z.strictObject({ consent: minitoolPermissions });

export const containerSessionRequest = z.strictObject({
  title: z.string().max(limits.titleCharacters).optional(),
  initialMessage: z.strictObject({ message: z.string().max(limits.textCharacters) }).optional(),
});

export const minitoolLogQuery = z.object({
  lines: z.coerce.number().int().min(0).max(mostLogLines).default(100),
  follow: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
});

export type MinitoolPermissions = z.infer<typeof minitoolPermissions>;
export type PermissionInWords = z.infer<typeof permissionInWords>;
export type MinitoolContainer = z.infer<typeof minitoolContainer>;
export type MinitoolResource = z.infer<typeof minitoolResource>;
export type MinitoolDetails = z.infer<typeof minitoolDetails>;
export type MinitoolDefaults = z.infer<typeof minitoolDefaults>;
export type PutMinitoolDefaults = z.infer<typeof putMinitoolDefaultsRequest>;
export type MinitoolAnswer = z.infer<typeof minitoolAnswer>;
export type MinitoolArrival = z.infer<typeof minitoolArrival>;
export type MinitoolLogEntry = z.infer<typeof minitoolLogEntry>;
export type InstallMinitoolRequest = z.input<typeof installMinitoolRequest>;
export type PatchMinitoolRequest = z.input<typeof patchMinitoolRequest>;
export type ContainerSessionRequest = z.input<typeof containerSessionRequest>;
