/** The private context of a session: its checkpoints, going on from one, and beginning another session with it. */
import { checkpointsPage, checkpointsQuery, forkRequest, restoreContextRequest } from '@turnkeeper/core/protocol/wire/context';
import { sessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { listCheckpoints, restoreContext } from '../../app/checkpoints.ts';
import { forkSession } from '../../app/fork-session.ts';
import type { Api, ApiServices } from '../api.ts';
import { idempotencyKey, sendKeyed } from '../idempotency-key.ts';
import { operation } from '../openapi/operation.ts';
import { sessionParams, sessionPath } from './addresses.ts';

const tag = 'context';

const list = operation(
  {
    summary: 'List the checkpoints of a session',
    description: 'Newest first: one after every turn that has run, before a compaction, and after a restore. Never what is in them.',
    tag,
    answers: { 200: checkpointsPage },
    errors: [403, 404, 410],
  },
  { params: sessionParams, querystring: checkpointsQuery },
);
const restore = operation(
  {
    summary: 'Let the context go on from a checkpoint',
    description: 'The session must be at rest. Its history stays; nothing that happened outside is undone.',
    tag,
    answers: { 200: sessionResource },
    errors: [403, 404, 409],
    key: 'required',
  },
  { params: sessionParams, body: restoreContextRequest },
);
const fork = operation(
  {
    summary: 'Begin another session with the context of this one',
    description:
      'Copies the context and nothing else. With `target_session_id` into that session, which must be empty and of the same agent; without, into a new one of yours. Both must be at rest. `checkpoint_id` or `at` (a turn) say which context; by default the newest.',
    tag,
    answers: { 200: sessionResource, 201: sessionResource },
    errors: [403, 404, 409],
    key: 'required',
  },
  { params: sessionParams, body: forkRequest },
);

export const registerContext = (api: Api, { app }: ApiServices): void => {
  api.get(`${sessionPath}/checkpoints`, { schema: list }, ({ caller, params, query }) => listCheckpoints(app, caller, params.sessionId, query));
  api.post(`${sessionPath}/checkpoints/restore`, { schema: restore }, async (request, reply) => {
    const { caller, params, body } = request;
    return sendKeyed(reply, 200, await restoreContext(app, caller, params.sessionId, body, idempotencyKey(request)));
  });
  api.post(`${sessionPath}/fork`, { schema: fork }, async (request, reply) => {
    const { caller, params, body } = request;
    const made = body.target_session_id === undefined;
    return sendKeyed(reply, made ? 201 : 200, await forkSession(app, caller, params.sessionId, body, idempotencyKey(request)));
  });
};
