/** The configuration as `turnkeeper config` tells it: every setting that is in force, and where it comes from. */
import type { Environment, ServeFlags, ServerConfig } from '../config.ts';
import type { BlobsConfig } from '../store/blobs/blobs-config.ts';
import type { ConfigFile } from './config-file.ts';

/** One setting as it is in force. `value`: as a person reads it; secrets are masked. */
export type ConfigEntry = {
  readonly name: string;
  readonly value: string;
  readonly source: 'flag' | 'environment' | 'file' | 'default';
  /** How it is set. */
  readonly flag?: string;
  readonly variable?: string;
};

type Setting = {
  readonly name: string;
  readonly show: (config: ServerConfig) => string;
  readonly flag?: { readonly text: string; readonly given: (flags: ServeFlags) => unknown };
  readonly variable?: string;
  readonly inFile?: (file: ConfigFile) => unknown;
};

const masked = '********';
const mask = (value: unknown, otherwise: string): string => (value === undefined ? otherwise : masked);
const listed = (list: readonly string[]): string => (list.length === 0 ? 'none' : list.join(', '));

const shownDays = (days: number): string => (days === 0 ? 'for ever' : `${days} days`);

/** A database's address without its password. */
const shownUrl = (text: string): string => {
  if (!URL.canParse(text)) return masked;
  const url = new URL(text);
  if (url.password !== '') url.password = masked;
  // libpq takes it there, too.
  if (url.searchParams.has('password')) url.searchParams.set('password', masked);
  return url.href;
};

const shownFiles = (files: BlobsConfig, manyNodes: boolean): string => {
  if (files.type === 's3') return `bucket ${files.bucket} at ${shownUrl(files.endpoint)}${files.prefix === '' ? '' : `, under ${files.prefix}`}`;
  return manyNodes && !files.shared ? 'a folder of this node alone: for several nodes name a shared one, or S3-compatible storage' : 'a folder';
};

const provider = (name: string, variable: string, on: (config: ServerConfig) => { readonly apiKey?: string | undefined } | undefined): Setting => ({
  name,
  show: (config) => mask(on(config)?.apiKey, on(config) === undefined ? 'off' : 'on, without a key'),
  variable,
});

