/**
 * The HTTP door: routes, credentials, errors, streams, documents, console. No rules of its own.
 *
 * `main.ts` gives it the use cases' services and is given back a server to listen and close.
 */

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import swagger from '@fastify/swagger';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import type { App } from '../app/app.ts';
import type { Identity } from '../app/identity.ts';
import type { Minitools } from '../app/minitools/minitool-services.ts';
import { createPasswordAttempts } from '../app/password-attempts.ts';
import type { SecretBox } from '../app/secrets.ts';
import type { ServerFacts, ServerState } from '../app/server-facts.ts';
import { type AnsweredRequest, watchAnswers } from './answered-requests.ts';
import type { Api, ApiServices } from './api.ts';
import { keepClientsInside, requireCaller } from './authentication.ts';
import { clientErrorHandler } from './client-errors.ts';
import { closeConnections } from './close-connections.ts';
import { registerCors } from './cors.ts';
import { type TrustedProxies, tidyForwarded } from './forwarded.ts';
import { HeldRequests } from './held-requests.ts';
import { registerJsonBodies } from './json-body.ts';
import { watchMethods } from './known-methods.ts';
import { documentOptions } from './openapi/document.ts';
import { registerPages } from './pages/register-pages.ts';
import { apiHeaders } from './pages/security-headers.ts';
import { handleError, sendNothingHere } from './problems.ts';
import { createRateLimit } from './rate-limits.ts';
import { createRequestIds } from './request-id.ts';
import { registerActions } from './routes/actions.ts';
import { registerAgents } from './routes/agents.ts';
import { registerApplications } from './routes/applications.ts';
import { registerArchives } from './routes/archives.ts';
import { registerAudit } from './routes/audit.ts';
import { registerBudget } from './routes/budget.ts';
import { registerChildren } from './routes/children.ts';
import { registerClientTokens } from './routes/client-tokens.ts';
import { registerContext } from './routes/context.ts';
import { registerEvents } from './routes/events.ts';
import { registerFiles } from './routes/files.ts';
import { registerInputs } from './routes/inputs.ts';
import { type MetricsSource, registerMetrics } from './routes/metrics.ts';
import { registerMinitoolShows } from './routes/minitool-shows.ts';
import { registerMinitoolWebhooks, type WebhookDoor } from './routes/minitool-webhooks.ts';
import { registerMinitools } from './routes/minitools.ts';
import { registerModelCalls } from './routes/model-calls.ts';
import { registerOverview } from './routes/overview.ts';
import { registerPins } from './routes/pins.ts';
import { registerQueue } from './routes/queue.ts';
import { registerSchedules } from './routes/schedules.ts';
import { registerSecrets } from './routes/secrets.ts';
import { registerHealth } from './routes/server.ts';
import { registerServerInfo } from './routes/server-info.ts';
import { registerSessions } from './routes/sessions.ts';
import { registerAccount, registerSignIn } from './routes/sign-in.ts';
import { registerSpaces } from './routes/spaces.ts';
import { registerTeams } from './routes/teams.ts';
import { registerTokens } from './routes/tokens.ts';
import { registerTurns } from './routes/turns.ts';
import { registerUsage } from './routes/usage.ts';
import { registerUsers } from './routes/users.ts';
import { registerViews } from './routes/views.ts';
import { registerWebhooks } from './routes/webhooks.ts';
import { registerWorkflows } from './routes/workflows.ts';
import { OpenStreams } from './sse/open-streams.ts';
import { createStoreHealth, type Health } from './store-health.ts';
import { validatorCompiler } from './validation.ts';

export type HttpServerOptions = {
  readonly app: App;
  readonly identity: Identity;
  /** How secrets are kept. */
  readonly secretBox: SecretBox;
  /** Mini-tools: what is installed, and what runs it. Without it the API has none of that. */
  readonly minitools?: Minitools;
  /** How the server is; by default: ready when the store takes writes. */
  readonly health?: () => Health | Promise<Health>;
  /** What the server says of itself to admins; nothing unless given. */
  readonly facts?: ServerFacts;
  readonly providers?: ServerState['providers'];
  /** A secret was set or deleted by an admin. */
  readonly secretChanged?: (name: string) => Promise<void>;
  /** True from the moment the server is asked to stop: `/readyz` then sends load balancers elsewhere. */
  readonly draining: () => boolean;
  /** The built console; without it a plain page says how to build it. */
  readonly consoleFolder?: string;
  /** Origins of other sites whose pages may call the API from a browser. */
  readonly corsOrigins?: readonly string[];
  /** Origins of other sites whose pages may show the embedded chat in a frame. */
  readonly embedOrigins?: readonly string[];
  /** Base of the links in documents, when it is not where one listens. */
  readonly publicUrl?: string;
  /** Whose word counts on where a request came from (HF1); nobody's unless given. */
  readonly trustedProxies?: TrustedProxies;
  /** Told of every request, after its answer. */
  readonly requestAnswered?: (request: AnsweredRequest) => void;
  /** The metrics of this process, for whoever may read them; none unless given. */
  readonly metrics?: MetricsSource;
  /** Takes what comes in for webhooks of mini-tools; there are none unless given. */
  readonly webhookDoor?: WebhookDoor;
  /** Hears of unexpected errors only. */
  readonly logger?: FastifyBaseLogger;
  /** A minute: requests of one credential (6,000), failed sign-ins of one address and attempts with a password (10). */
  readonly rateLimits?: { readonly requests?: number; readonly failedSignIns?: number };
};

