/**
 * What the catalog needs of a store's database.
 *
 * `read` sees durable rows only. `write` runs its statements in order in one durable transaction and gives the rows
 * that each returned (RETURNING); it rejects with TurnkeeperError `storage_unavailable` when the medium fails.
 */
export type SqlValue = string | number | null;
export type SqlRow = { readonly [column: string]: unknown };
export type SqlStatement = { readonly sql: string; readonly params: readonly SqlValue[] };

export interface CatalogDatabase {
  /** How statements are written: `?` or `$1`. */
  readonly dialect: 'sqlite' | 'postgres';
  read(statement: SqlStatement): Promise<readonly SqlRow[]>;
  write(statements: readonly SqlStatement[]): Promise<readonly (readonly SqlRow[])[]>;
}
