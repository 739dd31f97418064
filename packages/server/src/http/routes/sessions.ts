/** Sessions: create, list, read, change, archive, delete. */
import { metadataFiltersOf, sessionsPage, sessionsQuery } from '@turnkeeper/core/protocol/wire/session-list';
import {
  sessionCapabilities as capabilitiesAnswer,
  createdSession,
  createSessionRequest,
  patchSessionRequest,
  sessionResource,
} from '@turnkeeper/core/protocol/wire/sessions';
import { sessionCapabilities } from '../../app/capabilities.ts';
import { createSession } from '../../app/create-session.ts';
import { listSessions } from '../../app/list-sessions.ts';
import { archiveSession, changeSession, deleteSession } from '../../app/manage-session.ts';
import { readSession } from '../../app/read-sessions.ts';
import type { Api, ApiServices } from '../api.ts';
import { idempotencyKey, sendKeyed } from '../idempotency-key.ts';
import { operation } from '../openapi/operation.ts';
import { sessionParams, sessionPath } from './addresses.ts';

const tag = 'sessions';

const create = operation(
  {
    summary: 'Create a session',
    description:
      'Freezes the target as it is now. With `initialMessage` the session and its first turn are made together or not at all; then the key is needed. ' +
      '`model`: another than the agent’s own, of those that its definition allows in `models` (else 403); for admins any that the server has.',
    tag,
    answers: { 201: createdSession },
    errors: [403, 404, 409],
    key: 'optional',
  },
  { body: createSessionRequest },
);
const list = operation(
  {
    summary: 'List the sessions that you may read, newest first',
    description:
      'Your own, those of applications that you are a member of and of mini-tools that you may use, those of users in your spaces. `owner`: `me`, `user:<id>`, `app:<id>`, `minitool:<id>`, or `all` for admins. ' +
      '`me` is also what mini-tools placed in a space as if you had made it: in one that you are a member of or, of a mini-tool that you may use, in any. ' +
      '`q` looks in titles, metadata and the beginning of ids. `metadata.<key>=<value>`, up to 8 times: this member of the metadata is this text, or a number, ' +
      'true, false or null that JSON writes so. `text` looks in what users and agents said: literally, whatever the case, session by session. One answer looks ' +
      'through a limited amount; `next_offset` is where to go on, also after a page without any, and `searched_until` says how far it came.',
    tag,
    answers: { 200: sessionsPage },
    errors: [403],
  },
  { querystring: sessionsQuery },
);
const read = operation({ summary: 'Read a session', tag, answers: { 200: sessionResource }, errors: [403, 404] }, { params: sessionParams });
const patch = operation(
  { summary: 'Change the title or metadata of a session', tag, answers: { 200: sessionResource }, errors: [403, 404] },
  { params: sessionParams, body: patchSessionRequest },
);
const remove = operation(
  { summary: 'Delete a session', description: 'It is gone at once; what runs is cancelled and streams end.', tag, answers: { 204: null }, errors: [403, 404] },
  { params: sessionParams },
);
const archive = operation(
  { summary: 'Archive a session', description: 'Accepted turns finish; new ones are refused.', tag, answers: { 200: sessionResource }, errors: [403, 404] },
  { params: sessionParams },
);
const restore = operation(
  { summary: 'Take a session out of the archive', tag, answers: { 200: sessionResource }, errors: [403, 404] },
  { params: sessionParams },
);
const capabilities = operation({ summary: 'What a session can do', tag, answers: { 200: capabilitiesAnswer }, errors: [403, 404] }, { params: sessionParams });

export const registerSessions = (api: Api, { app }: ApiServices): void => {
  api.post('/agent-sessions', { schema: create }, async (request, reply) =>
    sendKeyed(reply, 201, await createSession(app, request.caller, request.body, idempotencyKey(request))),
  );
  api.get('/agent-sessions', { schema: list }, ({ caller, query }) => listSessions(app, caller, { ...query, metadata: metadataFiltersOf(query) }));
  api.get(sessionPath, { schema: read }, ({ caller, params }) => readSession(app, caller, params.sessionId));
  api.patch(sessionPath, { schema: patch }, ({ caller, params, body }) => changeSession(app, caller, params.sessionId, body));
  api.delete(sessionPath, { schema: remove }, async ({ caller, params }, reply) => {
    await deleteSession(app, caller, params.sessionId);
    return reply.code(204).send();
  });
  api.post(`${sessionPath}/archive`, { schema: archive }, ({ caller, params }) => archiveSession(app, caller, params.sessionId, true));
  api.post(`${sessionPath}/restore`, { schema: restore }, ({ caller, params }) => archiveSession(app, caller, params.sessionId, false));
  api.get(`${sessionPath}/capabilities`, { schema: capabilities }, ({ caller, params }) => sessionCapabilities(app, caller, params.sessionId));
};
