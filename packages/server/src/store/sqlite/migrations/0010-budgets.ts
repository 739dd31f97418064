/** What sessions may use, and the model calls that were taken under it. */
import { budgetTables } from '../../catalog/budget-tables.ts';

export const name = '0010-budgets';

export const statements: readonly string[] = budgetTables;
