/** Accumulated views: snapshots, pages of resources, usage. */
import { resourcesPage, resourcesQuery, sessionSnapshot, snapshotQuery, turnSnapshot, usageAnswer, usageQuery } from '@turnkeeper/core/protocol/wire/events';
import { readResources, readTurnUsage, readUsage } from '../../app/read-resources.ts';
import { readShownSnapshot, readTurnSnapshot } from '../../app/read-snapshot.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';
import { listParams, sessionParams, sessionPath, turnParams, turnPath } from './addresses.ts';

const tag = 'events';
const rule = 'The snapshot and then the events after its `as_of` give the view of somebody who watched from the start.';
const pages = 'In the order of first appearance. `next_cursor` is a page cursor: good for 15 minutes, and no event cursor.';

const snapshot = operation(
  { summary: 'Snapshot of a session', description: rule, tag, answers: { 200: sessionSnapshot }, errors: [403, 404] },
  { params: sessionParams, querystring: snapshotQuery },
);
const snapshotOfTurn = operation(
  { summary: 'Snapshot of a turn', description: rule, tag, answers: { 200: turnSnapshot }, errors: [403, 404] },
  { params: turnParams },
);
const page = (summary: string) =>
  operation(
    { summary, description: pages, tag, answers: { 200: resourcesPage }, errors: [403, 404, 410] },
    { params: sessionParams, querystring: resourcesQuery },
  );
const anyPage = operation(
  { summary: 'Resources of one kind', description: pages, tag, answers: { 200: resourcesPage }, errors: [403, 404, 410] },
  { params: listParams, querystring: resourcesQuery },
);
const usage = operation(
  { summary: 'What a session used', tag: 'usage', answers: { 200: usageAnswer }, errors: [403, 404] },
  { params: sessionParams, querystring: usageQuery },
);
const usageOfTurn = operation({ summary: 'What a turn used', tag: 'usage', answers: { 200: usageAnswer }, errors: [403, 404] }, { params: turnParams });

export const registerViews = (api: Api, { app }: ApiServices): void => {
  api.get(`${sessionPath}/snapshot`, { schema: snapshot }, ({ caller, params, query }) => readShownSnapshot(app, caller, params.sessionId, query.limit));
  api.get(`${turnPath}/snapshot`, { schema: snapshotOfTurn }, ({ caller, params }) => readTurnSnapshot(app, caller, params.sessionId, params.turnId));
  api.get(`${sessionPath}/items`, { schema: page('Items of a session') }, ({ caller, params, query }) =>
    readResources(app, caller, params.sessionId, 'items', query),
  );
  api.get(`${sessionPath}/tools`, { schema: page('Tool calls of a session') }, ({ caller, params, query }) =>
    readResources(app, caller, params.sessionId, 'tools', query),
  );
  api.get(`${sessionPath}/resources/:list`, { schema: anyPage }, ({ caller, params, query }) =>
    readResources(app, caller, params.sessionId, params.list, query),
  );
  api.get(`${sessionPath}/usage`, { schema: usage }, ({ caller, params, query }) => readUsage(app, caller, params.sessionId, query.include_children));
  api.get(`${turnPath}/usage`, { schema: usageOfTurn }, ({ caller, params }) => readTurnUsage(app, caller, params.sessionId, params.turnId));
};
