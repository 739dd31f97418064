/** How far each session is with what it forgets, and who sees to it. */
import { retentionTables } from '../../catalog/webhook-tables.ts';

export const name = '0008-retention';

export const statements: readonly string[] = retentionTables;
