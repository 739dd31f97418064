/** The queue of a session. */
import { commandReceipt } from '@turnkeeper/core/protocol/wire/actions';
import { queueResource, reorderRequest } from '@turnkeeper/core/protocol/wire/inputs';
import { readQueue, removeFromQueue, reorderQueue } from '../../app/queue.ts';
import type { Api, ApiServices } from '../api.ts';
import { idempotencyKey, sendKeyed } from '../idempotency-key.ts';
import { operation } from '../openapi/operation.ts';
import { sessionParams, sessionPath, turnParams } from './addresses.ts';

const tag = 'turns';
const queuePath = `${sessionPath}/queue`;

const read = operation(
  {
    summary: 'The queue of a session',
    description: 'The turns that wait, in the order in which they will start.',
    tag,
    answers: { 200: queueResource },
    errors: [403, 404],
  },
  { params: sessionParams },
);
const reorder = operation(
  {
    summary: 'Reorder the queue',
    description:
      'Turns start in the order of acceptance unless somebody reordered them. `order` names every queued turn; with `version` it must be the queue that was read, else 409.',
    tag,
    answers: { 200: queueResource },
    errors: [403, 404, 409],
  },
  { params: sessionParams, body: reorderRequest },
);
const remove = operation(
  {
    summary: 'Take a turn out of the queue',
    description: 'It is cancelled, but only while it waits: one that has started meanwhile is left alone (409).',
    tag,
    answers: { 202: commandReceipt },
    errors: [403, 404, 409],
    key: 'required',
  },
  { params: turnParams },
);

export const registerQueue = (api: Api, { app }: ApiServices): void => {
  api.get(queuePath, { schema: read }, ({ caller, params }) => readQueue(app, caller, params.sessionId));
  api.put(queuePath, { schema: reorder }, ({ caller, params, body }) => reorderQueue(app, caller, params.sessionId, body));
  api.delete(`${queuePath}/:turnId`, { schema: remove }, async (request, reply) =>
    sendKeyed(reply, 202, await removeFromQueue(app, request.caller, request.params, idempotencyKey(request))),
  );
};
