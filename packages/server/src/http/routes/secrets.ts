/** Secrets, for admins. Values go in and never come out. */
import { putSecretRequest, secretResource } from '@turnkeeper/core/protocol/wire/identity';
import { pageOf } from '@turnkeeper/core/protocol/wire/sessions';
import { deleteSecret, listSecrets, putSecret, readSecret } from '../../app/manage-secrets.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';
import { secretParams } from './addresses.ts';

const tag = 'secrets';
const path = '/secrets/:name';
const description = 'For admins. The value is never read back.';

const list = operation({ summary: 'List secrets', description, tag, answers: { 200: pageOf(secretResource) }, errors: [403] }, {});
const read = operation(
  { summary: 'Read when a secret was set', description, tag, answers: { 200: secretResource }, errors: [403, 404] },
  { params: secretParams },
);
const put = operation(
  {
    summary: 'Set a secret',
    description: `${description} Definitions refer to it by \`{"$secret": "NAME"}\`.`,
    tag,
    answers: { 200: secretResource },
    errors: [403],
  },
  { params: secretParams, body: putSecretRequest },
);
const remove = operation({ summary: 'Delete a secret', description: 'For admins.', tag, answers: { 204: null }, errors: [403, 404] }, { params: secretParams });

export const registerSecrets = (api: Api, { app, secretBox, secretChanged }: ApiServices): void => {
  api.get('/secrets', { schema: list }, ({ caller }) => listSecrets(app, caller));
  api.get(path, { schema: read }, ({ caller, params }) => readSecret(app, caller, params.name));
  api.put(path, { schema: put }, async ({ caller, params, body }) => {
    const secret = await putSecret(app, secretBox, caller, params.name, body.value);
    await secretChanged(params.name);
    return secret;
  });
  api.delete(path, { schema: remove }, async ({ caller, params }, reply) => {
    await deleteSecret(app, caller, params.name);
    await secretChanged(params.name);
    return reply.code(204).send();
  });
};
