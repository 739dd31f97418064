/** How far each session is with what it forgets, and who sees to it. */
import { retentionTables } from '../../catalog/webhook-tables.ts';
import type { Migration } from '../migrate.ts';

export const retention: Migration = { version: 10, name: 'retention', sql: retentionTables.join(';\n') };
