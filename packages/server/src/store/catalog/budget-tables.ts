/**
 * The tables of budgets, the same in both stores: their migrations create them from here, and they are frozen as `schema.ts`
 * says.
 *
 * `budgets.limits` (JSON) holds what is compared outside of the database; the number of model calls is a column of its own,
 * as calls are taken under its lock. `budget_calls`: how many calls a session has taken, and the newest of them.
 */

/** Understood by SQLite and PostgreSQL alike. */
export const budgetTables: readonly string[] = [
  'CREATE TABLE budgets (sid BIGINT PRIMARY KEY, max_model_calls BIGINT, limits TEXT NOT NULL, updated_at BIGINT NOT NULL)',
  'CREATE TABLE budget_calls (sid BIGINT PRIMARY KEY, call TEXT NOT NULL, calls BIGINT NOT NULL)',
];
