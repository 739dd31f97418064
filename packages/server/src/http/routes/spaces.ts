/** Spaces and their members. */
import {
  createSpaceRequest,
  patchSpaceRequest,
  putMemberRequest,
  spaceAnswer,
  spaceMemberResource,
  spaceResource,
} from '@turnkeeper/core/protocol/wire/identity';
import { pageOf, pageQuery } from '@turnkeeper/core/protocol/wire/sessions';
import { createSpace, listSpaceMembers, listSpaces, putSpaceMember, readSpace, removeSpaceMember, renameSpace } from '../../app/manage-spaces.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';
import { spaceMemberParams, spaceParams } from './addresses.ts';

const tag = 'spaces';
const path = '/spaces/:spaceId';
const byManagers = 'For managers of the space, and admins.';

const list = operation(
  {
    summary: 'List the spaces that you belong to, and "default"',
    description: 'All of them for admins.',
    tag,
    answers: { 200: pageOf(spaceResource) },
    errors: [403],
  },
  { querystring: pageQuery },
);
const create = operation(
  { summary: 'Make a space', description: 'For admins. Whoever makes it manages it.', tag, answers: { 201: spaceAnswer }, errors: [403, 409] },
  { body: createSpaceRequest },
);
const read = operation({ summary: 'Read a space', tag, answers: { 200: spaceAnswer }, errors: [403, 404] }, { params: spaceParams });
const patch = operation(
  { summary: 'Rename a space', description: byManagers, tag, answers: { 200: spaceAnswer }, errors: [403, 404] },
  { params: spaceParams, body: patchSpaceRequest },
);
const members = operation(
  { summary: 'List the members of a space', tag, answers: { 200: pageOf(spaceMemberResource) }, errors: [403, 404] },
  { params: spaceParams, querystring: pageQuery },
);
const put = operation(
  { summary: 'Add a member to a space, or change its role', description: byManagers, tag, answers: { 200: spaceMemberResource }, errors: [403, 404, 409] },
  { params: spaceMemberParams, body: putMemberRequest },
);
const remove = operation(
  { summary: 'Take a member out of a space', description: byManagers, tag, answers: { 204: null }, errors: [403, 404] },
  { params: spaceMemberParams },
);

export const registerSpaces = (api: Api, services: ApiServices): void => {
  api.get('/spaces', { schema: list }, ({ caller, query }) => listSpaces(services, caller, query));
  api.post('/spaces', { schema: create }, async ({ caller, body }, reply) => reply.code(201).send(await createSpace(services, caller, body)));
  api.get(path, { schema: read }, ({ caller, params }) => readSpace(services, caller, params.spaceId));
  api.patch(path, { schema: patch }, ({ caller, params, body }) => renameSpace(services, caller, params.spaceId, body.name));
  api.get(`${path}/members`, { schema: members }, ({ caller, params, query }) => listSpaceMembers(services, caller, params.spaceId, query));
  api.put(`${path}/members/:userId`, { schema: put }, ({ caller, params, body }) => putSpaceMember(services, caller, params.spaceId, params.userId, body.role));
  api.delete(`${path}/members/:userId`, { schema: remove }, async ({ caller, params }, reply) => {
    await removeSpaceMember(services, caller, params.spaceId, params.userId);
    return reply.code(204).send();
  });
};
