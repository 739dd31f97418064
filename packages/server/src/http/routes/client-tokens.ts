/** Tokens for browsers: short-lived, each for one session. */
import { createClientTokenRequest, createdClientToken } from '@turnkeeper/core/protocol/wire/client-tokens';
import { createClientToken } from '../../app/manage-client-tokens.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';
import { sessionParams, sessionPath } from './addresses.ts';

const create = operation(
  {
    summary: 'Make a token for a browser',
    description:
      'Good for this session alone, by these scopes, until `expires_at`; it ends earlier with the credential that made it, and with the session. It confirms and approves only where the tool asks the application. A key needs the scope `invoke`, and each scope that it gives away.',
    tag: 'tokens',
    answers: { 201: createdClientToken },
    errors: [403, 404],
  },
  { params: sessionParams, body: createClientTokenRequest },
);

export const registerClientTokens = (api: Api, { app }: ApiServices): void => {
  api.post(`${sessionPath}/client-tokens`, { schema: create }, async ({ caller, credential, params, body }, reply) =>
    reply.code(201).send(await createClientToken(app, caller, credential, params.sessionId, body)),
  );
};
