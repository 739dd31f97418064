/** What was sent for each delivery. */
import { sendingsColumn } from '../../catalog/webhook-sendings.ts';
import type { Migration } from '../migrate.ts';

export const webhookSendings: Migration = { version: 18, name: 'webhook-sendings', sql: sendingsColumn };
