/**
 * The `Idempotency-Key` header as the text that it was sent as.
 *
 * Node hands over header bytes as latin1. Keys that differ in their bytes must stay different: valid UTF-8 is decoded;
 * other bytes (an old client's latin1) go to a private area of Unicode, where no UTF-8 key lands by accident.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Keyed } from '../app/idempotency.ts';

const privateArea = 0xf700;

export const decodeHeader = (value: string): string => {
  // Nearly every key is plain ASCII.
  if (!/[\x80-\xff]/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  return Array.from(bytes, (byte) => String.fromCharCode(byte < 0x80 ? byte : privateArea + byte)).join('');
};

export const idempotencyKey = (request: FastifyRequest): string | undefined => {
  const value = request.headers['idempotency-key'];
  return typeof value === 'string' ? decodeHeader(value) : undefined;
};

/** The answer of a keyed call, marked when it is an earlier one again. */
export const sendKeyed = <Answer>(reply: FastifyReply, status: number, { answer, replayed }: Keyed<Answer>): FastifyReply => {
  if (replayed) reply.header('idempotency-replayed', 'true');
  return reply.code(status).send(answer);
};
