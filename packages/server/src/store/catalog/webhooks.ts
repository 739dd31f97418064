/** Webhooks: subscriptions and what was delivered (WH2, WH4). Their lanes are in webhook-lanes.ts. */
import type { WebhookScope, WebhookStore } from '../../ports/webhooks.ts';
import { auditInsert } from './audit.ts';
import { createAccess } from './catalog-access.ts';
import type { CatalogDatabase, SqlRow, SqlStatement, SqlValue } from './catalog-database.ts';
import { createAsk, places } from './statements.ts';
import { createWebhookLanes } from './webhook-lanes.ts';
import { createWebhookLookups } from './webhook-lookups.ts';
import { createWebhookReads, scoped } from './webhook-reads.ts';
import { webhookColumns, webhookValues } from './webhook-rows.ts';
import { lineOf, mostSendingsText } from './webhook-sendings.ts';
import { writeWithin } from './write-within.ts';

const wrote = (rows: readonly (readonly SqlRow[])[]): boolean => (rows[0]?.length ?? 0) > 0;

/** The webhooks of both stores, over a database that has the tables of `webhook-tables.ts`. */
export const createWebhookStore = (database: CatalogDatabase): WebhookStore => {
  const ask = createAsk(database);
  const { statement, write } = ask;
  const { db } = createAccess(database);
  /** Left out where the write that it tells of wrote nothing (G5). */
  const audited = (entry: Parameters<typeof auditInsert>[1]): SqlStatement => {
    const { sql, parameters } = auditInsert(db, entry).compile();
    return { sql, params: parameters as readonly SqlValue[], needs: 0 };
  };
  const values = places(webhookColumns.split(',').length + 3);
  return {
    ...createWebhookLanes(ask),
    ...createWebhookLookups(ask),
    ...createWebhookReads(ask),
    create: async (row, key, audit, most) => {
      const { subject } = row;
      const heads =
        subject.kind === 'application'
          ? 'JOIN sessions s ON s.owner = w.owner AND s.deleted_at IS NULL JOIN heads h ON h.sid = s.sid'
          : 'JOIN heads h ON h.sid = w.subject_sid';
      const counted: WebhookScope = subject.kind === 'turn' ? { kind: 'session', sid: subject.sid } : subject;
      const [where, params] = scoped(counted);
      const held = subject.kind === 'application' ? { table: 'applications', id: subject.applicationId } : { table: 'sessions', id: subject.sessionId };
      const many = statement(`SELECT count(*) AS n FROM webhooks WHERE ${where} AND deleted_at IS NULL`, ...params);
      return wrote(
        await writeWithin(database, { held, counted: many, most }, [
          statement(
            `INSERT INTO webhooks (${webhookColumns}, key_scope, key_text, key_hash) VALUES (${values}) ON CONFLICT (key_scope, key_text) DO NOTHING RETURNING id`,
            ...webhookValues(row),
            key.scope,
            key.key,
            key.hash,
          ),
          {
            ...statement(
              `INSERT INTO webhook_lanes (webhook_id, sid, seq, fence, lease_until) SELECT w.id, h.sid, h.seq, 0, 0 FROM webhooks w ${heads} WHERE w.id = ?`,
              row.id,
            ),
            needs: 0,
          },
          audited(audit),
        ]),
      );
    },
    resume: async (id, audit) =>
      wrote(
        await write(
          statement(
            `UPDATE webhooks SET status = 'active', failures = 0, failing_sid = NULL, next_at = NULL WHERE id = ? AND deleted_at IS NULL RETURNING id`,
            id,
          ),
          audited(audit),
        ),
      ),
    replaceSecrets: async (id, from, to, audit) =>
      wrote(
        await write(
          statement(
            'UPDATE webhooks SET secrets = ? WHERE id = ? AND secrets = ? AND deleted_at IS NULL RETURNING id',
            JSON.stringify(to),
            id,
            JSON.stringify(from),
          ),
          audited(audit),
        ),
      ),
    remove: async (id, at, audit) => {
      const lock = database.dialect === 'postgres' ? 'FOR UPDATE' : '';
      const [, removed] = await write(
        // Lanes before their subscription, as a delivery takes them.
        statement(`SELECT sid FROM webhook_lanes WHERE webhook_id = ? ORDER BY sid ${lock}`, id),
        statement(`UPDATE webhooks SET deleted_at = ?, secrets = '[]', next_at = NULL WHERE id = ? AND deleted_at IS NULL RETURNING id`, at, id),
        { ...audited(audit), needs: 1 },
        { ...statement('DELETE FROM webhook_lanes WHERE webhook_id = ?', id), needs: 1 },
        { ...statement('DELETE FROM webhook_deliveries WHERE webhook_id = ?', id), needs: 1 },
      );
      return (removed?.length ?? 0) > 0;
    },
    sentAgain: async (webhookId, id, sending) => {
      await write(
        statement(
          `UPDATE webhook_deliveries SET sendings = sendings || ? WHERE webhook_id = ? AND id = ? AND length(sendings) < ${mostSendingsText}`,
          lineOf(sending),
          webhookId,
          id,
        ),
      );
    },
    trim: async (webhookId, keep) => {
      await write(
        statement(
          `DELETE FROM webhook_deliveries WHERE webhook_id = ? AND last_at <=
            (SELECT last_at FROM webhook_deliveries WHERE webhook_id = ? ORDER BY last_at DESC, id DESC LIMIT 1 OFFSET ?)`,
          webhookId,
          webhookId,
          keep,
        ),
      );
    },
    forget: async (before) => {
      await write(
        statement('DELETE FROM webhook_lanes WHERE NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.id = webhook_lanes.webhook_id AND w.deleted_at IS NULL)'),
        statement('DELETE FROM webhooks WHERE deleted_at IS NOT NULL AND deleted_at < ?', before),
      );
    },
  };
};
