/**
 * The server: the only file that names concrete adapters. Puts store, engine and HTTP together, starts and stops them.
 *
 * MA1 A start that fails leaves nothing behind: no listener, no run, no folder that is taken.
 */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { Logger } from 'pino';
import { followKeptKeys } from './app/follow-kept-keys.ts';
import { createIdentity } from './app/identity.ts';
import { createSecretBox, createSecrets, openedSecrets, type SecretBox, unopenedSecrets } from './app/secrets.ts';
import { filesAreApart, type ServerConfig } from './config.ts';
import { createEngine, createNodeName, type Engine, type EngineOptions } from './engine.ts';
import { ensureAdmin, ensureCliToken, ensureDemo, ensureProviderAgents, ensureSecretKey } from './first-start.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from './http/create-http-server.ts';
import { createStoreHealth, type Health } from './http/store-health.ts';
import { createKeptModels } from './models/kept-keys.ts';
import { parseAddressRanges } from './outbound/address-ranges.ts';
import { parseAllowList } from './outbound/allow-list.ts';
import { silentBus } from './ports/bus.ts';
import { type Clock, systemClock } from './ports/clock.ts';
import type { Telemetry } from './ports/telemetry.ts';
import type { Tool } from './ports/tool.ts';
import { openBlobs } from './store/blobs/open-blobs.ts';
import { readMarker, removeMarker, writeMarker } from './store/shared/server-marker.ts';
import { createStoreLog } from './store/shared/store-log.ts';
import { openSqliteStore } from './store/sqlite/open-sqlite-store.ts';
import { createIds } from './system-ids.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { createLogger, type LogContext, openTelemetry } from './telemetry/open-telemetry.ts';

export type RunningServer = {
  /** Where it listens, e.g. `http://127.0.0.1:4747`. */
  readonly url: string;
  /** Drains and stops: running model calls get 10 s, then their turns are handed over to the next start. */
  readonly stop: () => Promise<void>;
};

/** What an installation adds: tools of its own, another lease (15 s by default). */
export type More = { readonly tools?: readonly Tool[]; readonly leaseMs?: number };

/** What the person at the terminal is told. */
export type Announce = (line: string) => void;

/** What this server says of itself. */
const release = { version: '0.1.0' };
const drainMs = 10_000;
const linkLifetimeMs = 24 * 3_600_000;
const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

/** With the time that the server goes by: all nodes on one database have the database's. */
const openStore = async (
  config: ServerConfig,
  logger: Logger,
  batchEnded: Telemetry['batchEnded'],
): Promise<EngineOptions['store'] & { readonly clock: Clock }> => {
  const clock = systemClock;
  if (config.databaseUrl !== undefined) {
    // Loaded where it is used: a driver costs each start its time.
    const { openPostgresStore } = await import('./store/postgres/open-postgres-store.ts');
    return openPostgresStore({ url: config.databaseUrl, clock, logger, batchEnded, ...config.database });
  }
  const store = await openSqliteStore({ folder: config.dataFolder, clock, logger, batchEnded }).catch((error: unknown) => {
    throw inUse(error, config.dataFolder);
  });
  return { ...store, bus: silentBus, clock };
};

/** Names the server that has the folder, when its marker does. */
const inUse = (error: unknown, folder: string): unknown => {
  if (!(error instanceof TurnkeeperError) || error.details['reason'] !== 'in_use') return error;
  const marker = readMarker(folder);
  if (!marker) return error;
  const message = `The data folder ${folder} cannot be used: another process uses it (by its server.json: pid ${marker.pid}, ${marker.url}). Stop it, or choose another folder with --data.`;
  return new TurnkeeperError(error.code, message, { ...error.details, ...marker }, { cause: error });
};

const makeDataFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new TurnkeeperError('storage_unavailable', `The data folder ${folder} cannot be made: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/**
 * Starts a server. Rejects with a `TurnkeeperError` whose message says what is wrong and what is wanted: a folder in
 * use or not writable, a database that cannot be reached, a port that is taken.
 */
export const startServer = async (config: ServerConfig, announce: Announce, more: More = {}): Promise<RunningServer> => {
  const context: LogContext = {};
  const logger = createLogger(config.logLevel, context);
  makeDataFolder(config.dataFolder);
  const started = new AsyncDisposableStack();
  try {
    return await startOn(config, { announce, logger, context, started, ...more });
  } catch (error) {
    // The first error is the one to tell.
    await started.disposeAsync().catch((second: unknown) => logger.error({ err: second }, 'a failed start could not be undone'));
    throw error;
  }
};

type Start = More & {
  readonly announce: Announce;
  readonly logger: Logger;
  readonly context: LogContext;
  /** What runs, to be stopped in the opposite order. */
  readonly started: AsyncDisposableStack;
};

const startOn = async (config: ServerConfig, { announce, logger, context, started, tools, leaseMs }: Start): Promise<RunningServer> => {
  const metrics = createMetrics(systemClock);
  const opened = await openStore(config, logger, metrics.telemetry.batchEnded);
  const { clock } = opened;
  started.defer(() => opened.close());
  const node = createNodeName(createIds(clock));
  context.node = () => node.current;
  const { telemetry, close } = await openTelemetry({ metrics, traces: config.traces, clock, logger, node: context.node });
  started.defer(close);
  const storeLog = createStoreLog(logger, systemClock, telemetry.storeFailed);
  const store = { ...opened, sessions: storeLog.over(opened.sessions) };
  const secretBox = createSecretBox(ensureSecretKey(config.dataFolder, config.secretKey));
  await sayUnopened(store.catalog, secretBox, logger);
  const kept = createKeptModels({ config: config.models, clock, read: (names) => openedSecrets(store.catalog, secretBox, names) });
  await kept.look().catch((error: unknown) => logger.error({ err: error }, 'keys of models that are kept could not be read'));
  const files = await openBlobs(config.files);
  started.defer(files.close);
  let base = config.publicUrl ?? '';
  const engine = createEngine({
    store,
    blobs: files.blobs,
    clock,
    node,
    telemetry,
    models: kept.models,
    slots: config.slots,
    report: (error, about) => {
      if (!storeLog.failed(error)) logger.error({ err: error, session_id: about.sessionId, turn_id: about.turnId }, 'unexpected error');
    },
    secrets: createSecrets(store.catalog, secretBox),
    toolLists: { get: (key) => store.catalog.toolList(key), keep: (key, list) => store.catalog.keepToolList(key, list, clock.now()) },
    outbound: { allow: parseAllowList(config.outbound.allow).list },
    secretBox,
    webhooks: { base: () => base, allowPrivate: config.webhooks.allowPrivate },
    retention: config.retention,
    programEnvironment: config.programEnvironment,
    minitools: { dataFolder: config.dataFolder, version: release.version, locale: config.locale },
    ...(tools ? { tools } : {}),
    ...(leaseMs === undefined ? {} : { leaseMs }),
  });
  const { app } = engine;
  const identity = createIdentity(app);
  const { admin, newToken } = await ensureAdmin(app, identity, config.adminToken);
  const keys = followKeptKeys({
    ...{ kept, clock, shared: store.bus.shared, changed: () => ensureProviderAgents(app, admin) },
    report: (error) => logger.error({ err: error }, 'keys of models that are kept could not be read'),
  });
  started.defer(keys.stop);
  let draining = false;
  const http = await createHttpServer({
    app,
    identity,
    secretBox,
    ...servedMinitools(engine, store),
    logger,
    consoleFolder: fileURLToPath(new URL('../../console/dist', import.meta.url)),
    corsOrigins: config.corsOrigins,
    embedOrigins: config.embedOrigins,
    ...(config.trustedProxies.length > 0 ? { trustedProxies: parseAddressRanges(config.trustedProxies).ranges.has } : {}),
    draining: () => draining,
    health: healthOf(engine, clock),
    facts: factsOf(config, clock),
    providers: () => [...kept.providers()],
    secretChanged: keys.secretChanged,
    requestAnswered: telemetry.requestAnswered,
    metrics: { read: metrics.read, ...(config.metricsToken === undefined ? {} : { token: config.metricsToken }) },
    rateLimits: config.rateLimits,
    ...(config.publicUrl === undefined ? {} : { publicUrl: config.publicUrl }),
  });
  started.defer(() => http.close());
  watchGauges(metrics, engine, http);
  await ensureCliToken(app, identity, admin, config.dataFolder);
  const { url } = await http.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
    throw listenError(error, config);
  });
  if (config.publicUrl === undefined) base = url;
  started.defer(() => engine.background.stop(drainMs));
  started.defer(() => engine.drain(drainMs));
  await engine.start();
  if (config.demo) await ensureDemo(app, admin);
  // After the demo, which is for stores without an agent; and the newest agent is what a new chat begins with.
  await ensureProviderAgents(app, admin);
  const marker = { url, pid: process.pid };
  writeMarker(config.dataFolder, marker);
  // Goes before the folder's lock does: after that it may be the next server's.
  started.defer(() => removeMarker(config.dataFolder, marker));
  const link = loopback.has(config.host) ? `${config.publicUrl ?? url}/?token=${await identity.newSignInLink(admin.id, linkLifetimeMs)}` : undefined;
  if (filesAreApart(config)) logger.warn({ folder: config.dataFolder }, filesApart);
  greet(announce, { url, link, newToken, config });
  logger.info({ url, store: config.databaseUrl === undefined ? 'embedded' : 'postgres', traces: config.traces !== undefined }, 'started');
  return {
    url,
    stop: async () => {
      draining = true;
      logger.info('stopping');
      await started.disposeAsync();
      logger.info('stopped');
    },
  };
};

const servedMinitools = ({ minitools }: Engine, store: EngineOptions['store']): Pick<HttpServerOptions, 'minitools' | 'webhookDoor'> =>
  minitools
    ? {
        minitools: { store: store.minitools, host: minitools.host, tools: minitools.tools, arrivals: minitools.door.arrivals, shows: minitools.shows },
        webhookDoor: minitools.door,
      }
    : {};

/** A node whose lease is over runs nothing, however well its store does. */
const healthOf = ({ app, runner }: Engine, clock: Clock): (() => Promise<Health>) => {
  const storeHealth = createStoreHealth(() => app.sessions.store.ping(), clock);
  return async () => {
    const health = await storeHealth();
    return health.ready && !runner.ready ? { ready: false, detail: 'This node holds no lease now; it is asking for one.' } : health;
  };
};

/** Names of settings and none of their values. */
const factsOf = (config: ServerConfig, clock: Clock): NonNullable<HttpServerOptions['facts']> => ({
  version: release.version,
  pid: process.pid,
  dataFolder: config.dataFolder,
  store: config.databaseUrl === undefined ? 'embedded' : 'postgres',
  startedAt: clock.now(),
  retention: config.retention,
});

const watchGauges = (metrics: Metrics, { app, runner, slots, background, minitools }: Engine, http: HttpServer): void =>
  metrics.watch({
    openStreams: http.openStreams,
    sessionsHeld: () => runner.held,
    slotsUsed: () => slots.used,
    leaseHeld: () => runner.ready,
    webhooksSending: () => background.sending(),
    minitoolsRunning: () => minitools?.host.running().length ?? 0,
    workload: () => app.sessions.store.workload(app.clock.now()),
  });

/** The server starts all the same: most of what it does needs no secret. */
const sayUnopened = async (catalog: EngineOptions['store']['catalog'], box: SecretBox, logger: Logger): Promise<void> => {
  const secrets = await unopenedSecrets(catalog, box);
  if (secrets.length === 0) return;
  logger.error({ secrets }, 'these secrets were encrypted with another key: set the TURNKEEPER_SECRET_KEY that they were set with, or set them again');
};

const listenError = (error: unknown, { host, port }: ServerConfig): unknown => {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE')
    return new TurnkeeperError('invalid_request', `Port ${port} on ${host} is in use. Choose another with --port, or stop what uses it.`);
  if (code === 'EACCES')
    return new TurnkeeperError('invalid_request', `Port ${port} on ${host} may not be used by this user. Choose one above 1023 with --port.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new TurnkeeperError('invalid_request', `${host} is not an address of this machine (--host).`);
  return error;
};

