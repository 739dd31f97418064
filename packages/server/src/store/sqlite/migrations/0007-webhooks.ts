/** Subscriptions of webhooks, their lanes and deliveries. */
import { webhookTables } from '../../catalog/webhook-tables.ts';

export const name = '0007-webhooks';

export const statements: readonly string[] = webhookTables;
