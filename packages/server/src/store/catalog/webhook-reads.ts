/** Webhooks as they are read: one, those of a session, a turn, an application or some owners, and what was delivered. */
import type { WebhookScope, WebhookStore } from '../../ports/webhooks.ts';
import type { SqlValue } from './catalog-database.ts';
import { text } from './columns.ts';
import { type Ask, places } from './statements.ts';
import { deliveryColumns, deliveryOf, webhookOf } from './webhook-rows.ts';
import { sendingsIn } from './webhook-sendings.ts';

type Names = 'byKey' | 'webhook' | 'list' | 'listOf' | 'deliveries' | 'delivery' | 'sendings';

/** Where they are, as a condition and what it is given. */
export const scoped = (scope: WebhookScope): readonly [string, readonly SqlValue[]] => {
  switch (scope.kind) {
    case 'session':
      return ['subject_sid > 0 AND subject_sid = ?', [scope.sid]];
    case 'turn':
      return ['subject_sid > 0 AND subject_sid = ? AND turn = ?', [scope.sid, scope.turn]];
    case 'application':
      return ['application_id = ?', [scope.applicationId]];
  }
};

export const createWebhookReads = ({ all, one }: Ask): Pick<WebhookStore, Names> => ({
  byKey: async (scope, key) => {
    const row = await one('SELECT * FROM webhooks WHERE key_scope = ? AND key_text = ?', scope, key);
    return row && { row: webhookOf(row), hash: text(row, 'key_hash') };
  },
  webhook: async (id) => {
    const row = await one('SELECT * FROM webhooks WHERE id = ? AND deleted_at IS NULL', id);
    return row && webhookOf(row);
  },
  list: async (scope, { offset, limit }) => {
    const [where, params] = scoped(scope);
    const rows = await all(`SELECT * FROM webhooks WHERE ${where} AND deleted_at IS NULL ORDER BY created_at, id LIMIT ? OFFSET ?`, ...params, limit, offset);
    return rows.map(webhookOf);
  },
  listOf: async (owners, { offset, limit }) => {
    if (owners?.length === 0) return [];
    const mine = owners === undefined ? '' : `AND owner IN (${places(owners.length)})`;
    const rows = await all(
      `SELECT * FROM webhooks WHERE deleted_at IS NULL ${mine} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
      ...(owners ?? []),
      limit,
      offset,
    );
    return rows.map(webhookOf);
  },
  delivery: async (webhookId, id) => {
    const row = await one(`SELECT ${deliveryColumns} FROM webhook_deliveries WHERE webhook_id = ? AND id = ?`, webhookId, id);
    return row && deliveryOf(row);
  },
  sendings: async (webhookId, id) => {
    const row = await one('SELECT sendings FROM webhook_deliveries WHERE webhook_id = ? AND id = ?', webhookId, id);
    return row ? sendingsIn(text(row, 'sendings')) : [];
  },
  deliveries: async (webhookId, { offset, limit }) =>
    (
      await all(
        `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE webhook_id = ? ORDER BY last_at DESC, id DESC LIMIT ? OFFSET ?`,
        webhookId,
        limit,
        offset,
      )
    ).map(deliveryOf),
});
