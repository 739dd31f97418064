/** What turns wait for, and the answers. */
import {
  answeredActionsPage,
  answersReceipt,
  answersRequest,
  requiredActions,
  requiredActionsPage,
  requiredActionsQuery,
} from '@turnkeeper/core/protocol/wire/actions';
import { answerActions } from '../../app/answer-actions.ts';
import { listActions, listAllActions } from '../../app/list-actions.ts';
import { listAnswers } from '../../app/list-answers.ts';
import type { Api, ApiServices } from '../api.ts';
import { idempotencyKey, sendKeyed } from '../idempotency-key.ts';
import { operation } from '../openapi/operation.ts';
import { sessionParams, sessionPath, turnParams, turnPath } from './addresses.ts';

const tag = 'actions';

const ofAll = operation(
  {
    summary: 'Open actions that you may answer, of all sessions',
    description: 'Oldest first. A page may be short though more follow: `has_more` tells.',
    tag,
    answers: { 200: requiredActionsPage },
    errors: [403, 410],
  },
  { querystring: requiredActionsQuery },
);
const answered = operation(
  {
    summary: 'Who answered what, when and from where, of the sessions that one may read',
    description:
      'For users; the newest first, as long as the audit log is kept. What expired or was withdrawn is no answer: it stands in its session. ' +
      'A page may be short though more follow: `has_more` tells.',
    tag,
    answers: { 200: answeredActionsPage },
    errors: [403],
  },
  { querystring: requiredActionsQuery },
);
const ofSession = operation({ summary: 'Open actions of a session', tag, answers: { 200: requiredActions }, errors: [403, 404] }, { params: sessionParams });
const ofTurn = operation({ summary: 'Open actions of a turn', tag, answers: { 200: requiredActions }, errors: [403, 404] }, { params: turnParams });
const answer = operation(
  {
    summary: 'Answer open actions',
    description:
      'One answer, or up to 100 under `answers`, of the turn’s own actions and of those that its children show in it. All are looked at before one ' +
      'is taken. Those of one session are taken together, or none; sessions one after the other, the deepest first: `parts` has the receipt of ' +
      'each. If one is refused in between, the error names under `answered` what was taken; the same key does what is missing.',
    tag,
    answers: { 202: answersReceipt },
    errors: [403, 404, 409],
    key: 'required',
  },
  { params: turnParams, body: answersRequest },
);

export const registerActions = (api: Api, { app }: ApiServices): void => {
  api.get('/required-actions', { schema: ofAll }, ({ caller, query }) => listAllActions(app, caller, query));
  api.get('/required-actions/answered', { schema: answered }, ({ caller, query }) => listAnswers(app, caller, query));
  api.get(`${sessionPath}/required-actions`, { schema: ofSession }, ({ caller, params }) => listActions(app, caller, params.sessionId, undefined));
  api.get(`${turnPath}/actions`, { schema: ofTurn }, ({ caller, params }) => listActions(app, caller, params.sessionId, params.turnId));
  api.post(`${turnPath}/actions`, { schema: answer }, async (request, reply) => {
    const { caller, params, body } = request;
    return sendKeyed(reply, 202, await answerActions(app, caller, params.sessionId, params.turnId, body, idempotencyKey(request)));
  });
};
