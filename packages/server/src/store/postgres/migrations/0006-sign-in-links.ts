/** Sign-in links: they work on whichever node they are opened. */
import { catalogTablesV3 } from '../../catalog/schema.ts';
import type { Migration } from '../migrate.ts';

export const signInLinks: Migration = { version: 6, name: 'sign-in-links', sql: catalogTablesV3.join(';\n') };
