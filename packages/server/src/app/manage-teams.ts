/**
 * Use cases: teams and their immutable versions.
 *
 * XT1 Who makes, sees and changes teams is as with agents (A3). A team names agents that its author sees; whoever starts a session with
 *     it need not see them.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { CreateTeamRequest, PatchTeamRequest, TeamDefinition, TeamResource } from '@turnkeeper/core/protocol/wire/teams';
import type { TeamRow, TeamVersion } from '../ports/catalog-targets.ts';
import { allOf, type Items, type PageQuery, pageOf, requireAdmin } from './administration.ts';
import type { App } from './app.ts';
import { auditOf } from './audit.ts';
import type { Caller } from './caller.ts';
import { requireRead } from './manage-agents.ts';
import { placeIn } from './spaces.ts';
import { seesTarget, visibleTargets } from './target-grants.ts';

export type TeamAnswer = { readonly team: TeamResource };

const what = 'make and change teams';
const noSuchTeam = (): TurnkeeperError => new TurnkeeperError('not_found', 'There is no such team.');

const definitionOf = ({ definition }: TeamVersion): TeamDefinition => definition as unknown as TeamDefinition;
const answer = (row: TeamRow, version: TeamVersion): TeamAnswer => ({ team: { ...row, ...definitionOf(version) } });

/** Throws `validation_failed`, naming every agent that is not there. */
const checkTeam = async ({ catalog }: App, { leader, members }: TeamDefinition): Promise<void> => {
  const named = [
    { pointer: '/leader/agentId', id: leader.agentId },
    ...members.map(({ agentId }, index) => ({ pointer: `/members/${index}/agentId`, id: agentId })),
  ];
  const known = new Set((await catalog.agentsNamed(named.map(({ id }) => id))).flatMap(({ id, key }) => [id, key]));
  const errors = named.filter(({ id }) => !known.has(id)).map(({ pointer, id }) => ({ pointer, detail: `there is no agent ${id}` }));
  if (errors.length > 0) throw new TurnkeeperError('validation_failed', errors.map(({ detail }) => detail).join('; '), { errors });
};

/** Throws `forbidden`, `validation_failed`, `not_found` (the space). */
export const createTeam = async (app: App, caller: Caller, body: CreateTeamRequest): Promise<TeamAnswer> => {
  const admin = requireAdmin(caller, what);
  const { name, description, space, ...definition } = body;
  await checkTeam(app, definition);
  const at = app.clock.now();
  const row: TeamRow = {
    ...{ id: app.ids.next('team'), name, description, space: await placeIn(app, caller, space) },
    ...{ version: 1, createdAt: at, updatedAt: at },
  };
  const first: TeamVersion = { teamId: row.id, version: 1, definition: definition as unknown as JsonObject, createdAt: at, createdBy: admin.id };
  await app.catalog.createTeam(row, first, auditOf(app, admin, { action: 'team.created', subject: `team:${row.id}`, details: { name } }));
  return answer(row, first);
};

/** Throws `not_found` for one that the caller does not see, too. */
const find = async (app: App, caller: Caller, id: string): Promise<TeamRow> => {
  requireRead(caller);
  const row = await app.catalog.team(id);
  if (!row || !seesTarget(caller, 'team', row)) throw noSuchTeam();
  return row;
};

const versionOf = async ({ catalog }: App, { id }: TeamRow, n: number): Promise<TeamVersion> => {
  const version = await catalog.teamVersion(id, n);
  if (!version) throw new TurnkeeperError('not_found', 'The team has no such version.');
  return version;
};

export const readTeam = async (app: App, caller: Caller, id: string): Promise<TeamAnswer> => {
  const row = await find(app, caller, id);
  return answer(row, await versionOf(app, row, row.version));
};

export const listTeams = async (app: App, caller: Caller, page: PageQuery): Promise<Items<TeamResource>> => {
  requireRead(caller);
  const rows = await app.catalog.teams({ offset: page.offset, limit: page.limit + 1, ...visibleTargets(caller, 'team') });
  const shown = await Promise.all(rows.slice(0, page.limit).map(async (row) => answer(row, await versionOf(app, row, row.version)).team));
  return { ...pageOf(rows, page, ({ id }) => id), items: shown };
};

/** A new version on top of the one that was read. Throws `forbidden`, `not_found`, `validation_failed`, `version_conflict`. */
export const changeTeam = async (app: App, caller: Caller, id: string, body: PatchTeamRequest): Promise<TeamAnswer> => {
  const admin = requireAdmin(caller, what);
  const row = await find(app, caller, id);
  const stale = (at: number): TurnkeeperError =>
    new TurnkeeperError('version_conflict', `The team is at version ${at}, not ${body.version}. Read it again and repeat the change.`, { version: at });
  if (row.version !== body.version) throw stale(row.version);
  const definition = changed(definitionOf(await versionOf(app, row, row.version)), body);
  await checkTeam(app, definition);
  const next: TeamVersion = {
    ...{ teamId: row.id, version: body.version + 1, definition: definition as unknown as JsonObject },
    ...{ createdAt: app.clock.now(), createdBy: admin.id },
  };
  const names = { name: body.name ?? row.name, description: body.description ?? row.description };
  const entry = auditOf(app, admin, { action: 'team.changed', subject: `team:${row.id}`, details: { name: names.name, version: next.version } });
  switch (await app.catalog.addTeamVersion(next, names, entry)) {
    case 'added':
      return readTeam(app, caller, row.id);
    case 'version_conflict':
      throw stale((await app.catalog.team(row.id))?.version ?? row.version);
    case 'not_found':
      throw noSuchTeam();
  }
};

const changed = ({ maxParallel: before, ...definition }: TeamDefinition, { leader, members, maxParallel = before }: PatchTeamRequest): TeamDefinition => ({
  ...{ leader: leader ?? definition.leader, members: members ?? definition.members },
  ...(maxParallel === undefined || maxParallel === null ? {} : { maxParallel }),
});

const shownVersion = (version: TeamVersion) => ({
  ...{ version: version.version, definition: definitionOf(version) },
  ...{ createdAt: version.createdAt, createdBy: version.createdBy },
});

export const readTeamVersion = async (app: App, caller: Caller, id: string, n: number) => shownVersion(await versionOf(app, await find(app, caller, id), n));

export const listTeamVersions = async (app: App, caller: Caller, id: string) =>
  allOf((await app.catalog.teamVersions((await find(app, caller, id)).id)).map(shownVersion));
