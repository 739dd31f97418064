/** Workflows: drafts, what is wrong with them, and published revisions. */
import { pageOf, pageQuery } from '@turnkeeper/core/protocol/wire/sessions';
import {
  createWorkflowRequest,
  listedWorkflow,
  patchWorkflowRequest,
  publishWorkflowRequest,
  revisionAnswer,
  revisionResource,
  validateWorkflowRequest,
  validationAnswer,
  workflowAnswer,
} from '@turnkeeper/core/protocol/wire/workflow-requests';
import {
  changeWorkflow,
  createWorkflow,
  listRevisions,
  listWorkflows,
  publishWorkflow,
  readRevision,
  readWorkflow,
  validateWorkflow,
} from '../../app/manage-workflows.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';
import { revisionParams, workflowParams } from './addresses.ts';

const tag = 'workflows';
const path = '/workflows/:workflowId';

const create = operation(
  {
    summary: 'Create a workflow',
    description: 'For admins. A draft with faults is stored together with them.',
    tag,
    answers: { 201: workflowAnswer },
    errors: [403, 404],
  },
  { body: createWorkflowRequest },
);
const list = operation({ summary: 'List workflows, without their drafts', tag, answers: { 200: pageOf(listedWorkflow) } }, { querystring: pageQuery });
const read = operation({ summary: 'Read a workflow with its draft', tag, answers: { 200: workflowAnswer }, errors: [404] }, { params: workflowParams });
const patch = (summary: string) =>
  operation(
    {
      summary,
      description: 'For admins. `expectedVersion` is the `version` that was read; a stale one is refused. What was published stays as it is.',
      tag,
      answers: { 200: workflowAnswer },
      errors: [403, 404, 409],
    },
    { params: workflowParams, body: patchWorkflowRequest },
  );
const validate = operation(
  {
    summary: 'Tell what is wrong with a draft',
    description: 'For admins. The stored one, or a `draftSpec` that is given in its place. Changes nothing.',
    tag,
    answers: { 200: validationAnswer },
    errors: [403, 404],
  },
  { params: workflowParams, body: validateWorkflowRequest },
);
const publish = operation(
  {
    summary: 'Publish the draft as an immutable revision',
    description: 'For admins. A draft with faults is refused with 422: `errors` names each by its pointer into the spec.',
    tag,
    answers: { 201: revisionAnswer },
    errors: [403, 404, 409],
  },
  { params: workflowParams, body: publishWorkflowRequest },
);
const revisions = operation(
  { summary: 'List the published revisions of a workflow', description: 'The newest first.', tag, answers: { 200: pageOf(revisionResource) }, errors: [404] },
  { params: workflowParams, querystring: pageQuery },
);
const revision = operation(
  { summary: 'Read a revision by its id or number', tag, answers: { 200: revisionAnswer }, errors: [404] },
  { params: revisionParams },
);

export const registerWorkflows = (api: Api, { app }: ApiServices): void => {
  api.post('/workflows', { schema: create }, async ({ caller, body }, reply) => reply.code(201).send(await createWorkflow(app, caller, body)));
  api.get('/workflows', { schema: list }, ({ caller, query }) => listWorkflows(app, caller, query));
  api.get(path, { schema: read }, ({ caller, params }) => readWorkflow(app, caller, params.workflowId));
  for (const [at, summary] of [
    [path, 'Change the draft of a workflow'],
    [`${path}/draft`, 'Change the draft of a workflow (another name)'],
  ] as const) {
    api.patch(at, { schema: patch(summary) }, ({ caller, params, body }) => changeWorkflow(app, caller, params.workflowId, body));
  }
  api.post(`${path}/validate`, { schema: validate }, ({ caller, params, body }) => validateWorkflow(app, caller, params.workflowId, body));
  api.post(`${path}/publish`, { schema: publish }, async ({ caller, params, body }, reply) =>
    reply.code(201).send(await publishWorkflow(app, caller, params.workflowId, body.expectedVersion)),
  );
  api.get(`${path}/revisions`, { schema: revisions }, ({ caller, params, query }) => listRevisions(app, caller, params.workflowId, query));
  api.get(`${path}/revisions/:revision`, { schema: revision }, ({ caller, params }) => readRevision(app, caller, params.workflowId, params.revision));
};
