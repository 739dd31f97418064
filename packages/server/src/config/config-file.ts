/** `turnkeeper.config.json` in the data folder: what may stand in it, and how it is read. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelPrice } from '@turnkeeper/core/protocol/wire/prices';
import { z } from 'zod';

const namedProvider = z.strictObject({
  type: z.literal('openai-compatible'),
  baseURL: z.url(),
  apiKey: z.string().optional(),
  models: z.array(z.string()).optional(),
});

const filesSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('folder'), folder: z.string().min(1).optional() }),
  z.strictObject({
    type: z.literal('s3'),
    endpoint: z.string().optional(),
    bucket: z.string().optional(),
    region: z.string().optional(),
    prefix: z.string().optional(),
    accessKeyId: z.string().optional(),
    secretAccessKey: z.string().optional(),
  }),
]);

/** 0 = for ever. */
const days = z.number().min(0).max(36_500);

export const locales = ['en-US', 'zh-CN'] as const;

const fileSchema = z.strictObject({
  providers: z.record(z.string().regex(/^[a-z0-9-]+$/), namedProvider).optional(),
  prices: z.record(z.string(), modelPrice.nullable()).optional(),
  locale: z.enum(locales).optional(),
  slots: z.int().min(1).max(10_000).optional(),
  database: z.strictObject({ poolSize: z.int().min(1).max(1_000).optional(), writeConnections: z.int().min(1).max(64).optional() }).optional(),
  files: filesSchema.optional(),
  retention: z.strictObject({ historyDays: days.optional(), deletedDays: days.optional(), auditDays: days.optional() }).optional(),
  trustedProxies: z.array(z.string()).max(1_000).optional(),
  outbound: z.strictObject({ allow: z.array(z.string()).max(1_000).optional() }).optional(),
  rateLimits: z.strictObject({ requestsPerMinute: z.int().min(1).optional(), failedSignInsPerMinute: z.int().min(1).optional() }).optional(),
});
export type ConfigFile = z.infer<typeof fileSchema>;

/** What the file says; nothing where there is none. Its faults are added to `faults`. */
export const readConfigFile = (folder: string, faults: string[]): ConfigFile => {
  const file = join(folder, 'turnkeeper.config.json');
  if (!existsSync(file)) return {};
  try {
    const parsed = fileSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (parsed.success) return parsed.data;
    faults.push(...parsed.error.issues.map((issue) => `${file}: ${issue.path.join('.') || '(the whole)'}: ${issue.message}`));
  } catch (error) {
    // The parser's own words quote the file, which may hold keys.
    faults.push(`${file}: ${error instanceof SyntaxError ? 'is not valid JSON' : error instanceof Error ? error.message : 'cannot be read'}`);
  }
  return {};
};
