/** What a turn's model was shown and said, call by call: for people with the right. */
import { modelCallDetail, modelCallsPage } from '@turnkeeper/core/protocol/wire/model-calls';
import { pageQuery } from '@turnkeeper/core/protocol/wire/sessions';
import { inspectModelCall, listModelCalls } from '../../app/inspect-model-calls.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';
import { modelCallParams, turnParams, turnPath } from './addresses.ts';

const tag = 'context';

const list = operation(
  {
    summary: 'List the model calls of a turn',
    description:
      'In the order in which they were made: answers, tries that failed, and compactions. For the owner of the session, operators of its application, and admins; no API key and no client’s token reads it.',
    tag,
    answers: { 200: modelCallsPage },
    errors: [403, 404, 409],
  },
  { params: turnParams, querystring: pageQuery },
);
const read = operation(
  {
    summary: 'Read what the model was shown and said at one call',
    description:
      'Put together from the private context as it stood when the call was made. `exact: false` says that a part cannot be told as it was then, and `differs` which. For the same people as the list.',
    tag,
    answers: { 200: modelCallDetail },
    errors: [403, 404, 409],
  },
  { params: modelCallParams },
);

export const registerModelCalls = (api: Api, { app }: ApiServices): void => {
  api.get(`${turnPath}/model-calls`, { schema: list }, ({ caller, params, query }) => listModelCalls(app, caller, params, query));
  api.get(`${turnPath}/model-calls/:modelCallId`, { schema: read }, ({ caller, params }) => inspectModelCall(app, caller, params));
};
