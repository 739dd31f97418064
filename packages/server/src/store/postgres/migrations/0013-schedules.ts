/** Schedules with their history, and the tokens of clients. */
import { clientTokenTables, scheduleTables } from '../../catalog/schedule-tables.ts';
import type { Migration } from '../migrate.ts';

export const schedules: Migration = { version: 13, name: 'schedules', sql: [...scheduleTables, ...clientTokenTables].join(';\n') };
