/**
 * The configuration: flags win over the environment, which wins over `turnkeeper.config.json` in the data folder.
 *
 * The only reader of the environment in the server. Faults are all named at once, with where they come from.
 */
import { join, resolve } from 'node:path';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { z } from 'zod';
import { type ConfigEntry, configEntries } from './config/config-entries.ts';
import { type ConfigFile, locales, readConfigFile } from './config/config-file.ts';
import type { ModelsConfig } from './models/models-config.ts';
import { parseAddressRanges } from './outbound/address-ranges.ts';
import { parseAllowList } from './outbound/allow-list.ts';
import { defaultRetention, type RetentionConfig } from './retention/retention-config.ts';
import type { BlobsConfig } from './store/blobs/blobs-config.ts';
import type { TracesConfig } from './telemetry/traces-config.ts';

/** What `turnkeeper serve` was told on the command line. */
export type ServeFlags = {
  readonly port?: string | undefined;
  readonly host?: string | undefined;
  readonly data?: string | undefined;
  readonly database?: string | undefined;
  readonly publicUrl?: string | undefined;
  readonly corsOrigins?: string | undefined;
  readonly embedOrigins?: string | undefined;
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
  /** 32 bytes by which secrets are encrypted at rest; undefined = a generated key in the data folder. */
  readonly secretKey: Buffer | undefined;
  readonly publicUrl: string | undefined;
  readonly corsOrigins: readonly string[];
  /** Origins of other sites whose pages may show the embedded chat in a frame. */
  readonly embedOrigins: readonly string[];
  /** Addresses and ranges of proxies in front, whose word counts on where a request came from. */
  readonly trustedProxies: readonly string[];
  /** What programs that tools start (MCP servers) are told of the server's environment: where things are, and nothing else. */
  readonly programEnvironment: Readonly<Record<string, string>>;
  /** What tools may reach though it is not public: hosts and ranges. */
  readonly outbound: { readonly allow: readonly string[] };
  /** Where the bytes of files are kept. */
  readonly files: BlobsConfig;
  /** Webhooks may go by http and to private addresses: for development. */
  readonly webhooks: { readonly allowPrivate: boolean };
  readonly retention: RetentionConfig;
  readonly demo: boolean;
  readonly models: ModelsConfig;
  /** Connections to PostgreSQL: for commits, and at most so many for everything else. */
  readonly database: { readonly poolSize: number; readonly writeConnections: number };
  /** The language of mini-tools, where no admin set one. */
  readonly locale: 'en-US' | 'zh-CN';
  /** Model calls and tools at once. */
  readonly slots: number;
  /** Requests of one credential, and failed sign-ins of one address, in a minute. */
  readonly rateLimits: { readonly requests: number; readonly failedSignIns: number };
  /** Opens `/metrics` and nothing else; undefined = admins and this machine only. */
  readonly metricsToken: string | undefined;
  /** Where traces go; undefined = nowhere. */
  readonly traces: TracesConfig | undefined;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug';
};

/** 32 bytes. */
const secretKeySchema = z.string().regex(/^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=|[A-Za-z0-9_-]{43}=?)$/);
/** How a yes or a no is written in the environment. */
const switchSchema = z.enum(['0', '1', 'true', 'false']).transform((value) => value === '1' || value === 'true');

/** Base of links: what follows begins with a slash, so it ends without one. */
const publicUrlSchema = z
  .url({ protocol: /^https?$/ })
  .refine((url) => {
    if (!URL.canParse(url)) return false;
    const { search, hash, username, password } = new URL(url);
    return search === '' && hash === '' && username === '' && password === '';
  })
  .transform((url) => url.replace(/\/+$/, ''))
  .optional();
const portSchema = z.coerce.number().int().min(0).max(65_535);
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug'] as const;
const tokenSchema = z
  .string()
  .min(16)
  .max(512)
  .regex(/^[\x21-\x7e]+$/);

export type Environment = { readonly [name: string]: string | undefined };

