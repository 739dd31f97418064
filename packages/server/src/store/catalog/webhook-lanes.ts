/**
 * Lanes of webhooks: who delivers, and how far. What is owed is looked up in webhook-lookups.ts.
 *
 * WH1 The fence is looked at by the statement that moves the lane; what goes with it is left out where that moved nothing.
 * WH3 A failure counts where the subscription still stands as the attempt found it.
 */
import type { Attempt, LaneRef, WebhookStore } from '../../ports/webhooks.ts';
import type { SqlRow, SqlStatement } from './catalog-database.ts';
import { number } from './columns.ts';
import type { Ask } from './statements.ts';
import { isThere, laneOf } from './webhook-rows.ts';
import { lineOf, mostSendingsText } from './webhook-sendings.ts';

type Names = 'lane' | 'claim' | 'advance' | 'failed' | 'release' | 'unblock' | 'releaseAll';

const wrote = (rows: readonly (readonly SqlRow[])[]): boolean => (rows[0]?.length ?? 0) > 0;

export const createWebhookLanes = (ask: Ask): Pick<WebhookStore, Names> => {
  const { one, statement, write } = ask;
  return {
    lane: async ({ webhookId, sid }) => {
      const row = await one(
        `SELECT w.*, s.sid AS lane_sid, s.id AS lane_session, coalesce(l.seq, 0) AS lane_seq, coalesce(l.lease_until, 0) AS lane_lease, h.seq AS head_seq, h.horizon
          FROM webhooks w JOIN sessions s ON s.sid = ? JOIN heads h ON h.sid = s.sid LEFT JOIN webhook_lanes l ON l.webhook_id = w.id AND l.sid = s.sid
          WHERE w.id = ? AND w.deleted_at IS NULL AND ${isThere('s')}`,
        sid,
        webhookId,
      );
      return row && laneOf(row);
    },
    claim: async ({ webhookId, sid }, { node, now, until }) => {
      const [, rows] = await write(
        // Of a session that an application made after the registration: from its first event on.
        statement(
          `INSERT INTO webhook_lanes (webhook_id, sid, seq, fence, lease_until) SELECT w.id, s.sid, 0, 0, 0 FROM webhooks w JOIN sessions s ON s.sid = ?
            WHERE w.id = ? AND w.kind = 'application' AND w.deleted_at IS NULL ON CONFLICT DO NOTHING`,
          sid,
          webhookId,
        ),
        statement(
          'UPDATE webhook_lanes SET fence = fence + 1, node = ?, lease_until = ? WHERE webhook_id = ? AND sid = ? AND lease_until <= ? RETURNING fence, seq',
          node,
          until,
          webhookId,
          sid,
          now,
        ),
      );
      const row = rows?.[0];
      return row && { fence: number(row, 'fence'), seq: number(row, 'seq') };
    },
    advance: async (ref, fence, until, attempt) =>
      wrote(
        await write(
          statement(
            'UPDATE webhook_lanes SET seq = ?, lease_until = ? WHERE webhook_id = ? AND sid = ? AND fence = ? RETURNING sid',
            attempt.seq,
            until,
            ref.webhookId,
            ref.sid,
            fence,
          ),
          { ...putAttempt(ask, attempt, 'delivered'), needs: 0 },
          {
            ...statement(
              'UPDATE webhooks SET failures = 0, failing_sid = NULL, next_at = NULL, note = NULL WHERE id = ? AND failing_sid = ?',
              ref.webhookId,
              ref.sid,
            ),
            needs: 0,
          },
        ),
      ),
    failed: async (ref, fence, { failures, nextAt, note, attempt }) =>
      wrote(
        await write(
          letGo(ask, ref, fence),
          { ...putAttempt(ask, attempt, 'failing'), needs: 0 },
          {
            ...statement(
              `UPDATE webhooks SET failures = failures + 1, failing_sid = ?, next_at = ?, note = ?, status = ?
                WHERE id = ? AND failures = ? AND status = 'active' AND (failing_sid IS NULL OR failing_sid = ?)`,
              ref.sid,
              nextAt,
              note,
              nextAt === null ? 'paused' : 'active',
              ref.webhookId,
              failures,
              ref.sid,
            ),
            needs: 0,
          },
        ),
      ),
    release: async (ref, fence, seq, note) =>
      wrote(
        await write(
          statement(
            `UPDATE webhook_lanes SET seq = CASE WHEN seq < ? THEN ? ELSE seq END, node = NULL, lease_until = 0
              WHERE webhook_id = ? AND sid = ? AND fence = ? RETURNING sid`,
            seq,
            seq,
            ref.webhookId,
            ref.sid,
            fence,
          ),
          ...(note === undefined ? [] : [{ ...statement('UPDATE webhooks SET note = ? WHERE id = ?', note, ref.webhookId), needs: 0 }]),
        ),
      ),
    unblock: async (webhookId, failingSid) => {
      await write(
        statement('UPDATE webhooks SET failures = 0, failing_sid = NULL, next_at = NULL, note = NULL WHERE id = ? AND failing_sid = ?', webhookId, failingSid),
      );
    },
    releaseAll: async () => {
      await write(statement('UPDATE webhook_lanes SET node = NULL, lease_until = 0 WHERE lease_until > 0'));
    },
  };
};

const letGo = ({ statement }: Ask, { webhookId, sid }: LaneRef, fence: number): SqlStatement =>
  statement('UPDATE webhook_lanes SET node = NULL, lease_until = 0 WHERE webhook_id = ? AND sid = ? AND fence = ? RETURNING sid', webhookId, sid, fence);

const putAttempt = ({ statement }: Ask, attempt: Attempt, status: 'delivered' | 'failing'): SqlStatement => {
  const { webhookId, sid, seq, id, sessionId, turnId, eventId, eventType, responseStatus, error, at, sending } = attempt;
  return statement(
    `INSERT INTO webhook_deliveries (webhook_id, sid, seq, id, session_id, turn_id, event_id, event_type, status, attempts, response_status, error, first_at, last_at, sendings)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)
      ON CONFLICT (webhook_id, sid, seq) DO UPDATE SET status = excluded.status, attempts = webhook_deliveries.attempts + 1,
        response_status = excluded.response_status, error = excluded.error, last_at = excluded.last_at,
        sendings = CASE WHEN length(webhook_deliveries.sendings) < ${mostSendingsText} THEN webhook_deliveries.sendings || excluded.sendings
          ELSE webhook_deliveries.sendings END`,
    webhookId,
    sid,
    seq,
    id,
    sessionId,
    turnId,
    eventId,
    eventType,
    status,
    responseStatus,
    error,
    at,
    at,
    lineOf(sending),
  );
};
