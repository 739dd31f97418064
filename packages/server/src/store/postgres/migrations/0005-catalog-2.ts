/** Users with status and password; spaces, applications, credentials, secrets, lists of tools. */
import { catalogTablesV2, firstSpaces } from '../../catalog/schema.ts';
import type { Migration } from '../migrate.ts';

const nowMs = `(extract(epoch from now()) * 1000)::bigint`;

export const catalogTables2: Migration = {
  version: 5,
  name: 'catalog-2',
  sql: [...catalogTablesV2, ...firstSpaces(nowMs)].join(';\n'),
};
