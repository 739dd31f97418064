/** What sessions may use, and the model calls that were taken under it. */
import { budgetTables } from '../../catalog/budget-tables.ts';
import type { Migration } from '../migrate.ts';

export const budgets: Migration = { version: 12, name: 'budgets', sql: budgetTables.join(';\n') };
