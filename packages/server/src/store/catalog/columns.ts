/** Values of the catalog's columns. Numbers may arrive as text (PostgreSQL's bigint). */
import type { SqlRow } from './catalog-database.ts';

export const text = (row: SqlRow, column: string): string => String(row[column]);
export const textOrNull = (row: SqlRow, column: string): string | null => (row[column] === null ? null : String(row[column]));
export const number = (row: SqlRow, column: string): number => Number(row[column]);
export const numberOrNull = (row: SqlRow, column: string): number | null => (row[column] === null ? null : Number(row[column]));
/** A column that holds JSON text, as this release or an earlier one wrote it. */
export const json = <Value>(row: SqlRow, column: string): Value => JSON.parse(text(row, column)) as Value;
