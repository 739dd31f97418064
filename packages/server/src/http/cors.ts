/**
 * Which pages of other sites may call the API from a browser.
 *
 * CO1 A preflight is answered before anybody asks for a credential: browsers send it without one. An origin that is not allowed
 *     gets an answer like any other client, without a word that a browser would take for leave.
 * CO2 Every answer to an allowed origin says so, refusals and streams too: a page that may call is told why it failed.
 * CO3 Cookies are never asked for: a credential is a header that the page itself sets, so any origin may be allowed.
 */
import cors from '@fastify/cors';
import type { Api } from './api.ts';

/** Any origin. */
const anyOrigin = '*';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** What the API reads beside what every page may send. */
const requestHeaders = [
  'Authorization',
  'X-API-Key',
  'Content-Type',
  'Idempotency-Key',
  'Last-Event-ID',
  'X-File-Name',
  'Range',
  'If-Range',
  'If-None-Match',
  'Traceparent',
  'Tracestate',
];
/** What it answers beside what every page may read. */
const answerHeaders = ['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'ETag', 'Idempotency-Replayed', 'Retry-After', 'X-Request-Id'];
const keptSeconds = 600;

/** For what is registered from here on. */
export const registerCors = async (server: Api, origins: readonly string[]): Promise<void> => {
  const all = origins.includes(anyOrigin);
  const allowed = new Set(origins);
  server.addHook('onRequest', (request, reply, next) => {
    const { origin } = request.headers;
    if (request.method !== 'OPTIONS' || (origin !== undefined && (all || allowed.has(origin)))) return next();
    // Whoever keeps answers must not take this one for an allowed origin's.
    if (!all && allowed.size > 0) reply.header('vary', 'Origin');
    reply
      .header('allow', [...methods, 'OPTIONS'].join(', '))
      .code(204)
      .send();
  });
  if (origins.length === 0) return;
  await server.register(cors, {
    origin: all ? anyOrigin : (origin, done) => done(null, origin !== undefined && allowed.has(origin) ? origin : false),
    strictPreflight: false,
    methods: [...methods],
    allowedHeaders: requestHeaders,
    exposedHeaders: answerHeaders,
    maxAge: keptSeconds,
  });
};
