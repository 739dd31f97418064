/** Schedules with their history, and the tokens of clients. */
import { clientTokenTables, scheduleTables } from '../../catalog/schedule-tables.ts';

export const name = '0011-schedules';

export const statements: readonly string[] = [...scheduleTables, ...clientTokenTables];
