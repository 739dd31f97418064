/**
 * Key texts of webhooks and files collate as "C", as those of the first tables do: what is joined with a session is found by an
 * index, and no locale changes an order.
 */
import type { Migration } from '../migrate.ts';

const columnsOf: Readonly<Record<string, readonly string[]>> = {
  webhooks: ['id', 'owner', 'session_id', 'turn_id', 'application_id', 'key_scope', 'key_text'],
  webhook_lanes: ['webhook_id'],
  webhook_deliveries: ['webhook_id', 'id'],
  files: ['id', 'session_id', 'blob', 'path', 'key_scope', 'key'],
  loose_blobs: ['blob'],
};

export const keyTextColumns: Migration = {
  version: 14,
  name: 'key-texts',
  sql: Object.entries(columnsOf)
    .map(([table, columns]) => `alter table ${table} ${columns.map((column) => `alter column ${column} type text collate "C"`).join(', ')}`)
    .join(';\n'),
};
