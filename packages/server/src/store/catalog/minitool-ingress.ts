/**
 * What came in for mini-tools and waits to be delivered, and the slots of their schedules (MS5, MS6).
 *
 * What was delivered leaves its key for a week, which retention forgets: the same delivery again is known.
 */
import type { MinitoolStore, WaitingIngress } from '../../ports/minitools.ts';
import type { CatalogDatabase, SqlRow } from './catalog-database.ts';
import { json, number, text } from './columns.ts';
import type { Ask } from './statements.ts';

type Names = 'receive' | 'waiting' | 'ingressContent' | 'delivered' | 'postpone' | 'claimSlot' | 'lastSlot';

const waitingOf = (row: SqlRow): WaitingIngress => ({
  id: text(row, 'id'),
  minitoolId: text(row, 'minitool_id'),
  hook: text(row, 'hook'),
  key: text(row, 'key_text'),
  orderKey: text(row, 'order_key'),
  receivedAt: number(row, 'received_at'),
  attempts: number(row, 'attempts'),
  notBefore: number(row, 'not_before'),
});

/** Of a hook: how many wait, and how many bytes they hold. From an index alone. */
const countWaiting = `SELECT count(*) AS n, coalesce(sum(bytes), 0) AS held FROM minitool_ingress WHERE minitool_id = ? AND hook = ? AND waiting = 1`;
/** Of what waits for a hook: the first of each lane, the oldest first. Reads no body. */
const findWaiting = `SELECT i.id, i.minitool_id, i.hook, i.key_text, i.order_key, i.received_at, i.attempts, i.not_before FROM minitool_ingress i
  WHERE i.minitool_id = ? AND i.hook = ? AND i.waiting = 1 AND i.not_before <= ? AND NOT EXISTS (
    SELECT 1 FROM minitool_ingress o WHERE o.minitool_id = i.minitool_id AND o.hook = i.hook AND o.order_key = i.order_key AND o.waiting = 1
      AND (o.received_at < i.received_at OR (o.received_at = i.received_at AND o.id < i.id)))
  ORDER BY i.received_at, i.id LIMIT ?`;
/** Keys of what was delivered, of all mini-tools. */
export const forgetKeys = `DELETE FROM minitool_ingress WHERE waiting = 0 AND id IN (
  SELECT id FROM minitool_ingress WHERE waiting = 0 AND received_at < ? ORDER BY received_at LIMIT ?) RETURNING id`;

export const createMinitoolIngress = ({ all, one, statement, write }: Ask, dialect: CatalogDatabase['dialect']): Pick<MinitoolStore, Names> => ({
  receive: async (row, most) => {
    const { minitoolId, hook, key } = row;
    const headers = JSON.stringify(row.headers);
    const bytes = Buffer.byteLength(headers) + row.body.length;
    const lock = dialect === 'postgres' ? 'FOR NO KEY UPDATE' : '';
    const [, twin, , added] = await write(
      statement(`SELECT id FROM minitools WHERE id = ? ${lock}`, minitoolId),
      statement('SELECT id FROM minitool_ingress WHERE minitool_id = ? AND hook = ? AND key_text = ?', minitoolId, hook, key),
      statement(`SELECT n FROM (${countWaiting}) AS counted WHERE n < ${most.messages} AND held <= ${most.bytes - bytes}`, minitoolId, hook),
      {
        ...statement(
          `INSERT INTO minitool_ingress (id, minitool_id, hook, key_text, order_key, headers, body, received_at, attempts, not_before, waiting, bytes)
            SELECT ?, id, ?, ?, ?, ?, ?, cast(? AS bigint), cast(? AS bigint), cast(? AS bigint), 1, cast(? AS bigint) FROM minitools WHERE id = ? ON CONFLICT DO NOTHING RETURNING id`,
          row.id,
          hook,
          key,
          row.orderKey,
          headers,
          row.body,
          row.receivedAt,
          row.attempts,
          row.notBefore,
          bytes,
          minitoolId,
        ),
        needs: 2,
      },
    );
    if ((twin?.length ?? 0) > 0) return 'taken';
    return (added?.length ?? 0) > 0 ? 'received' : 'full';
  },
  waiting: async (minitoolId, hook, now, limit) => (await all(findWaiting, minitoolId, hook, now, limit)).map(waitingOf),
  ingressContent: async (id) => {
    const row = await one('SELECT headers, body FROM minitool_ingress WHERE id = ? AND waiting = 1', id);
    return row && { headers: json(row, 'headers'), body: text(row, 'body') };
  },
  delivered: async (id) => {
    await write(statement(`UPDATE minitool_ingress SET waiting = 0, headers = '{}', body = '', bytes = 0 WHERE id = ?`, id));
  },
  postpone: async (id, attempts, notBefore) => {
    await write(statement('UPDATE minitool_ingress SET attempts = ?, not_before = ? WHERE id = ? AND waiting = 1', attempts, notBefore, id));
  },
  claimSlot: async (minitoolId, schedule, slot) => {
    const [claimed] = await write(
      statement(
        `INSERT INTO minitool_slots (minitool_id, schedule, slot) SELECT id, ?, cast(? AS bigint) FROM minitools WHERE id = ?
          ON CONFLICT (minitool_id, schedule) DO UPDATE SET slot = excluded.slot WHERE minitool_slots.slot < excluded.slot RETURNING slot`,
        schedule,
        slot,
        minitoolId,
      ),
    );
    return (claimed?.length ?? 0) > 0;
  },
  lastSlot: async (minitoolId, schedule) => {
    const row = await one('SELECT slot FROM minitool_slots WHERE minitool_id = ? AND schedule = ?', minitoolId, schedule);
    return row && number(row, 'slot');
  },
});
