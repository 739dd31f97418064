/**
 * The HTTP door: routes, credentials, errors, streams, documents, console. No rules of its own.
 *
 * `main.ts` gives it the use cases' services and is given back a server to listen and close.
 */

import type { AddressInfo } from 'node:net';
import cors from '@fastify/cors';
import swagger from '@fastify/swagger';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import type { App } from '../app/app.ts';
import type { Identity } from '../app/identity.ts';
import type { Api, ApiServices } from './api.ts';
import { requireCaller } from './authentication.ts';
import { clientErrorHandler } from './client-errors.ts';
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
import { registerEvents } from './routes/events.ts';
import { registerHealth } from './routes/server.ts';
import { registerSessions } from './routes/sessions.ts';
import { registerAccount, registerSignIn } from './routes/sign-in.ts';
import { registerTurns } from './routes/turns.ts';
import { registerViews } from './routes/views.ts';
import { OpenStreams } from './sse/open-streams.ts';
import { createStoreHealth, type Health } from './store-health.ts';
import { validatorCompiler } from './validation.ts';

export type HttpServerOptions = {
  readonly app: App;
  readonly identity: Identity;
  /** How the server is; by default: ready when the store takes writes. */
  readonly health?: () => Health | Promise<Health>;
  /** True from the moment the server is asked to stop: `/readyz` then sends load balancers elsewhere. */
  readonly draining: () => boolean;
  /** The built console; without it a plain page says how to build it. */
  readonly consoleFolder?: string;
  /** Origins of other sites whose pages may call the API from a browser. */
  readonly corsOrigins?: readonly string[];
  /** Base of the links in documents, when it is not where one listens. */
  readonly publicUrl?: string;
  /** Hears of unexpected errors only. */
  readonly logger?: FastifyBaseLogger;
  /** A minute: requests of one credential (6,000), and failed sign-ins of one address (10). */
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

const createFastify = (logger: FastifyBaseLogger | undefined): Api => {
  const server = fastify({
    ...(logger ? { loggerInstance: logger } : {}),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(),
    requestIdHeader: false,
    bodyLimit: limits.bodyBytes,
    trustProxy: false,
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
  return server as unknown as Api;
};

const registerApi = (server: Api, services: ApiServices): void => {
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
      for (const register of [registerSessions, registerTurns, registerActions, registerEvents, registerViews, registerAgents]) register(api, services);
    },
    { prefix: '/api/v1' },
  );
};

const registerCors = (server: Api, origins: readonly string[]): void => {
  if (origins.length === 0) {
    server.options('*', { schema: { hide: true } as never }, (_request, reply) =>
      reply.header('allow', 'GET, HEAD, POST, PATCH, DELETE, OPTIONS').code(204).send(),
    );
    return;
  }
  server.register(cors, {
    origin: [...origins],
    strictPreflight: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['X-Request-Id', 'Idempotency-Replayed', 'Retry-After'],
    maxAge: 600,
  });
};

export const createHttpServer = async (options: HttpServerOptions): Promise<HttpServer> => {
  const { app, identity, logger, publicUrl, corsOrigins = [], rateLimits = {} } = options;
  const server = createFastify(logger);
  const services: ApiServices = {
    app,
    identity,
    streams: new OpenStreams(app.clock),
    held: new HeldRequests(),
    rateLimits: {
      requests: createRateLimit(app.clock, rateLimits.requests ?? 6_000),
      failedSignIns: createRateLimit(app.clock, rateLimits.failedSignIns ?? 10),
    },
  };
  let closing = false;
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(() => (value) => JSON.stringify(value));
  server.setErrorHandler(handleError);
  const methods = watchMethods(server);
  registerJsonBodies(server);
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (request.url.startsWith('/api/')) reply.headers(apiHeaders);
    if (closing) {
      throw new TurnkeeperError('shutting_down', 'The server is stopping. Try again in a moment.');
    }
  });
  server.addHook('preClose', async () => {
    closing = true;
    services.held.close();
    services.streams.endAll();
  });
  await server.register(swagger, documentOptions(publicUrl));
  registerCors(server, corsOrigins);
  registerApi(server, services);
  server.register(async (health: Api) =>
    registerHealth(health, options.health ?? createStoreHealth(() => app.sessions.store.ping(), app.clock), options.draining),
  );
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
    close: async () => {
      await server.close();
    },
  };
};
