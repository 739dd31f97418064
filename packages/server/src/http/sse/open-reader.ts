/** Answers a request with an event stream: the head through Node, all that follows on the raw socket. */

import type { OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { holderOf, isClient } from '../../app/caller.ts';
import { subjectOf } from '../../app/find-session.ts';
import type { MinitoolLogEntry, MinitoolServices } from '../../app/minitools/minitool-services.ts';
import { followLog, readLog } from '../../app/minitools/read-minitools.ts';
import type { ShowFeed } from '../../app/minitools/shows.ts';
import { openStream, startOf } from '../../app/read-events.ts';
import { TreeLog } from '../../app/tree-log.ts';
import type { ApiServices } from '../api.ts';
import { decodeHeader } from '../decode-header.ts';
import { EventStream } from './event-stream.ts';
import { openLogStream } from './log-stream.ts';
import { openShowStream } from './show-stream.ts';
import { TreeStream } from './tree-stream.ts';

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;

export type StreamAddress = { readonly sessionId: string; readonly turnId?: string; readonly after: string | undefined; readonly padded?: boolean };

const lastEventId = (request: FastifyRequest): string | undefined => {
  const value = request.headers['last-event-id'];
  return typeof value === 'string' ? decodeHeader(value) : undefined;
};

/** Writes the head and gives the raw socket; undefined where the reader is gone already. */
const begin = (request: FastifyRequest, reply: FastifyReply): Socket | undefined => {
  const response = reply.raw;
  const { socket } = response;
  if (!socket) {
    if (request.raw.socket.destroyed) {
      reply.hijack();
      return undefined;
    }
    throw new TurnkeeperError('invalid_request', 'A stream cannot be pipelined behind another request.');
  }
  reply.hijack();
  if (socket.destroyed) return undefined;
  // The body ends with the connection: frames go out as they are, without a chunk's head around each.
  response.useChunkedEncodingByDefault = false;
  response.shouldKeepAlive = false;
  response.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers });
  response.flushHeaders();
  return socket;
};

/** A client's token says when it ends: its streams end then. */
const endsWith = (streams: ApiServices['streams'], { caller, credential }: FastifyRequest): void => {
  if (isClient(caller)) streams.endsAt(credential, caller.expiresAt);
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
  const socket = begin(request, reply);
  if (!socket) return reply;
  endsWith(streams, request);
  const stream = new EventStream(app, streams, { socket, opened, after, credential: request.credential, reader: holderOf(request.caller) });
  if (address.padded) streams.pad(stream, socket);
  void stream.start(opened);
  return reply;
};

/** The session's own events and those of its open children, by the cursors of that stream. */
export const openTreeReader = async (
  { app, streams }: ApiServices,
  request: FastifyRequest,
  reply: FastifyReply,
  address: Omit<StreamAddress, 'turnId'>,
): Promise<FastifyReply> => {
  const { session, head } = await openStream(app, request.caller, address.sessionId, undefined);
  const log = new TreeLog(app, session.row);
  // Places in several logs have no order: the one that a browser repeats by itself is the newer one.
  await log.open(head, lastEventId(request) || address.after);
  if (request.method === 'HEAD') return reply.headers(headers).send();
  const socket = begin(request, reply);
  if (!socket) return reply;
  endsWith(streams, request);
  const subject = subjectOf(session.row, session.config);
  const stream = new TreeStream(streams, { socket, log, subject, credential: request.credential, reader: holderOf(request.caller) });
  if (address.padded) streams.pad(stream, socket);
  void stream.start();
  return reply;
};

/** The newest entries of a mini-tool's log, and those that come. */
export const openLogReader = async (
  services: ApiServices & MinitoolServices,
  request: FastifyRequest,
  reply: FastifyReply,
  minitoolId: string,
  lines: number,
): Promise<FastifyReply> => {
  const follow = await followLog(services, request.caller, minitoolId);
  // What is written while the tail is read would be in neither.
  const heard: MinitoolLogEntry[] = [];
  const stop = follow((entry) => heard.push(entry));
  const { items } = await readLog(services, request.caller, minitoolId, lines).finally(stop);
  const known = new Set(items.map((entry) => JSON.stringify(entry)));
  const earlier = [...items, ...heard.filter((entry) => !known.has(JSON.stringify(entry)))];
  if (request.method === 'HEAD') return reply.headers(headers).send();
  const socket = begin(request, reply);
  if (socket) openLogStream(services.streams, { socket, credential: request.credential, reader: holderOf(request.caller) }, earlier, follow);
  return reply;
};

/** What mini-tools show the reader. */
export const openShowReader = async ({ streams }: ApiServices, request: FastifyRequest, reply: FastifyReply, feed: ShowFeed): Promise<FastifyReply> => {
  if (request.method === 'HEAD') return reply.headers(headers).send();
  const socket = begin(request, reply);
  if (socket) openShowStream(streams, { socket, credential: request.credential, reader: holderOf(request.caller) }, feed);
  return reply;
};
