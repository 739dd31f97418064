/** What webhooks are owed: looked up by sessions that moved, by waits and leases that are over, and by a walk over all lanes. */
import type { OwedPlace, WebhookStore } from '../../ports/webhooks.ts';
import type { SqlRow } from './catalog-database.ts';
import { number, text } from './columns.ts';
import { type Ask, places } from './statements.ts';
import { callOf, isThere, webhookOf } from './webhook-rows.ts';

type Names = 'interest' | 'lanesOf' | 'due' | 'orphans' | 'owed';

const live = `w.status = 'active' AND w.deleted_at IS NULL`;
/** An application's, or one whose session is there: nothing is owed of a session that is gone (WH5). */
const ofThere = `(w.subject_sid = 0 OR EXISTS (SELECT 1 FROM sessions s WHERE s.sid = w.subject_sid AND ${isThere('s')}))`;

export const createWebhookLookups = (ask: Ask): Pick<WebhookStore, Names> => {
  const { all, one } = ask;
  return {
    interest: async () => {
      const row = await one(
        `SELECT count(*) AS found, sum(CASE WHEN w.event_types = '[]' OR w.event_types LIKE '%.delta%' THEN 1 ELSE 0 END) AS deltas FROM webhooks w
          WHERE ${live} AND ${ofThere}`,
      );
      return { any: Number(row?.['found'] ?? 0) > 0, deltas: Number(row?.['deltas'] ?? 0) > 0 };
    },
    lanesOf: async (sids) => {
      if (sids.length === 0) return [];
      const listed = places(sids.length);
      const rows = await all(
        `SELECT w.id AS webhook_id, w.subject_sid AS sid, w.owner AS owner, w.url AS url FROM webhooks w WHERE w.subject_sid > 0 AND w.subject_sid IN (${listed}) AND ${live}
          UNION ALL SELECT w.id, s.sid, w.owner, w.url FROM sessions s JOIN webhooks w ON w.application_id = substr(s.owner, 5)
            WHERE s.sid IN (${listed}) AND s.owner LIKE 'app:%' AND ${live}`,
        ...sids,
        ...sids,
      );
      return rows.map(callOf);
    },
    due: async (now, limit) =>
      (await all(`SELECT w.* FROM webhooks w WHERE w.next_at IS NOT NULL AND w.next_at <= ? AND ${live} ORDER BY w.next_at LIMIT ?`, now, limit)).map(
        webhookOf,
      ),
    orphans: async (now, limit) =>
      (
        await all(
          `SELECT l.webhook_id, l.sid, w.owner, w.url FROM webhook_lanes l JOIN webhooks w ON w.id = l.webhook_id
            WHERE l.lease_until > 0 AND l.lease_until <= ? AND ${live} ORDER BY l.lease_until LIMIT ?`,
          now,
          limit,
        )
      ).map(callOf),
    owed: (after, limit) => (after?.sid == null ? owedSubscriptions(ask, after?.webhookId ?? '', limit) : owedSessions(ask, after.webhookId, after.sid, limit)),
  };
};

type OwedPage = { readonly lanes: readonly ReturnType<typeof callOf>[]; readonly next: OwedPlace | undefined };

/** Deltas alone are no reason to look: they do not move `state_seq`, and an event that does follows them. */
const isOwed = (row: SqlRow): boolean => number(row, 'state_seq') > number(row, 'lane_seq');

/** Subscriptions behind `after`, up to the first one of an application: its sessions are a walk of their own. */
const owedSubscriptions = async ({ all }: Ask, after: string, limit: number): Promise<OwedPage> => {
  const rows = await all(
    `SELECT w.id AS webhook_id, w.kind, w.owner, w.url, coalesce(l.sid, 0) AS sid, coalesce(l.seq, 0) AS lane_seq, coalesce(h.state_seq, 0) AS state_seq
      FROM webhooks w LEFT JOIN webhook_lanes l ON l.webhook_id = w.id AND l.sid = w.subject_sid LEFT JOIN heads h ON h.sid = l.sid
      WHERE w.id > ? AND ${live} AND ${ofThere} ORDER BY w.id LIMIT ?`,
    after,
    limit,
  );
  const application = rows.findIndex((row) => text(row, 'kind') === 'application');
  const before = application < 0 ? rows : rows.slice(0, application);
  const at = rows[application];
  const last = rows.at(-1);
  const next = at
    ? { webhookId: text(at, 'webhook_id'), sid: 0 }
    : last && rows.length >= limit
      ? { webhookId: text(last, 'webhook_id'), sid: null }
      : undefined;
  return { lanes: before.filter(isOwed).map(callOf), next };
};

const owedSessions = async ({ all }: Ask, webhookId: string, after: number, limit: number): Promise<OwedPage> => {
  const rows = await all(
    `SELECT w.id AS webhook_id, w.owner, w.url, s.sid, coalesce(l.seq, 0) AS lane_seq, h.state_seq
      FROM webhooks w JOIN sessions s ON s.owner = w.owner JOIN heads h ON h.sid = s.sid LEFT JOIN webhook_lanes l ON l.webhook_id = w.id AND l.sid = s.sid
      WHERE w.id = ? AND ${live} AND s.sid > ? AND ${isThere('s')} ORDER BY s.sid LIMIT ?`,
    webhookId,
    after,
    limit,
  );
  const last = rows.at(-1);
  return { lanes: rows.filter(isOwed).map(callOf), next: { webhookId, sid: last && rows.length >= limit ? number(last, 'sid') : null } };
};
