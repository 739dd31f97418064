/** Signing in and out. */

import { errorTable } from '@turnkeeper/core/protocol/errors';
import { meAnswer, signInAnswer, signInLinkRequest, signInRequest } from '@turnkeeper/core/protocol/wire/identity';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { requireUser } from '../../app/administration.ts';
import { userResource } from '../../app/manage-users.ts';
import type { SignedIn } from '../../app/user-tokens.ts';
import { whoAmI } from '../../app/who-am-i.ts';
import type { Api, ApiServices } from '../api.ts';
import { credentialOf } from '../authentication.ts';
import { operation } from '../openapi/operation.ts';
import { codeOf, handleError } from '../problems.ts';

const tag = 'sign-in';

const login = operation(
  {
    summary: 'Sign in by name and password',
    description: 'The token lasts 30 days. Attempts are limited for a name from an address, and for an address.',
    tag,
    answers: { 200: signInAnswer },
    open: true,
  },
  { body: signInRequest },
);
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
const me = operation({ summary: 'Who am I?', description: '`user` for a token, `key` for an application’s key.', tag, answers: { 200: meAnswer } }, {});
const logout = operation(
  { summary: 'Sign out', description: 'The token is no longer valid; streams opened with it end.', tag, answers: { 204: null }, errors: [403] },
  {},
);

/** A refused credential, or a body that is none: both cost us, and neither comes from a person who signs in. */
const isFailedSignIn = (error: unknown): boolean => {
  const code = codeOf(error);
  return errorTable[code].status < 500 && code !== 'rate_limited';
};

const answerOf = ({ token, user }: SignedIn) => ({ token, user: userResource(user) });

/** The routes that need no credential. */
export const registerSignIn = (api: Api, { identity, rateLimits, attempts }: ApiServices): void => {
  // Before the body is read: whoever has failed too often gets no more work done for nothing.
  api.addHook('onRequest', async ({ ip }) => rateLimits.failedSignIns.check(ip));
  api.setErrorHandler((error, request, reply) => {
    if (isFailedSignIn(error)) rateLimits.failedSignIns.count(request.ip);
    return handleError(error, request, reply);
  });
  api.post('/auth/login', { schema: login, bodyLimit: limits.authBodyBytes }, async ({ body, ip }) => {
    attempts({ username: body.username, address: ip });
    return answerOf(await identity.signInByPassword(body, ip));
  });
  api.post('/auth/link', { schema: link, bodyLimit: limits.authBodyBytes }, async ({ body, ip }) => answerOf(await identity.signIn(body.token, ip)));
};

export const registerAccount = (api: Api, { app, identity }: ApiServices): void => {
  api.get('/auth/me', { schema: me }, ({ caller }) => whoAmI(app, caller));
  api.post('/auth/logout', { schema: logout, bodyLimit: limits.authBodyBytes }, async (request, reply) => {
    await identity.signOut(credentialOf(request) ?? '', requireUser(request.caller));
    return reply.code(204).send();
  });
};
