/** Tells of every request once its answer is out: for counting, never for its content. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Api } from './api.ts';
import { streamMark } from './openapi/operation.ts';

export type AnsweredRequest = {
  readonly id: string;
  readonly method: string;
  /** The route's template; what no route takes shares one name. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** Its time is that of its reader. */
  readonly stream: boolean;
};

const isStream = ({ routeOptions }: FastifyRequest): boolean => routeOptions.schema !== undefined && streamMark in routeOptions.schema;

export const watchAnswers = (server: Api, told: (request: AnsweredRequest) => void): void => {
  const tell = (request: FastifyRequest, { raw, elapsedTime }: FastifyReply, stream: boolean): void =>
    told({ id: request.id, method: request.method, route: request.routeOptions.url ?? '(none)', status: raw.statusCode, ms: elapsedTime, stream });
  // A stream goes on the raw socket, past Fastify, which never hears of its end.
  server.addHook('onRequest', (request, reply, done) => {
    if (isStream(request)) reply.raw.once('close', () => tell(request, reply, true));
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    if (!isStream(request)) tell(request, reply, false);
    done();
  });
};
