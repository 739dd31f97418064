/** Teams, and workflows with their revisions. */
import { targetKeyTexts, targetTables } from '../../catalog/target-tables.ts';
import type { Migration } from '../migrate.ts';

const collations = Object.entries(targetKeyTexts).map(
  ([table, columns]) => `alter table ${table} ${columns.map((column) => `alter column ${column} type text collate "C"`).join(', ')}`,
);

export const teamsWorkflows: Migration = { version: 16, name: 'teams-workflows', sql: [...targetTables, ...collations].join(';\n') };
