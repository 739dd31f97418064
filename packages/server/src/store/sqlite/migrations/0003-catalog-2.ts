/** Users with status and password; spaces, applications, credentials, secrets, lists of tools. */
import { catalogTablesV2, firstSpaces } from '../../catalog/schema.ts';

export const name = '0003-catalog-2';

export const statements: readonly string[] = [...catalogTablesV2, ...firstSpaces(`unixepoch() * 1000`)];
