/** Answers a request with an event stream: the head through Node, all that follows on the raw socket. */

import type { OutgoingHttpHeaders } from 'node:http';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { openStream, startOf } from '../../app/read-events.ts';
import type { ApiServices } from '../api.ts';
import { decodeHeader } from '../decode-header.ts';
import { EventStream } from './event-stream.ts';

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;

export type StreamAddress = { readonly sessionId: string; readonly turnId?: string; readonly after: string | undefined };

const lastEventId = (request: FastifyRequest): string | undefined => {
  const value = request.headers['last-event-id'];
  return typeof value === 'string' ? decodeHeader(value) : undefined;
};

export const openReader = async (
  { app, streams }: ApiServices,
  request: FastifyRequest,
  reply: FastifyReply,
  address: StreamAddress,
): Promise<FastifyReply> => {
  const opened = await openStream(app, request.caller, address.sessionId, address.turnId);
  const after = startOf(opened, address.after, lastEventId(request));
  if (request.method === 'HEAD') return reply.headers(headers).send();
  const response = reply.raw;
  const { socket } = response;
  if (!socket) {
    if (request.raw.socket.destroyed) return reply.hijack();
    throw new TurnkeeperError('invalid_request', 'A stream cannot be pipelined behind another request.');
  }
  reply.hijack();
  if (socket.destroyed) return reply;
  // The body ends with the connection: frames go out as they are, without a chunk's head around each.
  response.useChunkedEncodingByDefault = false;
  response.shouldKeepAlive = false;
  response.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers });
  response.flushHeaders();
  const stream = new EventStream(app, streams, { socket, opened, after, credential: request.credential });
  void stream.start(opened);
  return reply;
};
