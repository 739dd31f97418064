/** Signing in and out. */

import { errorTable } from '@turnkeeper/core/protocol/errors';
import { meAnswer, signInAnswer, signInLinkRequest } from '@turnkeeper/core/protocol/wire/identity';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { userResource } from '../../app/identity.ts';
import type { Api, ApiServices } from '../api.ts';
import { credentialOf } from '../authentication.ts';
import { operation } from '../openapi/operation.ts';
import { codeOf, handleError } from '../problems.ts';

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

/** A refused credential, or a body that is none: both cost us, and neither comes from a person who signs in. */
const isFailedSignIn = (error: unknown): boolean => {
  const code = codeOf(error);
  return errorTable[code].status < 500 && code !== 'rate_limited';
};

/** The one route that needs no credential. */
export const registerSignIn = (api: Api, { identity, rateLimits }: ApiServices): void => {
  // Before the body is read: whoever has failed too often gets no more work done for nothing.
  api.addHook('onRequest', async ({ ip }) => rateLimits.failedSignIns.check(ip));
  api.setErrorHandler((error, request, reply) => {
    if (isFailedSignIn(error)) rateLimits.failedSignIns.count(request.ip);
    return handleError(error, request, reply);
  });
  api.post('/auth/link', { schema: link, bodyLimit: limits.authBodyBytes }, async ({ body }) => {
    const { token, user } = await identity.signIn(body.token);
    return { token, user: userResource(user) };
  });
};

export const registerAccount = (api: Api, { identity, streams }: ApiServices): void => {
  api.get('/auth/me', { schema: me }, async ({ caller }) => ({ user: userResource(await identity.user(caller)) }));
  api.post('/auth/logout', { schema: logout, bodyLimit: limits.authBodyBytes }, async (request, reply) => {
    await identity.signOut(credentialOf(request) ?? '');
    streams.endOf(request.credential);
    return reply.code(204).send();
  });
};
