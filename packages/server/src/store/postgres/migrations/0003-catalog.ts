/** The tables of administration, as both stores have them. */
import { catalogTablesV1 } from '../../catalog/schema.ts';
import type { Migration } from '../migrate.ts';

export const catalogTables: Migration = { version: 3, name: 'catalog', sql: catalogTablesV1.join(';\n') };
