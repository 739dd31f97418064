/** Files of sessions: what they are, and which bytes are theirs. */
import { fileTablesV1 } from '../../catalog/file-tables.ts';

export const name = '0006-files';

export const statements: readonly string[] = fileTablesV1;
