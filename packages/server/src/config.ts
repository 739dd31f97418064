/**
 * The configuration: flags win over the environment, which wins over `turnkeeper.config.json` in the data folder.
 *
 * The only reader of the environment in the server. Faults are all named at once, with where they come from.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { z } from 'zod';
import type { ModelsConfig } from './models/models-config.ts';

/** What `turnkeeper serve` was told on the command line. */
export type ServeFlags = {
  readonly port?: string | undefined;
  readonly host?: string | undefined;
  readonly data?: string | undefined;
  readonly database?: string | undefined;
  readonly publicUrl?: string | undefined;
  readonly corsOrigins?: string | undefined;
  readonly demo?: boolean | undefined;
};

export type ServerConfig = {
  readonly port: number;
  readonly host: string;
  /** Absolute. */
  readonly dataFolder: string;
  /** `postgres://…`; undefined = the embedded store in the data folder. */
  readonly databaseUrl: string | undefined;
  /** The first admin's token; undefined = a generated one. */
  readonly adminToken: string | undefined;
  readonly publicUrl: string | undefined;
  readonly corsOrigins: readonly string[];
  readonly demo: boolean;
  readonly models: ModelsConfig;
  /** Model calls and tools at once. */
  readonly slots: number;
  /** Requests of one credential, and failed sign-ins of one address, in a minute. */
  readonly rateLimits: { readonly requests: number; readonly failedSignIns: number };
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug';
};

const namedProvider = z.strictObject({
  type: z.literal('openai-compatible'),
  baseURL: z.url(),
  apiKey: z.string().optional(),
  models: z.array(z.string()).optional(),
});
const price = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  cachedInput: z.number().min(0).optional(),
  currency: z.string().optional(),
});

/** `turnkeeper.config.json` in the data folder. */
const fileSchema = z.strictObject({
  providers: z.record(z.string().regex(/^[a-z0-9-]+$/), namedProvider).optional(),
  prices: z.record(z.string(), price.nullable()).optional(),
  slots: z.int().min(1).max(10_000).optional(),
  rateLimits: z.strictObject({ requestsPerMinute: z.int().min(1).optional(), failedSignInsPerMinute: z.int().min(1).optional() }).optional(),
});

/** 32 bytes. */
const secretKeySchema = z.string().regex(/^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=|[A-Za-z0-9_-]{43}=?)$/);
/** How a yes or a no is written in the environment. */
const switchSchema = z.enum(['0', '1', 'true', 'false']).transform((value) => value === '1' || value === 'true');

const portSchema = z.coerce.number().int().min(0).max(65_535);
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug'] as const;
const tokenSchema = z
  .string()
  .min(16)
  .max(512)
  .regex(/^[\x21-\x7e]+$/);

type Environment = { readonly [name: string]: string | undefined };

const wrong = (faults: readonly string[]): TurnkeeperError =>
  new TurnkeeperError('validation_failed', `The configuration is wrong:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`, { faults });

