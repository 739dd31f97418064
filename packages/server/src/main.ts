/**
 * The server: the only file that names concrete adapters. Puts store, engine and HTTP together, starts and stops them.
 *
 * MA1 A start that fails leaves nothing behind: no listener, no run, no folder that is taken.
 */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { type Logger, pino } from 'pino';
import { createIdentity } from './app/identity.ts';
import type { ServerConfig } from './config.ts';
import { createEngine, type EngineOptions } from './engine.ts';
import { ensureAdmin, ensureCliToken, ensureDemo, ensureProviderAgents } from './first-start.ts';
import { createHttpServer } from './http/create-http-server.ts';
import { silentBus } from './ports/bus.ts';
import { systemClock } from './ports/clock.ts';
import type { Tool } from './ports/tool.ts';
import { openPostgresStore } from './store/postgres/open-postgres-store.ts';
import { readMarker, removeMarker, writeMarker } from './store/shared/server-marker.ts';
import { createStoreLog } from './store/shared/store-log.ts';
import { openSqliteStore } from './store/sqlite/open-sqlite-store.ts';

export type RunningServer = {
  /** Where it listens, e.g. `http://127.0.0.1:4747`. */
  readonly url: string;
  /** Drains and stops: running model calls get 10 s, then their turns are handed over to the next start. */
  readonly stop: () => Promise<void>;
};

/** What the person at the terminal is told. */
export type Announce = (line: string) => void;

const drainMs = 10_000;
const linkLifetimeMs = 24 * 3_600_000;
const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

const openStore = async (config: ServerConfig, logger: Logger): Promise<EngineOptions['store']> => {
  const clock = systemClock;
  if (config.databaseUrl !== undefined) return openPostgresStore({ url: config.databaseUrl, clock, logger });
  const store = await openSqliteStore({ folder: config.dataFolder, clock, logger }).catch((error: unknown) => {
    throw inUse(error, config.dataFolder);
  });
  return { ...store, bus: silentBus };
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
export const startServer = async (config: ServerConfig, announce: Announce, more: { readonly tools?: readonly Tool[] } = {}): Promise<RunningServer> => {
  const logger = pino({ level: config.logLevel, base: null, redact: ['token', 'apiKey', 'headers.authorization'] }, pino.destination(2));
  makeDataFolder(config.dataFolder);
  const started = new AsyncDisposableStack();
  try {
    return await startOn(config, { announce, logger, started, ...more });
  } catch (error) {
    // The first error is the one to tell.
    await started.disposeAsync().catch((second: unknown) => logger.error({ err: second }, 'a failed start could not be undone'));
    throw error;
  }
};

type Start = {
  readonly announce: Announce;
  readonly logger: Logger;
  /** What runs, to be stopped in the opposite order. */
  readonly started: AsyncDisposableStack;
  readonly tools?: readonly Tool[];
};

const startOn = async (config: ServerConfig, { announce, logger, started, tools }: Start): Promise<RunningServer> => {
  const opened = await openStore(config, logger);
  started.defer(() => opened.close());
  const storeLog = createStoreLog(logger, systemClock);
  const store = { ...opened, sessions: storeLog.over(opened.sessions) };
  const engine = createEngine({
    store,
    clock: systemClock,
    models: config.models,
    slots: config.slots,
    report: (error, about) => {
      if (!storeLog.failed(error)) logger.error({ err: error, session_id: about.sessionId }, 'unexpected error');
    },
    ...(tools ? { tools } : {}),
  });
  const { app } = engine;
  const identity = createIdentity(app);
  let draining = false;
  const http = await createHttpServer({
    app,
    identity,
    logger,
    consoleFolder: fileURLToPath(new URL('../../console/dist', import.meta.url)),
    corsOrigins: config.corsOrigins,
    draining: () => draining,
    rateLimits: config.rateLimits,
    ...(config.publicUrl === undefined ? {} : { publicUrl: config.publicUrl }),
  });
  started.defer(() => http.close());
  const { admin, newToken } = await ensureAdmin(app, identity, config.adminToken);
  await ensureCliToken(app, identity, admin, config.dataFolder);
  const { url } = await http.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
    throw listenError(error, config);
  });
  started.defer(() => engine.runner.stop(drainMs));
  await engine.start();
  if (config.demo) await ensureDemo(app, admin);
  // After the demo, which is for stores without an agent; and the newest agent is what a new chat begins with.
  await ensureProviderAgents(app, admin);
  const marker = { url, pid: process.pid };
  writeMarker(config.dataFolder, marker);
  // Goes before the folder's lock does: after that it may be the next server's.
  started.defer(() => removeMarker(config.dataFolder, marker));
  const link = loopback.has(config.host) ? `${config.publicUrl ?? url}/?token=${identity.newSignInLink(admin.id, linkLifetimeMs)}` : undefined;
  greet(announce, { url, link, newToken, config });
  return {
    url,
    stop: async () => {
      draining = true;
      await started.disposeAsync();
    },
  };
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

const greet = (announce: Announce, { url, link, newToken, config }: Greeting): void => {
  announce(`listening on ${url}`);
  announce('');
  announce('  Turnkeeper is ready.');
  if (link) announce(`  Open      ${link}`);
  if (newToken) announce(`  Token     ${newToken}   (the first admin's; shown once)`);
  announce(`  Store     ${config.databaseUrl === undefined ? config.dataFolder : 'PostgreSQL'}`);
  announce(`  Terminal  npx turnkeeper chat${dataOption(config.dataFolder)}`);
  if (!loopback.has(config.host)) announce('  Note      reachable from other machines: everyone needs a token to sign in; put TLS in front of it.');
  announce('');
};
