/** Agents and their versions. G2 and G3 are held by unique keys and a compare-and-set on the version. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { sql } from 'kysely';
import type { AgentRow, AgentVersion } from '../../ports/catalog.ts';
import { auditInsert } from './audit.ts';
import type { Access, Part } from './catalog-access.ts';
import type { SqlRow } from './catalog-database.ts';
import { json, number, text } from './columns.ts';
import type { CatalogTables } from './schema.ts';

const agentOf = (row: SqlRow): AgentRow => ({
  id: text(row, 'id'),
  key: text(row, 'key'),
  displayName: text(row, 'display_name'),
  description: text(row, 'description'),
  space: text(row, 'space'),
  version: number(row, 'version'),
  createdAt: number(row, 'created_at'),
  updatedAt: number(row, 'updated_at'),
});
const agentValues = (agent: AgentRow): CatalogTables['agents'] => ({
  id: agent.id,
  key: agent.key,
  display_name: agent.displayName,
  description: agent.description,
  space: agent.space,
  version: agent.version,
  created_at: agent.createdAt,
  updated_at: agent.updatedAt,
});

const versionOf = (row: SqlRow): AgentVersion => ({
  agentId: text(row, 'agent_id'),
  version: number(row, 'version'),
  definition: json<JsonObject>(row, 'definition'),
  createdAt: number(row, 'created_at'),
  createdBy: text(row, 'created_by'),
});
const versionValues = (version: AgentVersion): CatalogTables['agent_versions'] => ({
  agent_id: version.agentId,
  version: version.version,
  definition: JSON.stringify(version.definition),
  created_at: version.createdAt,
  created_by: version.createdBy,
});

export const createAgents = ({
  db,
  all,
  one,
  change,
}: Access): Part<'createAgent' | 'addAgentVersion' | 'agent' | 'agentsNamed' | 'agents' | 'agentVersion' | 'agentVersions'> => ({
  createAgent: async (agent, first, audit) => {
    const insert = db
      .insertInto('agents')
      .values(agentValues(agent))
      .onConflict((conflict) => conflict.doNothing())
      .returning('id');
    const made = await change(insert, [db.insertInto('agent_versions').values(versionValues(first)), auditInsert(db, audit)]);
    return made ? 'created' : 'already_exists';
  },
  addAgentVersion: async (version, audit) => {
    const { agentId, version: next, createdAt } = version;
    const move = db
      .updateTable('agents')
      .set({ version: next, updated_at: createdAt })
      .where('id', '=', agentId)
      .where('version', '=', next - 1)
      .returning('id');
    if (await change(move, [db.insertInto('agent_versions').values(versionValues(version)), auditInsert(db, audit)])) return 'added';
    return (await one(db.selectFrom('agents').select('id').where('id', '=', agentId))) ? 'version_conflict' : 'not_found';
  },
  agent: async (idOrKey) => {
    const row = await one(
      db
        .selectFrom('agents')
        .selectAll()
        .where((is) => is.or([is('id', '=', idOrKey), is('key', '=', idOrKey)]))
        .orderBy(sql`case when id = ${idOrKey} then 0 else 1 end`)
        .limit(1),
    );
    return row && agentOf(row);
  },
  agentsNamed: async (names) => {
    if (names.length === 0) return [];
    const found = db
      .selectFrom('agents')
      .selectAll()
      .where((is) => is.or([is('id', 'in', names), is('key', 'in', names)]));
    return (await all(found)).map(agentOf);
  },
  agents: async ({ offset, limit, spaces, ids }) => {
    // `in ()` is no SQL everywhere.
    if (spaces?.length === 0 || ids?.length === 0) return [];
    let query = db.selectFrom('agents').selectAll();
    if (spaces) query = query.where('space', 'in', spaces);
    if (ids) query = query.where('id', 'in', ids);
    return (await all(query.orderBy('created_at').orderBy('id').limit(limit).offset(offset))).map(agentOf);
  },
  agentVersion: async (agentId, version) => {
    const row = await one(db.selectFrom('agent_versions').selectAll().where('agent_id', '=', agentId).where('version', '=', version));
    return row && versionOf(row);
  },
  agentVersions: async (agentId) => (await all(db.selectFrom('agent_versions').selectAll().where('agent_id', '=', agentId).orderBy('version'))).map(versionOf),
});
