/**
 * The catalog of both stores: kysely writes the SQL, the store runs it.
 *
 * G3 is held by the statements themselves (unique keys, a compare-and-set on the version), never by a read before.
 */
import { type Compilable, type Kysely, sql } from 'kysely';
import type { Catalog } from '../../ports/catalog.ts';
import type { CatalogDatabase, SqlRow, SqlStatement, SqlValue } from './catalog-database.ts';
import { agentOf, agentValues, tokenOf, tokenValues, userOf, userValues, versionOf, versionValues } from './rows.ts';
import type { CatalogTables } from './schema.ts';
import { sqlBuilder } from './sql-builder.ts';

const touchEveryMs = 60_000;

const statementOf = (query: Compilable): SqlStatement => {
  const { sql: text, parameters } = query.compile();
  return { sql: text, params: parameters as readonly SqlValue[] };
};

type Access = {
  readonly db: Kysely<CatalogTables>;
  readonly all: (query: Compilable) => Promise<readonly SqlRow[]>;
  readonly one: (query: Compilable) => Promise<SqlRow | undefined>;
  readonly write: (...queries: readonly Compilable[]) => Promise<readonly (readonly SqlRow[])[]>;
};

type Part<Names extends keyof Catalog> = Pick<Catalog, Names>;

/** The catalog over a store's database, which must have the tables of `schema.ts`. */
export const createCatalog = (database: CatalogDatabase): Catalog => {
  const all = (query: Compilable) => database.read(statementOf(query));
  const access: Access = {
    db: sqlBuilder(database.dialect),
    all,
    one: async (query) => (await all(query))[0],
    write: (...queries) => database.write(queries.map(statementOf)),
  };
  return { ...agents(access), ...users(access), ...tokens(access), ...settings(access) };
};

const agents = ({ db, all, one, write }: Access): Part<'createAgent' | 'addAgentVersion' | 'agent' | 'agents' | 'agentVersion' | 'agentVersions'> => ({
  createAgent: async (agent, first) => {
    const insert = db
      .insertInto('agents')
      .values(agentValues(agent))
      .onConflict((conflict) => conflict.doNothing())
      .returning('id');
    // Only for the agent that this very call has made: one that was there has versions already.
    const made = db
      .selectFrom('agents')
      .where('id', '=', agent.id)
      .where('key', '=', agent.key)
      .where((is) => is.not(is.exists(db.selectFrom('agent_versions').select('agent_id').where('agent_id', '=', agent.id))));
    const [rows] = await write(insert, insertVersion(db, made, first));
    return rows?.length ? 'created' : 'already_exists';
  },
  addAgentVersion: async (version) => {
    const { agentId, version: next, createdAt } = version;
    const move = db
      .updateTable('agents')
      .set({ version: next, updated_at: createdAt })
      .where('id', '=', agentId)
      .where('version', '=', next - 1)
      .returning('id');
    const moved = db.selectFrom('agents').where('id', '=', agentId).where('version', '=', next);
    const [rows] = await write(move, insertVersion(db, moved, version));
    if (rows?.length) return 'added';
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
  agents: async ({ offset, limit }) =>
    (await all(db.selectFrom('agents').selectAll().orderBy('created_at').orderBy('id').limit(limit).offset(offset))).map(agentOf),
  agentVersion: async (agentId, version) => {
    const row = await one(db.selectFrom('agent_versions').selectAll().where('agent_id', '=', agentId).where('version', '=', version));
    return row && versionOf(row);
  },
  agentVersions: async (agentId) => (await all(db.selectFrom('agent_versions').selectAll().where('agent_id', '=', agentId).orderBy('version'))).map(versionOf),
});

/** Inserts a version where the given rows of `agents` are (one or none); a version that exists stays as it is (G2). */
const insertVersion = (db: Kysely<CatalogTables>, where: ReturnType<typeof agentsWhere>, version: Parameters<typeof versionValues>[0]): Compilable => {
  const { agent_id, version: n, definition, created_at, created_by } = versionValues(version);
  const values = where.select([
    sql<string>`cast(${agent_id} as text)`.as('agent_id'),
    sql<number>`cast(${n} as bigint)`.as('version'),
    sql<string>`cast(${definition} as text)`.as('definition'),
    sql<number>`cast(${created_at} as bigint)`.as('created_at'),
    sql<string>`cast(${created_by} as text)`.as('created_by'),
  ]);
  return db
    .insertInto('agent_versions')
    .columns(['agent_id', 'version', 'definition', 'created_at', 'created_by'])
    .expression(values)
    .onConflict((conflict) => conflict.doNothing());
};
const agentsWhere = (db: Kysely<CatalogTables>) => db.selectFrom('agents');

const users = ({ db, all, one, write }: Access): Part<'createUser' | 'user' | 'userByName' | 'users'> => ({
  createUser: async (user) => {
    const [rows] = await write(
      db
        .insertInto('users')
        .values(userValues(user))
        .onConflict((conflict) => conflict.doNothing())
        .returning('id'),
    );
    return rows?.length ? 'created' : 'already_exists';
  },
  user: async (id) => {
    const row = await one(db.selectFrom('users').selectAll().where('id', '=', id));
    return row && userOf(row);
  },
  userByName: async (username) => {
    const row = await one(db.selectFrom('users').selectAll().where('username', '=', username));
    return row && userOf(row);
  },
  users: async () => (await all(db.selectFrom('users').selectAll().orderBy('created_at').orderBy('id'))).map(userOf),
});

const tokens = ({ db, all, one, write }: Access): Part<'addToken' | 'tokenByHash' | 'tokensOf' | 'touchToken' | 'deleteToken'> => ({
  addToken: async (token) => {
    await write(db.insertInto('tokens').values(tokenValues(token)));
  },
  tokenByHash: async (hash) => {
    const row = await one(db.selectFrom('tokens').selectAll().where('hash', '=', hash));
    return row && tokenOf(row);
  },
  tokensOf: async (userId) => (await all(db.selectFrom('tokens').selectAll().where('user_id', '=', userId).orderBy('created_at').orderBy('id'))).map(tokenOf),
  touchToken: async (id, at) => {
    // Read first: nearly every request brings a token, and a read costs no commit.
    const row = await one(db.selectFrom('tokens').select('last_used_at').where('id', '=', id));
    const last = row?.['last_used_at'];
    if (!row || (last !== null && at - Number(last) < touchEveryMs)) return;
    await write(db.updateTable('tokens').set({ last_used_at: at }).where('id', '=', id));
  },
  deleteToken: async (id) => {
    const [rows] = await write(db.deleteFrom('tokens').where('id', '=', id).returning('id'));
    return (rows?.length ?? 0) > 0;
  },
});

const settings = ({ db, one, write }: Access): Part<'setting' | 'setSetting'> => ({
  setting: async (name) => {
    const value = (await one(db.selectFrom('settings').select('value').where('name', '=', name)))?.['value'];
    return value === undefined ? undefined : String(value);
  },
  setSetting: async (name, value) => {
    await write(
      db
        .insertInto('settings')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
    );
  },
});