const wrong = (faults: readonly string[]): TurnkeeperError =>
  new TurnkeeperError('validation_failed', `The configuration is wrong:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`, { faults });

const modelsConfig = (env: Environment, file: ConfigFile): ModelsConfig => {
  const key = (name: string): string | undefined => (env[name]?.trim() ? env[name]?.trim() : undefined);
  const provider = (keyName: string, baseName: string) => {
    const apiKey = key(keyName);
    const baseURL = key(baseName);
    return apiKey === undefined ? undefined : { apiKey, ...(baseURL === undefined ? {} : { baseURL }) };
  };
  const openai = provider('OPENAI_API_KEY', 'OPENAI_BASE_URL');
  const anthropic = provider('ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL');
  const google = provider('GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_GENERATIVE_AI_BASE_URL');
  const [openaiUrl, anthropicUrl, googleUrl] = [key('OPENAI_BASE_URL'), key('ANTHROPIC_BASE_URL'), key('GOOGLE_GENERATIVE_AI_BASE_URL')];
  const baseURLs = {
    ...(openaiUrl === undefined ? {} : { openai: openaiUrl }),
    ...(anthropicUrl === undefined ? {} : { anthropic: anthropicUrl }),
    ...(googleUrl === undefined ? {} : { google: googleUrl }),
  };
  const compatibleUrl = key('OPENAI_COMPATIBLE_BASE_URL');
  const compatibleKey = key('OPENAI_COMPATIBLE_API_KEY');
  return {
    demo: true,
    ...(openai ? { openai } : {}),
    ...(anthropic ? { anthropic } : {}),
    ...(google ? { google } : {}),
    ...(Object.keys(baseURLs).length > 0 ? { baseURLs } : {}),
    ...(compatibleUrl === undefined ? {} : { openaiCompatible: { baseURL: compatibleUrl, ...(compatibleKey === undefined ? {} : { apiKey: compatibleKey }) } }),
    ...(file.providers ? { named: file.providers as NonNullable<ModelsConfig['named']> } : {}),
    ...(file.prices ? { prices: file.prices } : {}),
  };
};

const listOf = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

