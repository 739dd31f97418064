/** What was sent for each delivery. */
import { sendingsColumn } from '../../catalog/webhook-sendings.ts';

export const name = '0014-webhook-sendings';

export const statements: readonly string[] = [sendingsColumn];
