/** Users, for admins; and everyone's own password. */
import { createUserRequest, patchUserRequest, setPasswordRequest, userAnswer, userResource } from '@turnkeeper/core/protocol/wire/identity';
import { pageOf, pageQuery } from '@turnkeeper/core/protocol/wire/sessions';
import { changeUser, createUser, listUsers, readUser, setPassword } from '../../app/manage-users.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';
import { userParams } from './addresses.ts';

const tag = 'users';
const path = '/users/:userId';

const list = operation(
  { summary: 'List users', description: 'For admins.', tag, answers: { 200: pageOf(userResource) }, errors: [403] },
  { querystring: pageQuery },
);
const create = operation(
  {
    summary: 'Make a user',
    description: 'For admins. Without a password the user signs in by tokens only.',
    tag,
    answers: { 201: userAnswer },
    errors: [403, 409],
  },
  { body: createUserRequest },
);
const read = operation({ summary: 'Read a user', description: 'For admins.', tag, answers: { 200: userAnswer }, errors: [403, 404] }, { params: userParams });
const patch = operation(
  {
    summary: 'Change a user',
    description: 'For admins. A disabled user is refused everywhere at once; the last active admin stays one.',
    tag,
    answers: { 200: userAnswer },
    errors: [403, 404, 409],
  },
  { params: userParams, body: patchUserRequest },
);
const password = operation(
  {
    summary: 'Set a password',
    description:
      'Your own, with `currentPassword` where there is one; or anyone’s, by an admin. A password that replaces another, or that somebody else sets, revokes the user’s other tokens.',
    tag,
    answers: { 204: null },
    errors: [403, 404],
  },
  { params: userParams, body: setPasswordRequest },
);

export const registerUsers = (api: Api, services: ApiServices): void => {
  api.get('/users', { schema: list }, ({ caller, query }) => listUsers(services, caller, query));
  api.post('/users', { schema: create }, async ({ caller, body }, reply) => reply.code(201).send(await createUser(services, caller, body)));
  api.get(path, { schema: read }, ({ caller, params }) => readUser(services, caller, params.userId));
  api.patch(path, { schema: patch }, ({ caller, params, body }) => changeUser(services, caller, params.userId, body));
  api.put(`${path}/password`, { schema: password }, async ({ caller, params, body }, reply) => {
    await setPassword(services, caller, params.userId, body);
    return reply.code(204).send();
  });
};