export type HttpServer = {
  readonly fastify: FastifyInstance;
  /** Event streams that are open now. */
  readonly openStreams: () => number;
  readonly listen: (address: { readonly host: string; readonly port: number }) => Promise<{ readonly url: string; readonly port: number }>;
  /** Ends streams and held answers, lets requests finish, and lets go of the port. */
  readonly close: () => Promise<void>;
};

/** Bodies are at most 8 MB; a client that takes longer to send one holds a connection for nothing. */
const requestTimeoutMs = 120_000;

const createFastify = (logger: FastifyBaseLogger | undefined, trusted: TrustedProxies | undefined): Api => {
  const server = fastify({
    ...(logger ? { loggerInstance: logger } : {}),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(),
    requestIdHeader: false,
    bodyLimit: limits.bodyBytes,
    // A socket that is gone has no address.
    trustProxy: trusted ? (address: string | undefined) => address !== undefined && trusted(address) : false,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: 72_000,
    // Half-dead connections of idle readers are found by TCP, not by a timer each.
    http: { keepAlive: true, keepAliveInitialDelay: 60_000 },
    // Ours says it as a problem document.
    return503OnClosing: false,
    clientErrorHandler,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      void handleError(error, request, reply);
    },
  });
  if (trusted) {
    server.addHook('onRequest', (request, _reply, done) => {
      tidyForwarded(request.raw.headers);
      done();
    });
  }
  return server as unknown as Api;
};

const apiRoutes = [
  registerSessions,
  registerOverview,
  registerTurns,
  registerInputs,
  registerQueue,
  registerBudget,
  registerActions,
  registerContext,
  registerModelCalls,
  registerEvents,
  registerViews,
  registerUsage,
  registerChildren,
  registerFiles,
  registerAgents,
  registerTeams,
  registerWorkflows,
  registerTokens,
  registerPins,
  registerUsers,
  registerSpaces,
  registerApplications,
  registerSecrets,
  registerAudit,
  registerWebhooks,
  registerSchedules,
  registerClientTokens,
  registerArchives,
  registerMinitools,
  registerMinitoolShows,
];

const registerApi = (server: Api, services: ApiServices, state: ServerState | undefined): void => {
  server.register(async (open: Api) => registerSignIn(open, services), { prefix: '/api' });
  server.register(
    async (api: Api) => {
      requireCaller(api, services);
      registerAccount(api, services);
    },
    { prefix: '/api' },
  );
  server.register(
    async (api: Api) => {
      requireCaller(api, services);
      keepClientsInside(api);
      for (const register of apiRoutes) register(api, services);
      registerServerInfo(api, services, state);
    },
    { prefix: '/api/v1' },
  );
};

export const createHttpServer = async (options: HttpServerOptions): Promise<HttpServer> => {
  const { app, identity, secretBox, minitools, logger, publicUrl, corsOrigins = [], rateLimits = {} } = options;
  const server = createFastify(logger, options.trustedProxies);
  const attemptsAMinute = rateLimits.failedSignIns ?? 10;
  const services: ApiServices = {
    app,
    identity,
    secretBox,
    secretChanged: options.secretChanged ?? (async () => {}),
    minitools,
    streams: new OpenStreams(app.clock, identity.authenticate),
    held: new HeldRequests(),
    rateLimits: {
      requests: createRateLimit(app.clock, rateLimits.requests ?? 6_000),
      failedSignIns: createRateLimit(app.clock, attemptsAMinute),
    },
    attempts: createPasswordAttempts({
      byName: createRateLimit(app.clock, attemptsAMinute),
      // Many people may share an address.
      byAddress: createRateLimit(app.clock, attemptsAMinute * 5),
    }),
  };
  identity.onRevoked((hash) => services.streams.endOf(hash));
  identity.onChanged((who) => services.streams.lookAgainAt(who));
  let closing = false;
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(() => (value) => JSON.stringify(value));
  server.setErrorHandler(handleError);
  const methods = watchMethods(server);
  if (options.requestAnswered) watchAnswers(server, options.requestAnswered);
  registerJsonBodies(server);
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (request.url.startsWith('/api/')) reply.headers(apiHeaders);
  });
  await registerCors(server, corsOrigins);
  server.addHook('onRequest', async () => {
    if (closing) throw new TurnkeeperError('shutting_down', 'The server is stopping. Try again in a moment.');
  });
  server.addHook('preClose', async () => {
    closing = true;
    services.held.close();
    services.streams.endAll();
  });
  await server.register(swagger, documentOptions(publicUrl));
  const health = options.health ?? createStoreHealth(() => app.sessions.store.ping(), app.clock);
  const { facts } = options;
  registerApi(
    server,
    services,
    facts && { facts, providers: options.providers ?? (() => []), health: async () => health(), openStreams: () => services.streams.count },
  );
  server.register(async (open: Api) => registerMinitoolWebhooks(open, services, options.webhookDoor), { prefix: '/api/v1' });
  server.register(async (open: Api) => registerHealth(open, health, options.draining));
  const { metrics } = options;
  if (metrics) server.register(async (open: Api) => registerMetrics(open, services, { ...metrics, behindProxy: publicUrl !== undefined }));
  registerPages(server, options);
  server.setNotFoundHandler((request, reply) => sendNothingHere(request, reply, methods.of(request.url.split('?', 1)[0] ?? '')));
  await server.ready();
  return {
    fastify: server as unknown as FastifyInstance,
    openStreams: () => services.streams.count,
    listen: async (address) => {
      await server.listen(address);
      const { port } = server.server.address() as AddressInfo;
      const host = address.host.includes(':') ? `[${address.host}]` : address.host;
      return { url: `http://${host}:${port}`, port };
    },
    close: () => closeConnections(server.server as unknown as Server, app.clock, () => server.close()),
  };
};
