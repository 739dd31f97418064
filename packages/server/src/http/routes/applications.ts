/** Applications and their keys. */
import {
  applicationAnswer,
  applicationResource,
  createApplicationRequest,
  createCredentialRequest,
  createdCredential,
  credentialResource,
  patchApplicationRequest,
  rotateCredentialRequest,
} from '@turnkeeper/core/protocol/wire/identity';
import { pageOf, pageQuery } from '@turnkeeper/core/protocol/wire/sessions';
import { changeApplication, createApplication, listApplications, readApplication } from '../../app/manage-applications.ts';
import { createCredential, listCredentials, revokeCredential, rotateCredential } from '../../app/manage-credentials.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';
import { applicationParams, credentialParams } from './addresses.ts';

const tag = 'applications';
const path = '/applications/:applicationId';
const keys = `${path}/credentials`;
const byOwner = 'For the owner of the application, and admins.';

const list = operation(
  {
    summary: 'List the applications that you own or are a member of',
    description: 'All of them for admins.',
    tag,
    answers: { 200: pageOf(applicationResource) },
    errors: [403],
  },
  { querystring: pageQuery },
);
const create = operation(
  {
    summary: 'Make an application',
    description: 'Whoever makes it owns it, and is a member with all roles unless `members` says with which.',
    tag,
    answers: { 201: applicationAnswer },
    errors: [403],
  },
  { body: createApplicationRequest },
);
const read = operation({ summary: 'Read an application', tag, answers: { 200: applicationAnswer }, errors: [403, 404] }, { params: applicationParams });
const patch = operation(
  {
    summary: 'Change an application',
    description: `${byOwner} \`version\` is the one that was read; a stale one is refused. The keys of a disabled one stop working at once.`,
    tag,
    answers: { 200: applicationAnswer },
    errors: [403, 404, 409],
  },
  { params: applicationParams, body: patchApplicationRequest },
);
const listKeys = operation(
  { summary: 'List the keys of an application', tag, answers: { 200: pageOf(credentialResource) }, errors: [403, 404] },
  { params: applicationParams, querystring: pageQuery },
);
const createKey = operation(
  {
    summary: 'Make a key',
    description: `${byOwner} \`apiKey\` is shown here and never again. Targets may be named by id or key; \`*\` covers every agent of the space "default".`,
    tag,
    answers: { 201: createdCredential },
    errors: [403, 404],
  },
  { params: applicationParams, body: createCredentialRequest },
);
const rotateKey = operation(
  {
    summary: 'Make a key that takes the place of another',
    description: `${byOwner} It has the same name, scopes, targets and, unless the body says otherwise, expiry. The old key works until it is revoked.`,
    tag,
    answers: { 201: createdCredential },
    errors: [403, 404],
  },
  { params: credentialParams, body: rotateCredentialRequest },
);
const revokeKey = operation(
  { summary: 'Revoke a key', description: `${byOwner} At once; streams opened with it end.`, tag, answers: { 204: null }, errors: [403, 404] },
  { params: credentialParams },
);

export const registerApplications = (api: Api, services: ApiServices): void => {
  api.get('/applications', { schema: list }, ({ caller, query }) => listApplications(services, caller, query));
  api.post('/applications', { schema: create }, async ({ caller, body }, reply) => reply.code(201).send(await createApplication(services, caller, body)));
  api.get(path, { schema: read }, ({ caller, params }) => readApplication(services, caller, params.applicationId));
  api.patch(path, { schema: patch }, ({ caller, params, body }) => changeApplication(services, caller, params.applicationId, body));
  api.get(keys, { schema: listKeys }, ({ caller, params, query }) => listCredentials(services, caller, params.applicationId, query));
  api.post(keys, { schema: createKey }, async ({ caller, params, body }, reply) =>
    reply.code(201).send(await createCredential(services, caller, params.applicationId, body)),
  );
  api.post(`${keys}/:credentialId/rotate`, { schema: rotateKey }, async ({ caller, params, body }, reply) =>
    reply.code(201).send(await rotateCredential(services, caller, params.applicationId, params.credentialId, body)),
  );
  api.delete(`${keys}/:credentialId`, { schema: revokeKey }, async ({ caller, params }, reply) => {
    await revokeCredential(services, caller, params.applicationId, params.credentialId);
    return reply.code(204).send();
  });
};
