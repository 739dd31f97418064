/** Signing in and out. */

import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { meAnswer, signInAnswer, signInLinkRequest } from '@turnkeeper/core/protocol/wire/identity';
import { userResource } from '../../app/identity.ts';
import type { Api, ApiServices } from '../api.ts';
import { credentialOf } from '../authentication.ts';
import { operation } from '../openapi/operation.ts';

const tag = 'sign-in';

const link = operation(
  {
    summary: 'Exchange a sign-in link, or a valid token, for a token',
    description: 'A link is good once. Failed attempts are limited by address.',
    tag,
    answers: { 200: signInAnswer },
    open: true,
  },
  { body: signInLinkRequest },
);
const me = operation({ summary: 'Who am I?', tag, answers: { 200: meAnswer } }, {});
const logout = operation({ summary: 'Sign out', description: 'The token is no longer valid; streams opened with it end.', tag, answers: { 204: null } }, {});

/** The one route that needs no credential. */
export const registerSignIn = (api: Api, { identity, rateLimits }: ApiServices): void => {
  api.post('/auth/link', { schema: link }, async ({ body, ip }) => {
    rateLimits.failedSignIns.check(ip);
    try {
      const { token, user } = await identity.signIn(body.token);
      return { token, user: userResource(user) };
    } catch (error) {
      if (error instanceof TurnkeeperError && error.code === 'unauthenticated') rateLimits.failedSignIns.take(ip);
      throw error;
    }
  });
};

export const registerAccount = (api: Api, { identity, streams }: ApiServices): void => {
  api.get('/auth/me', { schema: me }, async ({ caller }) => ({ user: userResource(await identity.user(caller)) }));
  api.post('/auth/logout', { schema: logout }, async (request, reply) => {
    await identity.signOut(credentialOf(request) ?? '');
    streams.endOf(request.credential);
    return reply.code(204).send();
  });
};
