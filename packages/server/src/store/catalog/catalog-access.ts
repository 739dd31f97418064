/**
 * How the catalog's parts get at a store's database: kysely writes the SQL, the store runs it.
 *
 * G5 is kept here: an administrative write is `change`, and what goes with it (its audit entry among it) is left out by
 * the database where the change itself was refused.
 */
import type { Compilable, Kysely, SelectQueryBuilder } from 'kysely';
import type { Catalog } from '../../ports/catalog.ts';
import type { CatalogDatabase, SqlRow, SqlStatement, SqlValue } from './catalog-database.ts';
import type { CatalogTables } from './schema.ts';
import { sqlBuilder } from './sql-builder.ts';

export type Access = {
  readonly dialect: CatalogDatabase['dialect'];
  readonly db: Kysely<CatalogTables>;
  readonly all: (query: Compilable) => Promise<readonly SqlRow[]>;
  readonly one: (query: Compilable) => Promise<SqlRow | undefined>;
  /** In order, in one transaction. */
  readonly write: (...queries: readonly Compilable[]) => Promise<readonly (readonly SqlRow[])[]>;
  /**
   * `main` must return the rows that it wrote; true when there are any. `then` is carried out only in that case. All
   * of it is one transaction, with `before` (what has to be locked) at its start.
   */
  readonly change: (main: Compilable, then: readonly Compilable[], before?: readonly Compilable[]) => Promise<boolean>;
};

/** Some of the port's methods: what one file answers for. */
export type Part<Names extends keyof Catalog> = Pick<Catalog, Names>;

/** The rows that a write rests on, which nobody else changes until it is done. SQLite has one writer, and no such lock. */
export const held = <Of>({ dialect }: Pick<Access, 'dialect'>, rows: SelectQueryBuilder<CatalogTables, keyof CatalogTables, Of>): Compilable =>
  dialect === 'postgres' ? rows.forShare() : rows;

const statementOf = (query: Compilable): SqlStatement => {
  const { sql, parameters } = query.compile();
  return { sql, params: parameters as readonly SqlValue[] };
};

export const createAccess = (database: CatalogDatabase): Access => {
  const all = (query: Compilable) => database.read(statementOf(query));
  return {
    dialect: database.dialect,
    db: sqlBuilder(database.dialect),
    all,
    one: async (query) => (await all(query))[0],
    write: (...queries) => database.write(queries.map(statementOf)),
    change: async (main, then, before = []) => {
      const needs = before.length;
      const statements = [...before, main].map(statementOf);
      const results = await database.write([...statements, ...then.map((query) => ({ ...statementOf(query), needs }))]);
      return (results[needs]?.length ?? 0) > 0;
    },
  };
};
