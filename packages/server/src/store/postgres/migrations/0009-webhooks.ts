/**
 * Subscriptions of webhooks, their lanes and deliveries. The index of sessions by owner is for the walk over the sessions of
 * an application: their numbers never change, so no write but a session's creation pays for it.
 */
import { webhookTables } from '../../catalog/webhook-tables.ts';
import type { Migration } from '../migrate.ts';

export const webhooks: Migration = {
  version: 9,
  name: 'webhooks',
  sql: [...webhookTables, 'CREATE INDEX sessions_of_owner ON sessions (owner, sid)'].join(';\n'),
};
