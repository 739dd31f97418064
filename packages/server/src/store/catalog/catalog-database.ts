/**
 * What the catalog needs of a store's database.
 *
 * `read` sees durable rows only. `write` runs its statements in order in one durable transaction and gives the rows
 * that each returned (RETURNING), none for one that was left out; it rejects with TurnkeeperError
 * `storage_unavailable` when the medium fails.
 */
export type SqlValue = string | number | null;
export type SqlRow = { readonly [column: string]: unknown };
export type SqlStatement = {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /** The place (from 0) of an earlier statement of the same write: where that one gave no rows, this one is left out. */
  readonly needs?: number;
};

export interface CatalogDatabase {
  /** How statements are written: `?` or `$1`. */
  readonly dialect: 'sqlite' | 'postgres';
  read(statement: SqlStatement): Promise<readonly SqlRow[]>;
  write(statements: readonly SqlStatement[]): Promise<readonly (readonly SqlRow[])[]>;
}

/** Whether a statement is to be left out, by what the ones before it gave. */
export const isLeftOut = ({ needs }: SqlStatement, before: readonly (readonly SqlRow[])[]): boolean => needs !== undefined && !before[needs]?.length;
