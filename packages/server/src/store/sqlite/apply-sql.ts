/** The catalog's statements, in the transaction of their batch. */
import type { DatabaseSync } from 'node:sqlite';
import { isLeftOut, type SqlRow, type SqlStatement } from '../catalog/catalog-database.ts';

/** The rows that each statement gave, in order; a statement that fails ends it (the caller rolls back). */
export const applySql = (db: DatabaseSync, statements: readonly SqlStatement[]): readonly (readonly SqlRow[])[] => {
  const results: (readonly SqlRow[])[] = [];
  for (const statement of statements) results.push(isLeftOut(statement, results) ? [] : db.prepare(statement.sql).all(...statement.params));
  return results;
};
