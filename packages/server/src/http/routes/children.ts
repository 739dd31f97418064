/** Child sessions: listed at their parent, and read as any session, below it. */

import { requiredActions } from '@turnkeeper/core/protocol/wire/actions';
import {
  envelopeSchema,
  eventPage,
  eventsQuery,
  resourcesPage,
  resourcesQuery,
  sessionSnapshot,
  snapshotQuery,
  streamQuery,
  turnSnapshot,
  usageAnswer,
  usageQuery,
} from '@turnkeeper/core/protocol/wire/events';
import { sessionCapabilities as capabilitiesAnswer, pageOf, pageQuery, sessionResource, turnResource } from '@turnkeeper/core/protocol/wire/sessions';
import { sessionCapabilities } from '../../app/capabilities.ts';
import { childIdIn } from '../../app/find-child.ts';
import { listActions } from '../../app/list-actions.ts';
import { readEvent, readEvents } from '../../app/read-events.ts';
import { readResources, readUsage } from '../../app/read-resources.ts';
import { readSession } from '../../app/read-sessions.ts';
import { readShownSnapshot, readTurnSnapshot } from '../../app/read-snapshot.ts';
import { listTurns, readTurn } from '../../app/read-turn.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';
import { openReader } from '../sse/open-reader.ts';
import { childEventParams, childListParams, childParams, childPath, childTurnParams, childTurnPath, sessionParams, sessionPath } from './addresses.ts';

const tag = 'subagents';
const rule = 'As for the session itself, by its own cursors. 404 for whatever is not below the session.';

const list = operation(
  {
    summary: 'Child sessions of a session',
    description: 'In the order in which they were made. Those of a child stand below the child.',
    tag,
    answers: { 200: resourcesPage },
    errors: [403, 404, 410],
  },
  { params: sessionParams, querystring: resourcesQuery },
);
const of = (summary: string) => ({ summary, description: rule, tag, errors: [403, 404, 409, 410] }) as const;

const read = operation({ ...of('Read a child session'), answers: { 200: sessionResource } }, { params: childParams });
const snapshot = operation({ ...of('Snapshot of a child session'), answers: { 200: sessionSnapshot } }, { params: childParams, querystring: snapshotQuery });
const events = operation({ ...of('History of a child session'), answers: { 200: eventPage } }, { params: childParams, querystring: eventsQuery });
const event = operation({ ...of('Read one event of a child session'), answers: { 200: envelopeSchema } }, { params: childEventParams });
const stream = operation({ ...of('Follow a child session'), answers: { 200: 'text/event-stream' } }, { params: childParams, querystring: streamQuery });
const page = (summary: string) => operation({ ...of(summary), answers: { 200: resourcesPage } }, { params: childParams, querystring: resourcesQuery });
const anyPage = operation(
  { ...of('Resources of one kind, of a child session'), answers: { 200: resourcesPage } },
  { params: childListParams, querystring: resourcesQuery },
);
const turns = operation({ ...of('Turns of a child session'), answers: { 200: pageOf(turnResource) } }, { params: childParams, querystring: pageQuery });
const turn = operation({ ...of('Read a turn of a child session'), answers: { 200: turnResource } }, { params: childTurnParams });
const turnView = operation({ ...of('Snapshot of a turn of a child session'), answers: { 200: turnSnapshot } }, { params: childTurnParams });
const turnEvents = operation(
  { ...of('History of a turn of a child session'), answers: { 200: eventPage } },
  { params: childTurnParams, querystring: eventsQuery },
);
const turnStream = operation(
  { ...of('Follow a turn of a child session to its outcome'), answers: { 200: 'text/event-stream' } },
  { params: childTurnParams, querystring: streamQuery },
);
const usage = operation({ ...of('What a child session used'), answers: { 200: usageAnswer } }, { params: childParams, querystring: usageQuery });
const actions = operation({ ...of('Open actions of a child session'), answers: { 200: requiredActions } }, { params: childParams });
const capabilities = operation({ ...of('What a child session can do'), answers: { 200: capabilitiesAnswer } }, { params: childParams });

export const registerChildren = (api: Api, services: ApiServices): void => {
  const { app } = services;
  api.get(`${sessionPath}/subagents`, { schema: list }, ({ caller, params, query }) => readResources(app, caller, params.sessionId, 'subagents', query));
  api.get(childPath, { schema: read }, async ({ caller, params }) => readSession(app, caller, await childIdIn(app, caller, params)));
  api.get(`${childPath}/snapshot`, { schema: snapshot }, async ({ caller, params, query }) =>
    readShownSnapshot(app, caller, await childIdIn(app, caller, params), query.limit),
  );
  api.get(`${childPath}/events`, { schema: events }, async ({ caller, params, query }) =>
    readEvents(app, caller, await childIdIn(app, caller, params), undefined, query),
  );
  api.get(`${childPath}/events/:eventId`, { schema: event }, async ({ caller, params }) =>
    readEvent(app, caller, await childIdIn(app, caller, params), params.eventId),
  );
  api.get(`${childPath}/events/stream`, { schema: stream }, async (request, reply) => {
    const sessionId = await childIdIn(app, request.caller, request.params);
    return openReader(services, request, reply, { sessionId, after: request.query.after, padded: request.query.padded });
  });
  for (const kind of ['items', 'tools', 'inputs', 'subagents'] as const) {
    api.get(`${childPath}/${kind}`, { schema: page(`${kind} of a child session`) }, async ({ caller, params, query }) =>
      readResources(app, caller, await childIdIn(app, caller, params), kind, query),
    );
  }
  api.get(`${childPath}/resources/:list`, { schema: anyPage }, async ({ caller, params, query }) =>
    readResources(app, caller, await childIdIn(app, caller, params), params.list, query),
  );
  api.get(`${childPath}/turns`, { schema: turns }, async ({ caller, params, query }) => listTurns(app, caller, await childIdIn(app, caller, params), query));
  api.get(childTurnPath, { schema: turn }, async ({ caller, params }) => readTurn(app, caller, await childIdIn(app, caller, params), params.turnId));
  api.get(`${childTurnPath}/snapshot`, { schema: turnView }, async ({ caller, params }) =>
    readTurnSnapshot(app, caller, await childIdIn(app, caller, params), params.turnId),
  );
  api.get(`${childTurnPath}/events`, { schema: turnEvents }, async ({ caller, params, query }) =>
    readEvents(app, caller, await childIdIn(app, caller, params), params.turnId, query),
  );
  api.get(`${childTurnPath}/events/stream`, { schema: turnStream }, async (request, reply) => {
    const sessionId = await childIdIn(app, request.caller, request.params);
    return openReader(services, request, reply, { sessionId, turnId: request.params.turnId, after: request.query.after, padded: request.query.padded });
  });
  api.get(`${childPath}/usage`, { schema: usage }, async ({ caller, params, query }) =>
    readUsage(app, caller, await childIdIn(app, caller, params), query.include_children),
  );
  api.get(`${childPath}/required-actions`, { schema: actions }, async ({ caller, params }) =>
    listActions(app, caller, await childIdIn(app, caller, params), undefined),
  );
  api.get(`${childPath}/capabilities`, { schema: capabilities }, async ({ caller, params }) =>
    sessionCapabilities(app, caller, await childIdIn(app, caller, params)),
  );
};
