/** Mini-tools, with what they keep. */
import { minitoolKeyTexts, minitoolTables } from '../../catalog/minitool-tables.ts';
import type { Migration } from '../migrate.ts';

const collations = Object.entries(minitoolKeyTexts).map(
  ([table, columns]) => `alter table ${table} ${columns.map((column) => `alter column ${column} type text collate "C"`).join(', ')}`,
);

export const minitools: Migration = { version: 15, name: 'minitools', sql: [...minitoolTables, ...collations].join(';\n') };
