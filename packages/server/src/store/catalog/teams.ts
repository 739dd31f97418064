/** Teams and their versions. G2 and G3 are held by unique keys and a compare-and-set on the version. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { TeamRow, TeamVersion } from '../../ports/catalog-targets.ts';
import { auditInsert } from './audit.ts';
import type { Access, Part } from './catalog-access.ts';
import type { SqlRow } from './catalog-database.ts';
import { json, number, text } from './columns.ts';
import type { CatalogTables } from './schema.ts';

const teamOf = (row: SqlRow): TeamRow => ({
  id: text(row, 'id'),
  name: text(row, 'name'),
  description: text(row, 'description'),
  space: text(row, 'space'),
  version: number(row, 'version'),
  createdAt: number(row, 'created_at'),
  updatedAt: number(row, 'updated_at'),
});
const teamValues = ({ createdAt, updatedAt, ...team }: TeamRow): CatalogTables['teams'] => ({ ...team, created_at: createdAt, updated_at: updatedAt });

const versionOf = (row: SqlRow): TeamVersion => ({
  teamId: text(row, 'team_id'),
  version: number(row, 'version'),
  definition: json<JsonObject>(row, 'definition'),
  createdAt: number(row, 'created_at'),
  createdBy: text(row, 'created_by'),
});
const versionValues = (version: TeamVersion): CatalogTables['team_versions'] => ({
  team_id: version.teamId,
  version: version.version,
  definition: JSON.stringify(version.definition),
  created_at: version.createdAt,
  created_by: version.createdBy,
});

export const createTeams = ({
  db,
  all,
  one,
  write,
  change,
}: Access): Part<'createTeam' | 'addTeamVersion' | 'team' | 'teams' | 'teamVersion' | 'teamVersions'> => ({
  createTeam: async (team, first, audit) => {
    await write(db.insertInto('teams').values(teamValues(team)), db.insertInto('team_versions').values(versionValues(first)), auditInsert(db, audit));
  },
  addTeamVersion: async (version, { name, description }, audit) => {
    const { teamId, version: next, createdAt } = version;
    const move = db
      .updateTable('teams')
      .set({ version: next, name, description, updated_at: createdAt })
      .where('id', '=', teamId)
      .where('version', '=', next - 1)
      .returning('id');
    if (await change(move, [db.insertInto('team_versions').values(versionValues(version)), auditInsert(db, audit)])) return 'added';
    return (await one(db.selectFrom('teams').select('id').where('id', '=', teamId))) ? 'version_conflict' : 'not_found';
  },
  team: async (id) => {
    const row = await one(db.selectFrom('teams').selectAll().where('id', '=', id));
    return row && teamOf(row);
  },
  teams: async ({ offset, limit, spaces, ids }) => {
    // `in ()` is no SQL everywhere.
    if (spaces?.length === 0 || ids?.length === 0) return [];
    let query = db.selectFrom('teams').selectAll();
    if (spaces) query = query.where('space', 'in', spaces);
    if (ids) query = query.where('id', 'in', ids);
    return (await all(query.orderBy('created_at').orderBy('id').limit(limit).offset(offset))).map(teamOf);
  },
  teamVersion: async (teamId, version) => {
    const row = await one(db.selectFrom('team_versions').selectAll().where('team_id', '=', teamId).where('version', '=', version));
    return row && versionOf(row);
  },
  teamVersions: async (teamId) => (await all(db.selectFrom('team_versions').selectAll().where('team_id', '=', teamId).orderBy('version'))).map(versionOf),
});