/** Traces are sent when one of OpenTelemetry's own variables says where to; faults are told without the headers' values. */
const tracesConfig = (env: Environment, content: boolean, faults: string[]): TracesConfig | undefined => {
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']?.trim();
  const shared = env['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim();
  const url = own || (shared && `${shared.replace(/\/+$/, '')}/v1/traces`);
  if (!url || env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return undefined;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    faults.push(`${own ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT'}: a URL that begins with http:// or https:// is wanted`);
  const headers = listOf(env['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] || env['OTEL_EXPORTER_OTLP_HEADERS']).map((entry) => headerOf(entry));
  if (headers.includes(undefined)) faults.push('OTEL_EXPORTER_OTLP_HEADERS: name=value, separated by commas, is wanted');
  return {
    url,
    headers: Object.fromEntries(headers.filter((header) => header !== undefined)),
    serviceName: env['OTEL_SERVICE_NAME']?.trim() || 'turnkeeper',
    content,
  };
};

const headerOf = (entry: string): readonly [string, string] | undefined => {
  const at = entry.indexOf('=');
  const name = entry.slice(0, Math.max(at, 0)).trim();
  try {
    return /^[\w!#$%&'*+.^`|~-]+$/.test(name) ? [name, decodeURIComponent(entry.slice(at + 1).trim())] : undefined;
  } catch {
    return undefined;
  }
};

/**
 * S3-compatible storage when a bucket is named; else a folder. One that is named is taken for the same on all nodes, the
 * one in the data folder is not.
 */
const filesConfig = (env: Environment, file: ConfigFile, dataFolder: string, faults: string[]): BlobsConfig => {
  const given = (name: string): string | undefined => env[`TURNKEEPER_FILES_${name}`]?.trim() || undefined;
  const inFile = file.files?.type === 's3' ? file.files : undefined;
  const bucket = given('S3_BUCKET') ?? inFile?.bucket;
  if (bucket === undefined && inFile === undefined) {
    const folder = given('FOLDER') ?? (file.files?.type === 'folder' ? file.files.folder : undefined);
    return { type: 'folder', folder: folder === undefined ? join(dataFolder, 'files') : resolve(dataFolder, folder), shared: folder !== undefined };
  }
  const wanted = (name: string, member: 'endpoint' | 'bucket' | 'accessKeyId' | 'secretAccessKey'): string => {
    const value = given(name) ?? inFile?.[member];
    if (!value) faults.push(`TURNKEEPER_FILES_${name} / files.${member}: is wanted for S3-compatible storage`);
    return value ?? '';
  };
  const endpoint = wanted('S3_ENDPOINT', 'endpoint');
  if (endpoint !== '' && (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)))
    faults.push('TURNKEEPER_FILES_S3_ENDPOINT / files.endpoint: a URL that begins with http:// or https:// is wanted');
  const prefix = (given('S3_PREFIX') ?? inFile?.prefix ?? '').replace(/^\/+|\/+$/g, '');
  return {
    type: 's3',
    endpoint,
    bucket: wanted('S3_BUCKET', 'bucket'),
    region: given('S3_REGION') ?? inFile?.region ?? 'us-east-1',
    accessKeyId: wanted('S3_ACCESS_KEY_ID', 'accessKeyId'),
    secretAccessKey: wanted('S3_SECRET_ACCESS_KEY', 'secretAccessKey'),
    prefix: prefix === '' ? '' : `${prefix}/`,
    scratchFolder: join(dataFolder, 'files', 'incoming'),
  };
};

/** The bytes of a key that has the form of one; its faults are told elsewhere. */
const keyBytes = (text: string | undefined): Buffer | undefined => {
  if (text === undefined) return undefined;
  return Buffer.from(text, text.length === 64 ? 'hex' : 'base64');
};

const programEnvironment = (env: Environment): Readonly<Record<string, string>> =>
  Object.fromEntries(['PATH', 'HOME', 'LANG'].flatMap((name) => (env[name] ? [[name, env[name]] as const] : [])));

/** What the process's own environment names, by the order of POSIX; English for any other language. */
const localeOf = (env: Environment): ServerConfig['locale'] =>
  /^zh\b/i.test((env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '').replace('_', '-')) ? 'zh-CN' : 'en-US';

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
  const originsOf = (text: string | undefined, from: string): readonly string[] => {
    const origins = listOf(text);
    for (const origin of origins)
      if (origin !== '*' && (origin.includes('*') || !URL.canParse(origin) || new URL(origin).origin !== origin))
        faults.push(`${from}: ${JSON.stringify(origin)} is not an origin such as https://app.example.com, or *`);
    return origins;
  };
  const corsOrigins = originsOf(flags.corsOrigins ?? env['TURNKEEPER_CORS_ORIGINS'], '--cors-origins / TURNKEEPER_CORS_ORIGINS');
  const embedOrigins = originsOf(flags.embedOrigins ?? env['TURNKEEPER_EMBED_ORIGINS'], '--embed-origins / TURNKEEPER_EMBED_ORIGINS');
  const givenProxies = env['TURNKEEPER_TRUSTED_PROXIES'] || undefined;
  const trustedProxies = givenProxies === undefined ? (file.trustedProxies ?? []) : listOf(givenProxies);
  const proxiesFrom = givenProxies === undefined ? 'trustedProxies' : 'TURNKEEPER_TRUSTED_PROXIES';
  faults.push(...parseAddressRanges(trustedProxies).faults.map((fault) => `${proxiesFrom}: ${fault}`));
  const givenAllow = env['TURNKEEPER_OUTBOUND_ALLOW'] || undefined;
  const allow = givenAllow === undefined ? (file.outbound?.allow ?? []) : listOf(givenAllow);
  const allowFrom = givenAllow === undefined ? 'outbound.allow' : 'TURNKEEPER_OUTBOUND_ALLOW';
  faults.push(...parseAllowList(allow).faults.map((fault) => `${allowFrom}: ${fault}`));
  const config: ServerConfig = {
    port: checked(portSchema, flags.port ?? env['PORT'], '--port / PORT', 'a port from 0 to 65535', 4747),
    host: flags.host ?? (env['HOST'] || '127.0.0.1'),
    dataFolder,
    databaseUrl,
    adminToken: secret(tokenSchema, 'TURNKEEPER_ADMIN_TOKEN', 'a token of 16 to 512 visible ASCII characters'),
    secretKey: keyBytes(secret(secretKeySchema, 'TURNKEEPER_SECRET_KEY', '32 bytes as 64 hexadecimal digits or as base64')),
    publicUrl: checked(
      publicUrlSchema,
      flags.publicUrl ?? env['TURNKEEPER_PUBLIC_URL'],
      '--public-url / TURNKEEPER_PUBLIC_URL',
      'an http or https URL such as https://turns.example.com, without a query',
      undefined,
    ),
    corsOrigins,
    embedOrigins,
    trustedProxies,
    outbound: { allow },
    files: filesConfig(env, file, dataFolder, faults),
    webhooks: {
      allowPrivate: checked(switchSchema, env['TURNKEEPER_WEBHOOK_ALLOW_PRIVATE'], 'TURNKEEPER_WEBHOOK_ALLOW_PRIVATE', '0, 1, true or false', false),
    },
    retention: {
      historyDays: checked(
        z.coerce.number().min(0).max(36_500),
        env['TURNKEEPER_RETENTION_DAYS'],
        'TURNKEEPER_RETENTION_DAYS',
        'a number of days',
        file.retention?.historyDays ?? defaultRetention.historyDays,
      ),
      deletedDays: file.retention?.deletedDays ?? defaultRetention.deletedDays,
      auditDays: file.retention?.auditDays ?? defaultRetention.auditDays,
    },
    programEnvironment: programEnvironment(env),
    demo: checked(switchSchema, env['TURNKEEPER_DEMO'], 'TURNKEEPER_DEMO', '0, 1, true or false', true) && flags.demo !== false,
    models: modelsConfig(env, file),
    database: { poolSize: file.database?.poolSize ?? 6, writeConnections: file.database?.writeConnections ?? 3 },
    locale: checked(z.enum(locales), env['TURNKEEPER_LOCALE']?.trim(), 'TURNKEEPER_LOCALE', `one of ${locales.join(', ')}`, file.locale ?? localeOf(env)),
    slots: file.slots ?? 256,
    rateLimits: { requests: file.rateLimits?.requestsPerMinute ?? 6_000, failedSignIns: file.rateLimits?.failedSignInsPerMinute ?? 10 },
    metricsToken: secret(tokenSchema, 'TURNKEEPER_METRICS_TOKEN', 'a token of 16 to 512 visible ASCII characters'),
    traces: tracesConfig(env, checked(switchSchema, env['TURNKEEPER_TRACE_CONTENT'], 'TURNKEEPER_TRACE_CONTENT', '0, 1, true or false', false), faults),
    logLevel: checked(z.enum(logLevels), env['TURNKEEPER_LOG_LEVEL'], 'TURNKEEPER_LOG_LEVEL', `one of ${logLevels.join(', ')}`, 'warn'),
  };
  if (faults.length > 0) throw wrong(faults);
  return config;
};

/** True where other nodes on the same database would not see the bytes of files. */
export const filesAreApart = ({ files, databaseUrl }: Pick<ServerConfig, 'files' | 'databaseUrl'>): boolean =>
  databaseUrl !== undefined && files.type === 'folder' && !files.shared;

/** Every setting as it is in force, and where it comes from. Throws `validation_failed`, as `readConfig`. */
export const listConfig = (flags: ServeFlags, env: Environment = process.env): readonly ConfigEntry[] => {
  const config = readConfig(flags, env);
  return configEntries({ config, flags, env, file: readConfigFile(config.dataFolder, []) });
};
