/**
 * Errors on the wire: every refusal, whatever threw it, becomes a problem document (RFC 9457).
 *
 * What is not expected is logged with the request's id and answered as `internal_error`, without a word of what it was.
 */

import { type ErrorCode, type ErrorDetails, errorTable, problemOf, TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { discardBody } from './discard-body.ts';

export const problemType = 'application/problem+json; charset=utf-8';

type Told = { readonly code: ErrorCode; readonly detail: string; readonly details?: ErrorDetails };

/** A spent budget lasts until somebody raises it: nobody is to ask every second. */
const spentBudgetSeconds = 3600;

const secondsUntilRetry = (code: ErrorCode, details: ErrorDetails): number => {
  if (code === 'token_budget_exhausted') return spentBudgetSeconds;
  const ms = details['retry_after_ms'];
  return typeof ms === 'number' ? Math.max(1, Math.ceil(ms / 1000)) : 1;
};

/** What Fastify itself refuses before a handler runs. */
const fastifyFault = (error: FastifyError, limit: number): Told | undefined => {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { code: 'payload_too_large', detail: `The request's body is larger than ${limit} bytes.`, details: { limit } };
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return { code: 'unsupported_media_type', detail: 'Send the body as application/json.' };
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return { code: 'invalid_request', detail: 'The body is not as long as Content-Length says.' };
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return { code: 'invalid_request', detail: 'The body is not valid JSON.' };
    case 'FST_ERR_BAD_URL':
      return { code: 'invalid_request', detail: 'The path is not valid: its percent-encoding cannot be read.' };
    default:
      break;
  }
  if (error instanceof SyntaxError) return { code: 'invalid_request', detail: 'The body is not valid JSON.' };
  const { statusCode } = error;
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return undefined;
  if (statusCode === 404) return { code: 'not_found', detail: 'There is nothing here.' };
  if (statusCode === 413) return { code: 'payload_too_large', detail: 'The request is larger than allowed.', details: { limit } };
  if (statusCode === 415) return { code: 'unsupported_media_type', detail: 'Send the body as application/json.' };
  return { code: 'invalid_request', detail: 'The request cannot be read.' };
};

/** What an error will be answered as. */
export const codeOf = (error: unknown): ErrorCode =>
  error instanceof TurnkeeperError ? error.code : (fastifyFault(error as FastifyError, limits.bodyBytes)?.code ?? 'internal_error');

const told = (error: unknown, request: FastifyRequest): Told => {
  if (error instanceof TurnkeeperError && error.code !== 'internal_error') return { code: error.code, detail: error.message, details: error.details };
  const fault = error instanceof TurnkeeperError ? undefined : fastifyFault(error as FastifyError, request.routeOptions.bodyLimit ?? limits.bodyBytes);
  if (fault) return fault;
  request.log.error({ err: error, request_id: request.id, method: request.method, route: request.routeOptions.url }, 'unexpected error');
  return { code: 'internal_error', detail: `Something went wrong on our side. The server's log names it under ${request.id}.` };
};

const sendProblem = (request: FastifyRequest, reply: FastifyReply, { code, detail, details = {} }: Told): FastifyReply => {
  const { status } = errorTable[code];
  const { outcome: _private, ...shown } = details;
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="turnkeeper"');
  if (status === 429 || status === 503) reply.header('retry-after', secondsUntilRetry(code, details));
  return reply
    .code(status)
    .type(problemType)
    .send(JSON.stringify(problemOf(code, detail, request.id, shown)));
};

/** For what no route takes; `allowed` are the methods that this path has routes for. */
export const sendNothingHere = (request: FastifyRequest, reply: FastifyReply, allowed: readonly string[] = []): FastifyReply => {
  const detail = `There is no ${request.method} ${request.url.split('?', 1)[0]}.`;
  if (allowed.length === 0) return sendProblem(request, reply, { code: 'not_found', detail });
  reply.header('allow', allowed.join(', '));
  return sendProblem(request, reply, { code: 'method_not_allowed', detail: `${detail} This path takes ${allowed.join(', ')}.` });
};

/** Known from its Content-Length alone: the client need not send it all to be told. */
const saysTooLarge = ({ headers }: FastifyRequest, error: unknown): boolean =>
  (error as FastifyError).code === 'FST_ERR_CTP_BODY_TOO_LARGE' && headers['content-length'] !== undefined;

/** The answer goes out now; the connection stays until the body is at its end, or beyond what one listens to. */
const discardLater = ({ raw }: FastifyRequest, reply: FastifyReply): void => {
  reply.removeHeader('connection');
  void discardBody(raw).then(() => {
    if (!raw.complete) raw.destroy();
  });
};

/** Fastify's error handler, also for what fails before routing. */
export const handleError = async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
  // Fastify closes the connection after every fault of a body; what has been read to its end need not cost it.
  if (reply.getHeader('connection') === 'close') {
    if (saysTooLarge(request, error)) discardLater(request, reply);
    else await discardBody(request.raw);
    if (request.raw.complete) reply.removeHeader('connection');
  }
  return sendProblem(request, reply, told(error, request));
};