const readConfigFile = (folder: string, faults: string[]): z.infer<typeof fileSchema> => {
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

const modelsConfig = (env: Environment, file: z.infer<typeof fileSchema>): ModelsConfig => {
  const key = (name: string): string | undefined => (env[name]?.trim() ? env[name]?.trim() : undefined);
  const provider = (keyName: string, baseName: string) => {
    const apiKey = key(keyName);
    const baseURL = key(baseName);
    return apiKey === undefined ? undefined : { apiKey, ...(baseURL === undefined ? {} : { baseURL }) };
  };
  const openai = provider('OPENAI_API_KEY', 'OPENAI_BASE_URL');
  const anthropic = provider('ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL');
  const google = provider('GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_GENERATIVE_AI_BASE_URL');
  const compatibleUrl = key('OPENAI_COMPATIBLE_BASE_URL');
  const compatibleKey = key('OPENAI_COMPATIBLE_API_KEY');
  return {
    demo: true,
    ...(openai ? { openai } : {}),
    ...(anthropic ? { anthropic } : {}),
    ...(google ? { google } : {}),
    ...(compatibleUrl === undefined ? {} : { openaiCompatible: { baseURL: compatibleUrl, ...(compatibleKey === undefined ? {} : { apiKey: compatibleKey }) } }),
    ...(file.providers ? { named: file.providers as NonNullable<ModelsConfig['named']> } : {}),
    ...(file.prices ? { prices: file.prices as NonNullable<ModelsConfig['prices']> } : {}),
  };
};

/** Reads flags, environment and file. Throws `validation_failed` naming every fault. */
export const readConfig = (flags: ServeFlags, env: Environment = process.env): ServerConfig => {
  const faults: string[] = [];
  const checked = <Of>(schema: z.ZodType<Of>, value: unknown, from: string, wanted: string, otherwise: Of): Of => {
    if (value === undefined || value === '') return otherwise;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    faults.push(`${from}: ${JSON.stringify(value)} is not ${wanted}`);
    return otherwise;
  };
  /** Says what is wrong and never what it is: what is printed at a start ends in logs. */
  const secret = (schema: z.ZodType, name: string, wanted: string): string | undefined => {
    const value = env[name] || undefined;
    if (value !== undefined && !schema.safeParse(value).success) faults.push(`${name}: ${wanted} is wanted`);
    return value;
  };
  const dataFolder = resolve(flags.data ?? (env['TURNKEEPER_DATA_DIR'] || './.turnkeeper'));
  const file = readConfigFile(dataFolder, faults);
  const databaseUrl = flags.database ?? (env['TURNKEEPER_DATABASE_URL'] || undefined);
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl))
    faults.push('--database / TURNKEEPER_DATABASE_URL: a URL that begins with postgres:// is wanted');
  const origins = (flags.corsOrigins ?? env['TURNKEEPER_CORS_ORIGINS'] ?? '')
    .split(',')
    .map((origin) => origin.trim())
    .filter(Boolean);
  for (const origin of origins)
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      faults.push(`--cors-origins / TURNKEEPER_CORS_ORIGINS: ${JSON.stringify(origin)} is not an origin such as https://app.example.com`);
  // Nothing is encrypted yet; a wrong key is better found today than on the day when it counts.
  secret(secretKeySchema, 'TURNKEEPER_SECRET_KEY', '32 bytes as 64 hexadecimal digits or as base64');
  const config: ServerConfig = {
    port: checked(portSchema, flags.port ?? env['PORT'], '--port / PORT', 'a port from 0 to 65535', 4747),
    host: flags.host ?? (env['HOST'] || '127.0.0.1'),
    dataFolder,
    databaseUrl,
    adminToken: secret(tokenSchema, 'TURNKEEPER_ADMIN_TOKEN', 'a token of 16 to 512 visible ASCII characters'),
    publicUrl: checked(z.url().optional(), flags.publicUrl ?? env['TURNKEEPER_PUBLIC_URL'], '--public-url / TURNKEEPER_PUBLIC_URL', 'a URL', undefined),
    corsOrigins: origins,
    demo: checked(switchSchema, env['TURNKEEPER_DEMO'], 'TURNKEEPER_DEMO', '0, 1, true or false', true) && flags.demo !== false,
    models: modelsConfig(env, file),
    slots: file.slots ?? 256,
    rateLimits: { requests: file.rateLimits?.requestsPerMinute ?? 6_000, failedSignIns: file.rateLimits?.failedSignInsPerMinute ?? 10 },
    logLevel: checked(z.enum(logLevels), env['TURNKEEPER_LOG_LEVEL'], 'TURNKEEPER_LOG_LEVEL', `one of ${logLevels.join(', ')}`, 'warn'),
  };
  if (faults.length > 0) throw wrong(faults);
  return config;
};
