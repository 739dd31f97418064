/** The shared catalog's statements, run on this store's pool. */
import { type CatalogDatabase, isLeftOut, type SqlRow, type SqlStatement, type SqlValue } from '../catalog/catalog-database.ts';
import type { Reader } from './reader.ts';
import { storableText } from './storable-text.ts';

const valuesOf = ({ params }: SqlStatement): SqlValue[] => params.map((value) => (typeof value === 'string' ? storableText(value) : value));

/** Without a name: statements of administration are rare, and their number is not bounded. */
const plain = (statement: SqlStatement) => ({ name: '', text: statement.sql });

export const createCatalogDatabase = (reader: Reader): CatalogDatabase => ({
  dialect: 'postgres',
  read: (statement) => reader.ask<SqlRow>(plain(statement), valuesOf(statement)),
  write: async (statements) => {
    const [only] = statements;
    if (only && statements.length === 1) return [await reader.change<SqlRow>(plain(only), valuesOf(only))];
    return reader.transaction(async (ask) => {
      const results: (readonly SqlRow[])[] = [];
      for (const statement of statements) {
        results.push(isLeftOut(statement, results) ? [] : await ask<SqlRow>(plain(statement), valuesOf(statement)));
      }
      return results;
    });
  },
});
