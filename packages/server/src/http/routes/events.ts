/** History in pages, single events, and live streams. */
import { envelopeSchema, eventPage, eventsQuery, sessionStreamQuery, streamQuery } from '@turnkeeper/core/protocol/wire/events';
import { readEvent, readEvents } from '../../app/read-events.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';
import { openReader, openTreeReader } from '../sse/open-reader.ts';
import { eventParams, sessionParams, sessionPath, turnParams, turnPath } from './addresses.ts';

const tag = 'events';
const cursors = '`after` is a cursor of this stream; none = from the oldest event kept, `latest` = from now.';

const ofSession = operation(
  { summary: 'History of a session', description: cursors, tag, answers: { 200: eventPage }, errors: [403, 404, 409, 410] },
  { params: sessionParams, querystring: eventsQuery },
);
const ofTurn = operation(
  { summary: 'History of a turn', description: cursors, tag, answers: { 200: eventPage }, errors: [403, 404, 409, 410] },
  { params: turnParams, querystring: eventsQuery },
);
const one = operation({ summary: 'Read one event', tag, answers: { 200: envelopeSchema }, errors: [403, 404] }, { params: eventParams });
const streamSession = operation(
  {
    summary: 'Follow a session',
    description: `${cursors} With \`include_children\` also the events of at most 64 open children, each with its \`path\`; that stream has cursors of its own.`,
    tag,
    answers: { 200: 'text/event-stream' },
    errors: [403, 404, 409, 410],
  },
  { params: sessionParams, querystring: sessionStreamQuery },
);
const streamTurn = operation(
  {
    summary: 'Follow a turn to its outcome',
    description: `${cursors} The stream ends after the outcome.`,
    tag,
    answers: { 200: 'text/event-stream' },
    errors: [403, 404, 409, 410],
  },
  { params: turnParams, querystring: streamQuery },
);

export const registerEvents = (api: Api, services: ApiServices): void => {
  const { app } = services;
  api.get(`${sessionPath}/events`, { schema: ofSession }, ({ caller, params, query }) => readEvents(app, caller, params.sessionId, undefined, query));
  api.get(`${turnPath}/events`, { schema: ofTurn }, ({ caller, params, query }) => readEvents(app, caller, params.sessionId, params.turnId, query));
  api.get(`${sessionPath}/events/:eventId`, { schema: one }, ({ caller, params }) => readEvent(app, caller, params.sessionId, params.eventId));
  api.get(`${sessionPath}/events/stream`, { schema: streamSession }, (request, reply) => {
    const { after, padded, include_children } = request.query;
    const address = { sessionId: request.params.sessionId, after, padded };
    return include_children ? openTreeReader(services, request, reply, address) : openReader(services, request, reply, address);
  });
  api.get(`${turnPath}/events/stream`, { schema: streamTurn }, (request, reply) =>
    openReader(services, request, reply, { ...request.params, after: request.query.after, padded: request.query.padded }),
  );
};
