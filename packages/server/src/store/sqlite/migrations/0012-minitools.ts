/** Mini-tools, with what they keep. */
import { minitoolTables } from '../../catalog/minitool-tables.ts';

export const name = '0012-minitools';

export const statements: readonly string[] = minitoolTables;
