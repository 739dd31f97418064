/** Teams and their versions. */
import { pageOf, pageQuery } from '@turnkeeper/core/protocol/wire/sessions';
import { createTeamRequest, patchTeamRequest, teamAnswer, teamResource, teamVersionResource } from '@turnkeeper/core/protocol/wire/teams';
import { changeTeam, createTeam, listTeams, listTeamVersions, readTeam, readTeamVersion } from '../../app/manage-teams.ts';
import type { Api, ApiServices } from '../api.ts';
import { operation } from '../openapi/operation.ts';
import { teamParams, teamVersionParams } from './addresses.ts';

const tag = 'teams';
const path = '/teams/:teamId';

const create = operation(
  {
    summary: 'Create a team',
    description: 'For admins. A leader, and the members to whom it delegates, each an agent by id or key.',
    tag,
    answers: { 201: teamAnswer },
    errors: [403, 404],
  },
  { body: createTeamRequest },
);
const list = operation({ summary: 'List teams', tag, answers: { 200: pageOf(teamResource) } }, { querystring: pageQuery });
const read = operation({ summary: 'Read a team', tag, answers: { 200: teamAnswer }, errors: [404] }, { params: teamParams });
const patch = operation(
  {
    summary: 'Make a new version of a team',
    description: 'For admins. `version` is the one that was read; a stale one is refused. What is not given stays as it is.',
    tag,
    answers: { 200: teamAnswer },
    errors: [403, 404, 409],
  },
  { params: teamParams, body: patchTeamRequest },
);
const versions = operation(
  { summary: 'List the versions of a team', tag, answers: { 200: pageOf(teamVersionResource) }, errors: [404] },
  { params: teamParams },
);
const version = operation({ summary: 'Read one version of a team', tag, answers: { 200: teamVersionResource }, errors: [404] }, { params: teamVersionParams });

export const registerTeams = (api: Api, { app }: ApiServices): void => {
  api.post('/teams', { schema: create }, async ({ caller, body }, reply) => reply.code(201).send(await createTeam(app, caller, body)));
  api.get('/teams', { schema: list }, ({ caller, query }) => listTeams(app, caller, query));
  api.get(path, { schema: read }, ({ caller, params }) => readTeam(app, caller, params.teamId));
  api.patch(path, { schema: patch }, ({ caller, params, body }) => changeTeam(app, caller, params.teamId, body));
  api.get(`${path}/versions`, { schema: versions }, ({ caller, params }) => listTeamVersions(app, caller, params.teamId));
  api.get(`${path}/versions/:version`, { schema: version }, ({ caller, params }) => readTeamVersion(app, caller, params.teamId, params.version));
};
