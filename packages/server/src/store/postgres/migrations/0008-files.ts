/** Files of sessions: what they are, and which bytes are theirs. */
import { fileTablesV1 } from '../../catalog/file-tables.ts';
import type { Migration } from '../migrate.ts';

export const files: Migration = { version: 8, name: 'files', sql: fileTablesV1.join(';\n') };
