/** The `Idempotency-Key` header, and answers that were given before. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Keyed } from '../app/idempotency.ts';
import { decodeHeader } from './decode-header.ts';

export const idempotencyKey = (request: FastifyRequest): string | undefined => {
  const value = request.headers['idempotency-key'];
  // Node joins them into one value, which either of the two, sent alone, would not be.
  if (value !== undefined && (request.raw.headersDistinct['idempotency-key']?.length ?? 1) > 1)
    throw new TurnkeeperError('invalid_idempotency_key', 'Send one Idempotency-Key header, not several.');
  return typeof value === 'string' ? decodeHeader(value) : undefined;
};

/** The answer of a keyed call, marked when it is an earlier one again. */
export const sendKeyed = <Answer>(reply: FastifyReply, status: number, { answer, replayed }: Keyed<Answer>): FastifyReply => {
  if (replayed) reply.header('idempotency-replayed', 'true');
  return reply.code(status).send(answer);
};