type Greeting = { readonly url: string; readonly link: string | undefined; readonly newToken: string | undefined; readonly config: ServerConfig };

/** Empty for the folder that the command line looks in by itself. */
export const dataOption = (folder: string): string => {
  if (folder === resolve('.turnkeeper')) return '';
  return ` --data ${/^[\w@%+=:,./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`}`;
};

const filesApart =
  "the bytes of files are in this node's own data folder: other nodes on the database cannot read them (set TURNKEEPER_FILES_FOLDER to a shared folder, or TURNKEEPER_FILES_S3_BUCKET)";

const greet = (announce: Announce, { url, link, newToken, config }: Greeting): void => {
  announce(`listening on ${url}`);
  announce('');
  announce('  Turnkeeper is ready.');
  if (link) announce(`  Open      ${link}`);
  if (newToken) announce(`  Token     ${newToken}   (the first admin's; shown once)`);
  announce(`  Store     ${config.databaseUrl === undefined ? config.dataFolder : 'PostgreSQL'}`);
  announce(`  Terminal  npx turnkeeper chat${dataOption(config.dataFolder)}`);
  if (filesAreApart(config)) announce('  Note      files are in this node’s own folder: for several nodes see docs/files.md.');
  if (!loopback.has(config.host)) announce('  Note      reachable from other machines: everyone needs a token to sign in; put TLS in front of it.');
  announce('');
};
