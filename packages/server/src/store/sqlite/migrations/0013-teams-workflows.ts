/** Teams, and workflows with their revisions. */
import { targetTables } from '../../catalog/target-tables.ts';

export const name = '0013-teams-workflows';

export const statements: readonly string[] = targetTables;
