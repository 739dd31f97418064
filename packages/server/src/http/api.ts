/** What every route of the API is given, and the Fastify that validates by zod schemas. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { App } from '../app/app.ts';
import type { Caller } from '../app/caller.ts';
import type { Identity } from '../app/identity.ts';
import type { Minitools } from '../app/minitools/minitool-services.ts';
import type { PasswordAttempts } from '../app/password-attempts.ts';
import type { SecretBox } from '../app/secrets.ts';
import type { HeldRequests } from './held-requests.ts';
import type { RateLimits } from './rate-limits.ts';
import type { OpenStreams } from './sse/open-streams.ts';

export type Api = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>;

export type ApiServices = {
  readonly app: App;
  readonly identity: Identity;
  /** How secrets are kept. */
  readonly secretBox: SecretBox;
  /** A secret was set or deleted. */
  readonly secretChanged: (name: string) => Promise<void>;
  /** What is installed, and what runs it; absent where this server runs none. */
  readonly minitools: Minitools | undefined;
  readonly streams: OpenStreams;
  readonly held: HeldRequests;
  readonly rateLimits: RateLimits;
  /** Counts each try of a password. */
  readonly attempts: PasswordAttempts;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks. Set by `authenticate` before any handler of the API runs. */
    caller: Caller;
    /** Hash of the credential: streams end when it is revoked. */
    credential: string;
  }
}
