/** What every route of the API is given, and the Fastify that validates by zod schemas. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { App } from '../app/app.ts';
import type { Caller } from '../app/caller.ts';
import type { Identity } from '../app/identity.ts';
import type { HeldRequests } from './held-requests.ts';
import type { RateLimits } from './rate-limits.ts';
import type { OpenStreams } from './sse/open-streams.ts';

export type Api = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>;

export type ApiServices = {
  readonly app: App;
  readonly identity: Identity;
  readonly streams: OpenStreams;
  readonly held: HeldRequests;
  readonly rateLimits: RateLimits;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks. Set by `authenticate` before any handler of the API runs. */
    caller: Caller;
    /** Hash of the credential: streams end when it is revoked. */
    credential: string;
  }
}
