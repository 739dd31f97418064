/**
 * What a mini-tool says of itself: `finch.json`, or the `finch` key of its `package.json`.
 *
 * Members that are not known here are kept and ignored: packages are written for other hosts, too.
 */
import { z } from 'zod';

/** Where an id becomes part of a placement or of a tool's name, it must not look like another one. */
const id = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, { error: 'letters, digits, ".", "_" and "-", at most 64, beginning with a letter or a digit' });
const text = (most: number) => z.string().min(1).max(most);

const localisedText = (most: number) =>
  z.union(
    [
      text(most),
      z
        .looseObject({ default: text(most).optional(), 'en-US': text(most).optional(), 'zh-CN': text(most).optional() })
        .refine((each) => each.default !== undefined || each['en-US'] !== undefined || each['zh-CN'] !== undefined),
    ],
    { error: `a text of at most ${most} characters, or {"default", "en-US", "zh-CN"} with at least one of them` },
  );
const label = localisedText(200);
const prose = localisedText(8_000);
const prompt = localisedText(40_000);

/** A path inside the package, with `/`. */
const innerPath = z
  .string()
  .min(1)
  .max(500)
  .refine((path) => !/^([/\\]|[A-Za-z]:)/.test(path) && !path.split(/[/\\]/).includes('..') && !path.includes('\0'), {
    error: 'a path inside the package: relative, without ".."',
  });

const starterPrompt = z.looseObject({ title: label, description: prose.optional(), prompt });
const menuEntry = z.looseObject({ icon: z.string().optional(), tooltip: label.optional() });

export const sessionContainer = z.looseObject({
  id,
  title: label.optional(),
  description: prose.optional(),
  icon: z.string().optional(),
  mode: z.enum(['inbox', 'assistant'], { error: '"inbox" or "assistant"' }).default('inbox'),
  agentProfile: z.string().optional(),
  starterPrompts: z.array(starterPrompt).max(50).optional(),
  settingsMenu: menuEntry.optional(),
});

export const agentProfile = z.looseObject({ id, name: label.optional(), description: prose.optional(), prompt });

const mcpServer = z.looseObject({
  name: text(64),
  description: z.string().optional(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});

const verification = z.union(
  [
    z.enum(['none', 'slack', 'telegram', 'github', 'stripe', 'standard-webhooks']),
    z.looseObject({
      type: z.enum(['hmac-sha256', 'token', 'slack', 'telegram', 'github', 'stripe', 'standard-webhooks']),
      header: z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/),
      secret: text(200),
    }),
  ],
  { error: '"none", "slack", "telegram", "github", "stripe", "standard-webhooks", or {"type": "hmac-sha256" (or "token", or a platform), "header", "secret"}' },
);

/** The most that a webhook may take: as much as a file of a session. */
export const mostBodyBytes = 16_777_216;

export const webhook = z.looseObject({
  id,
  verify: verification,
  /** Where the platform's own id of a message stands: what the key is made from. */
  dedupe: text(200).optional(),
  /** Deliveries with the same value here come one after another. */
  orderKey: text(200).optional(),
  maxBodyBytes: z
    .int({ error: `a whole number from 1 to ${mostBodyBytes}` })
    .min(1)
    .max(mostBodyBytes)
    .default(1_048_576),
});

export const schedule = z.looseObject({
  id,
  cron: text(200).optional(),
  everySeconds: z.int().min(1).max(31_536_000).optional(),
  timezone: text(64).optional(),
  missed: z.enum(['skip', 'once'], { error: '"skip" or "once"' }).default('skip'),
});

const listed = z.looseObject({ id: text(200) });

const contributions = z.looseObject({
  tools: z.boolean().default(false),
  sessionContainers: z.array(sessionContainer).max(100).default([]),
  agentProfiles: z.array(agentProfile).max(100).default([]),
  mcpServers: z.array(mcpServer).max(100).default([]),
  skills: z.union([z.boolean(), z.array(z.unknown())], { error: 'true or false' }).default(false),
  composerActions: z.array(listed).default([]),
  iconPacks: z.array(listed).default([]),
  icons: z.record(z.string(), z.unknown()).default({}),
  settingsMenu: menuEntry.optional(),
  webhooks: z.array(webhook).max(50).default([]),
  schedules: z.array(schedule).max(50).default([]),
});

export const settingsField = z.looseObject({
  key: text(200),
  type: text(64),
  label: label.optional(),
  description: prose.optional(),
  placeholder: localisedText(500).optional(),
  required: z.boolean().optional(),
  secret: z.boolean().optional(),
  default: z.unknown().optional(),
});

const capabilities = z.looseObject({ capabilities: z.array(text(200)).max(100).default([]) });

/** A name, or the beginning of names: `mcp.*`. */
const secretPattern = z
  .string()
  .max(200)
  .regex(/^[^\s*]+(?:\.\*)?$/, { error: 'the name of a secret, or a prefix like "mcp.*"; "*" alone would mean every one' });

export const permissions = z.looseObject({
  filesystem: z.enum(['none', 'read', 'readwrite'], { error: '"none", "read" or "readwrite"' }).default('none'),
  network: z.boolean().default(false),
  shell: z.boolean().default(false),
  secrets: z.array(secretPattern).max(200).default([]),
  oauth: z.array(text(200)).max(100).default([]),
  sessions: z.boolean().default(false),
  sessionInteractions: z.boolean().default(false),
});

/** `id` is filled in from the package's name before this is asked. */
export const manifest = z.looseObject({
  manifestVersion: z.literal(1, { error: '1' }),
  id: z.string({ error: 'lowercase letters, digits and hyphens, at most 64' }).regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, {
    error: 'lowercase letters, digits and hyphens, at most 64',
  }),
  name: label,
  displayName: label.optional(),
  description: prose.optional(),
  systemPrompt: prompt.optional(),
  main: innerPath.default('dist/index.js'),
  /** Every enabled mini-tool is activated when the server starts; other events are kept and mean nothing. */
  activationEvents: z.array(z.string()).default(['onStartup']),
  minVersion: z
    .string()
    .regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/, { error: 'a whole version like "1.6.0", no range' })
    .optional(),
  contributes: contributions.prefault({}),
  settings: z.looseObject({ fields: z.array(settingsField).max(200).default([]) }).prefault({}),
  provides: capabilities.prefault({}),
  requires: capabilities.prefault({}),
  permissions: permissions.prefault({}),
});

export type Manifest = z.output<typeof manifest>;
/** As an author writes it: what has a default may be left out. */
export type ManifestInput = z.input<typeof manifest>;
export type Permissions = z.output<typeof permissions>;
export type SessionContainer = z.output<typeof sessionContainer>;
export type AgentProfile = z.output<typeof agentProfile>;
export type WebhookContribution = z.output<typeof webhook>;
export type ScheduleContribution = z.output<typeof schedule>;
export type SettingsField = z.output<typeof settingsField>;
/** A text for people, in one language or by locale. */
export type LocalizedString = string | { readonly default?: string | undefined; readonly 'en-US'?: string | undefined; readonly 'zh-CN'?: string | undefined };