const settings: readonly Setting[] = [
  { name: 'port', show: ({ port }) => String(port), flag: { text: '--port', given: ({ port }) => port }, variable: 'PORT' },
  { name: 'host', show: ({ host }) => host, flag: { text: '--host', given: ({ host }) => host }, variable: 'HOST' },
  { name: 'data folder', show: ({ dataFolder }) => dataFolder, flag: { text: '--data', given: ({ data }) => data }, variable: 'TURNKEEPER_DATA_DIR' },
  {
    name: 'database',
    show: ({ databaseUrl }) => (databaseUrl === undefined ? 'embedded, in the data folder' : shownUrl(databaseUrl)),
    flag: { text: '--database', given: ({ database }) => database },
    variable: 'TURNKEEPER_DATABASE_URL',
  },
  { name: 'admin token', show: ({ adminToken }) => mask(adminToken, 'generated at first start'), variable: 'TURNKEEPER_ADMIN_TOKEN' },
  { name: 'secret key', show: ({ secretKey }) => mask(secretKey, 'secret.key in the data folder'), variable: 'TURNKEEPER_SECRET_KEY' },
  {
    name: 'public URL',
    show: ({ publicUrl }) => publicUrl ?? 'where it listens',
    flag: { text: '--public-url', given: ({ publicUrl }) => publicUrl },
    variable: 'TURNKEEPER_PUBLIC_URL',
  },
  {
    name: 'CORS origins',
    show: ({ corsOrigins }) => listed(corsOrigins),
    flag: { text: '--cors-origins', given: ({ corsOrigins }) => corsOrigins },
    variable: 'TURNKEEPER_CORS_ORIGINS',
  },
  {
    name: 'embed origins',
    show: ({ embedOrigins }) => listed(embedOrigins),
    flag: { text: '--embed-origins', given: ({ embedOrigins }) => embedOrigins },
    variable: 'TURNKEEPER_EMBED_ORIGINS',
  },
  {
    name: 'trusted proxies',
    show: ({ trustedProxies }) => listed(trustedProxies),
    variable: 'TURNKEEPER_TRUSTED_PROXIES',
    inFile: ({ trustedProxies }) => trustedProxies,
  },
  {
    name: 'webhooks to private addresses',
    show: ({ webhooks }) => (webhooks.allowPrivate ? 'allowed' : 'refused'),
    variable: 'TURNKEEPER_WEBHOOK_ALLOW_PRIVATE',
  },
  {
    name: 'history kept',
    show: ({ retention }) => shownDays(retention.historyDays),
    variable: 'TURNKEEPER_RETENTION_DAYS',
    inFile: ({ retention }) => retention?.historyDays,
  },
  { name: 'deleted sessions kept', show: ({ retention }) => shownDays(retention.deletedDays), inFile: ({ retention }) => retention?.deletedDays },
  { name: 'audit log kept', show: ({ retention }) => shownDays(retention.auditDays), inFile: ({ retention }) => retention?.auditDays },
  { name: 'outbound allow', show: ({ outbound }) => listed(outbound.allow), variable: 'TURNKEEPER_OUTBOUND_ALLOW', inFile: ({ outbound }) => outbound?.allow },
  {
    name: 'files',
    show: ({ files, databaseUrl }) => shownFiles(files, databaseUrl !== undefined),
    variable: 'TURNKEEPER_FILES_S3_BUCKET',
    inFile: ({ files }) => files,
  },
  {
    name: 'files folder',
    show: ({ files }) => (files.type === 'folder' ? files.folder : 'not used'),
    variable: 'TURNKEEPER_FILES_FOLDER',
    inFile: ({ files }) => (files?.type === 'folder' ? files.folder : undefined),
  },
  {
    name: 'files secret key',
    show: ({ files }) => mask(files.type === 's3' ? files.secretAccessKey : undefined, 'not used'),
    variable: 'TURNKEEPER_FILES_S3_SECRET_ACCESS_KEY',
    inFile: ({ files }) => (files?.type === 's3' ? files.secretAccessKey : undefined),
  },
  {
    name: 'demo',
    show: ({ demo }) => (demo ? 'on' : 'off'),
    flag: { text: '--no-demo', given: ({ demo }) => (demo === false ? demo : undefined) },
    variable: 'TURNKEEPER_DEMO',
  },
  provider('OpenAI', 'OPENAI_API_KEY', ({ models }) => models.openai),
  provider('Anthropic', 'ANTHROPIC_API_KEY', ({ models }) => models.anthropic),
  provider('Google', 'GOOGLE_GENERATIVE_AI_API_KEY', ({ models }) => models.google),
  provider('OpenAI-compatible', 'OPENAI_COMPATIBLE_BASE_URL', ({ models }) => models.openaiCompatible),
  { name: 'more providers', show: ({ models }) => listed(Object.keys(models.named ?? {})), inFile: ({ providers }) => providers },
  { name: 'prices', show: ({ models }) => listed(Object.keys(models.prices ?? {})), inFile: ({ prices }) => prices },
  { name: 'language of mini-tools', show: ({ locale }) => locale, variable: 'TURNKEEPER_LOCALE', inFile: ({ locale }) => locale },
  { name: 'slots', show: ({ slots }) => String(slots), inFile: ({ slots }) => slots },
  { name: 'database pool size', show: ({ database }) => String(database.poolSize), inFile: ({ database }) => database?.poolSize },
  { name: 'database write connections', show: ({ database }) => String(database.writeConnections), inFile: ({ database }) => database?.writeConnections },
  { name: 'requests a minute', show: ({ rateLimits }) => String(rateLimits.requests), inFile: ({ rateLimits }) => rateLimits?.requestsPerMinute },
  {
    name: 'failed sign-ins a minute',
    show: ({ rateLimits }) => String(rateLimits.failedSignIns),
    inFile: ({ rateLimits }) => rateLimits?.failedSignInsPerMinute,
  },
  { name: 'metrics token', show: ({ metricsToken }) => mask(metricsToken, 'none: admins and this machine'), variable: 'TURNKEEPER_METRICS_TOKEN' },
  { name: 'traces', show: ({ traces }) => (traces ? shownUrl(traces.url) : 'off'), variable: 'OTEL_EXPORTER_OTLP_ENDPOINT' },
  { name: 'content in traces', show: ({ traces }) => (traces?.content ? 'on' : 'off'), variable: 'TURNKEEPER_TRACE_CONTENT' },
  { name: 'log level', show: ({ logLevel }) => logLevel, variable: 'TURNKEEPER_LOG_LEVEL' },
];

type Told = { readonly config: ServerConfig; readonly flags: ServeFlags; readonly env: Environment; readonly file: ConfigFile };

export const configEntries = ({ config, flags, env, file }: Told): readonly ConfigEntry[] => {
  const sourceOf = ({ flag, variable, inFile }: Setting): ConfigEntry['source'] => {
    if (flag?.given(flags) !== undefined) return 'flag';
    if (variable !== undefined && env[variable]?.trim()) return 'environment';
    return inFile?.(file) === undefined ? 'default' : 'file';
  };
  return settings.map((setting) => ({
    name: setting.name,
    value: setting.show(config),
    source: sourceOf(setting),
    ...(setting.flag ? { flag: setting.flag.text } : {}),
    ...(setting.variable === undefined ? {} : { variable: setting.variable }),
  }));
};
