/** Statements as both stores take them: written with `?`, numbered for PostgreSQL. */
import type { CatalogDatabase, SqlRow, SqlStatement, SqlValue } from './catalog-database.ts';

export type Ask = {
  readonly all: (sql: string, ...params: readonly SqlValue[]) => Promise<readonly SqlRow[]>;
  readonly one: (sql: string, ...params: readonly SqlValue[]) => Promise<SqlRow | undefined>;
  /** Not run yet: to be written together with others. */
  readonly statement: (sql: string, ...params: readonly SqlValue[]) => SqlStatement;
  /** In order, in one transaction. */
  readonly write: (...statements: readonly SqlStatement[]) => Promise<readonly (readonly SqlRow[])[]>;
};

const numbered = (sql: string): string => {
  let n = 0;
  return sql.replace(/\?/g, () => {
    n += 1;
    return `$${n}`;
  });
};

/** No statement here holds a question mark that is not a parameter. */
export const createAsk = (database: CatalogDatabase): Ask => {
  const statement: Ask['statement'] = (sql, ...params) => ({ sql: database.dialect === 'postgres' ? numbered(sql) : sql, params });
  const all: Ask['all'] = (sql, ...params) => database.read(statement(sql, ...params));
  return { all, one: async (sql, ...params) => (await all(sql, ...params))[0], statement, write: (...statements) => database.write(statements) };
};

/** `?, ?, …` for a list of values. */
export const places = (count: number): string => Array<string>(count).fill('?').join(', ');
