/** Kysely as a writer of SQL only: it compiles statements for a dialect and never runs one. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { CatalogTables } from './schema.ts';

export const sqlBuilder = (dialect: 'sqlite' | 'postgres'): Kysely<CatalogTables> =>
  new Kysely<CatalogTables>({
    dialect: {
      createDriver: () => new DummyDriver(),
      createAdapter: () => (dialect === 'sqlite' ? new SqliteAdapter() : new PostgresAdapter()),
      createIntrospector: (db) => (dialect === 'sqlite' ? new SqliteIntrospector(db) : new PostgresIntrospector(db)),
      createQueryCompiler: () => (dialect === 'sqlite' ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
    },
  });
