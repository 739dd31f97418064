/**
 * A write that adds to what something may have so many of.
 *
 * Counted before the write, many at once would all find room. So the row of what has them is held first, which makes such
 * writes take turns on PostgreSQL (SQLite has one writer), and the count is taken behind it, in the same transaction.
 */
import type { CatalogDatabase, SqlRow, SqlStatement } from './catalog-database.ts';
import { createAsk } from './statements.ts';

export type Bound = {
  /** Whose they are. */
  readonly held: { readonly table: string; readonly id: string };
  /** Gives how many there are, as `n`. */
  readonly counted: SqlStatement;
  /** Absent: as many as one likes. */
  readonly most: number | undefined;
};

/** The rows that each of the statements gave; `needs` counts from the first of them, which is left out where there is no room. */
export const writeWithin = async (
  database: CatalogDatabase,
  { held, counted, most }: Bound,
  [first, ...others]: readonly [SqlStatement, ...SqlStatement[]],
): Promise<readonly (readonly SqlRow[])[]> => {
  const { statement, write } = createAsk(database);
  if (most === undefined) return write(first, ...others);
  const lock = database.dialect === 'postgres' ? 'FOR NO KEY UPDATE' : '';
  const before = [
    statement(`SELECT id FROM ${held.table} WHERE id = ? ${lock}`, held.id),
    { ...counted, sql: `SELECT n FROM (${counted.sql}) AS counted WHERE n < ${most}` },
  ];
  const room = before.length - 1;
  const moved = others.map(({ needs, ...other }) => (needs === undefined ? other : { ...other, needs: needs + before.length }));
  return (await write(...before, { ...first, needs: room }, ...moved)).slice(before.length);
};
