/** Sign-in links: they work on whichever node they are opened. */
import { catalogTablesV3 } from '../../catalog/schema.ts';

export const name = '0004-sign-in-links';

export const statements: readonly string[] = catalogTablesV3;
