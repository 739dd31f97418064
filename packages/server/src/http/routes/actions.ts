/** What turns wait for, and the answers. */
import { answersRequest, commandReceipt, requiredActions } from '@turnkeeper/core/protocol/wire/actions';
import { answerActions } from '../../app/answer-actions.ts';
import { listActions } from '../../app/list-actions.ts';
import type { Api, ApiServices } from '../api.ts';
import { idempotencyKey, sendKeyed } from '../idempotency-key.ts';
import { operation } from '../openapi/operation.ts';
import { sessionParams, sessionPath, turnParams, turnPath } from './addresses.ts';

const tag = 'actions';

const ofSession = operation({ summary: 'Open actions of a session', tag, answers: { 200: requiredActions }, errors: [404] }, { params: sessionParams });
const ofTurn = operation({ summary: 'Open actions of a turn', tag, answers: { 200: requiredActions }, errors: [404] }, { params: turnParams });
const answer = operation(
  {
    summary: 'Answer open actions',
    description: 'One answer, or up to 100 under `answers`: all are taken, or none.',
    tag,
    answers: { 202: commandReceipt },
    errors: [403, 404, 409],
    key: 'required',
  },
  { params: turnParams, body: answersRequest },
);

export const registerActions = (api: Api, { app }: ApiServices): void => {
  api.get(`${sessionPath}/required-actions`, { schema: ofSession }, ({ caller, params }) => listActions(app, caller, params.sessionId, undefined));
  api.get(`${turnPath}/actions`, { schema: ofTurn }, ({ caller, params }) => listActions(app, caller, params.sessionId, params.turnId));
  api.post(`${turnPath}/actions`, { schema: answer }, async (request, reply) => {
    const { caller, params, body } = request;
    return sendKeyed(reply, 202, await answerActions(app, caller, params.sessionId, params.turnId, body, idempotencyKey(request)));
  });
};
