/** Agents, their versions, and the models that they may name. */
import {
  agentAnswer,
  agentResource,
  agentVersionResource,
  createAgentRequest,
  modelsAnswer,
  patchDefinitionRequest,
} from '@turnkeeper/core/protocol/wire/agents';
import { pageOf, pageQuery } from '@turnkeeper/core/protocol/wire/sessions';
import { changeDefinition, createAgent, listAgents, listAgentVersions, readAgent, readAgentVersion } from '../../app/manage-agents.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';
import { agentParams, versionParams } from './addresses.ts';

const tag = 'agents';
const path = '/agents/:agentId';

const create = operation(
  { summary: 'Create an agent', description: 'For admins.', tag, answers: { 201: agentAnswer }, errors: [403, 404, 409] },
  { body: createAgentRequest },
);
const list = operation({ summary: 'List agents', tag, answers: { 200: pageOf(agentResource) } }, { querystring: pageQuery });
const read = operation({ summary: 'Read an agent by id or key', tag, answers: { 200: agentAnswer }, errors: [404] }, { params: agentParams });
const patch = operation(
  {
    summary: 'Make a new version of an agent',
    description: 'For admins. `version` is the one that was read; a stale one is refused.',
    tag,
    answers: { 200: agentAnswer },
    errors: [403, 404, 409],
  },
  { params: agentParams, body: patchDefinitionRequest },
);
const versions = operation(
  { summary: 'List the versions of an agent', tag, answers: { 200: pageOf(agentVersionResource) }, errors: [404] },
  { params: agentParams },
);
const version = operation({ summary: 'Read one version of an agent', tag, answers: { 200: agentVersionResource }, errors: [404] }, { params: versionParams });
const models = operation({ summary: 'List the models of the configured providers', tag, answers: { 200: modelsAnswer } }, {});

export const registerAgents = (api: Api, { app }: ApiServices): void => {
  api.post('/agents', { schema: create }, async ({ caller, body }, reply) => reply.code(201).send(await createAgent(app, caller, body)));
  api.get('/agents', { schema: list }, ({ caller, query }) => listAgents(app, caller, query));
  api.get(path, { schema: read }, ({ caller, params }) => readAgent(app, caller, params.agentId));
  api.patch(`${path}/definition`, { schema: patch }, ({ caller, params, body }) =>
    changeDefinition(app, caller, params.agentId, body.version, body.definition),
  );
  api.get(`${path}/versions`, { schema: versions }, ({ caller, params }) => listAgentVersions(app, caller, params.agentId));
  api.get(`${path}/versions/:version`, { schema: version }, ({ caller, params }) => readAgentVersion(app, caller, params.agentId, params.version));
  api.get('/models', { schema: models }, async () => ({ models: app.models.list().map((name) => ({ name, provider: name.split(':')[0] ?? name })) }));
};
