/** What people say to a turn that is under way, and to a session for whichever turn comes. */
import { resourcesPage, resourcesQuery } from '@turnkeeper/core/protocol/wire/events';
import { injectReceipt, steerReceipt } from '@turnkeeper/core/protocol/wire/inputs';
import { saidInput } from '@turnkeeper/core/protocol/wire/sessions';
import { injectInput, steerTurn } from '../../app/inputs.ts';
import { readResources } from '../../app/read-resources.ts';
import type { Api, ApiServices } from '../api.ts';
import { idempotencyKey, sendKeyed } from '../idempotency-key.ts';
import { operation } from '../openapi/operation.ts';
import { sessionParams, sessionPath, turnParams, turnPath } from './addresses.ts';

const tag = 'turns';

const steer = (summary: string) =>
  operation(
    {
      summary,
      description:
        'Stored when it is answered; used at the next step of the turn, never in a request that was sent to the model already. A turn that would end before takes one more step. The receipt completes when it was used, and fails when it was not.',
      tag,
      answers: { 202: steerReceipt },
      errors: [403, 404, 409],
      key: 'required',
    },
    { params: turnParams, body: saidInput },
  );
const inject = operation(
  {
    summary: 'Add background',
    description: 'Starts no turn: it is used at the next step of whichever turn comes.',
    tag,
    answers: { 202: injectReceipt },
    errors: [403, 404, 409],
    key: 'required',
  },
  { params: sessionParams, body: saidInput },
);
const list = operation(
  {
    summary: 'Inputs of a session',
    description: 'Used and rejected ones too, in the order of acceptance. `next_cursor` is a page cursor: good for 15 minutes, and no event cursor.',
    tag,
    answers: { 200: resourcesPage },
    errors: [403, 404, 410],
  },
  { params: sessionParams, querystring: resourcesQuery },
);

export const registerInputs = (api: Api, { app }: ApiServices): void => {
  for (const [path, summary] of [
    ['steer', 'Steer a turn'],
    ['inputs', 'Steer a turn (another name)'],
  ] as const) {
    api.post(`${turnPath}/${path}`, { schema: steer(summary) }, async (request, reply) =>
      sendKeyed(reply, 202, await steerTurn(app, request.caller, request.params, request.body, idempotencyKey(request))),
    );
  }
  api.post(`${sessionPath}/inputs/inject`, { schema: inject }, async (request, reply) =>
    sendKeyed(reply, 202, await injectInput(app, request.caller, request.params.sessionId, request.body, idempotencyKey(request))),
  );
  api.get(`${sessionPath}/inputs`, { schema: list }, ({ caller, params, query }) => readResources(app, caller, params.sessionId, 'inputs', query));
};
