/** A user's own tokens. */
import { createdToken, createTokenRequest, tokenResource } from '@turnkeeper/core/protocol/wire/identity';
import { pageOf, pageQuery } from '@turnkeeper/core/protocol/wire/sessions';
import { createToken, listTokens, revokeToken } from '../../app/manage-tokens.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';
import { tokenParams } from './addresses.ts';

const tag = 'tokens';

const list = operation({ summary: 'List your tokens', tag, answers: { 200: pageOf(tokenResource) }, errors: [403] }, { querystring: pageQuery });
const create = operation(
  { summary: 'Make a token for yourself', description: 'Its text is shown here and never again.', tag, answers: { 201: createdToken }, errors: [403] },
  { body: createTokenRequest },
);
const revoke = operation(
  { summary: 'Revoke a token of yours', description: 'At once; streams opened with it end.', tag, answers: { 204: null }, errors: [403, 404] },
  { params: tokenParams },
);

export const registerTokens = (api: Api, services: ApiServices): void => {
  api.get('/tokens', { schema: list }, ({ caller, query }) => listTokens(services, caller, query));
  api.post('/tokens', { schema: create }, async ({ caller, body }, reply) => reply.code(201).send(await createToken(services, caller, body)));
  api.delete('/tokens/:tokenId', { schema: revoke }, async ({ caller, params }, reply) => {
    await revokeToken(services, caller, params.tokenId);
    return reply.code(204).send();
  });
};
