/** Schedules and their history (SD1 to SD3), for both stores. */
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { ScheduleInput, ScheduleRow, ScheduleRunRow, ScheduleStore } from '../../ports/schedules.ts';
import { auditInsert } from './audit.ts';
import type { CatalogDatabase, SqlRow, SqlStatement, SqlValue } from './catalog-database.ts';
import { json, number, numberOrNull, text, textOrNull } from './columns.ts';
import { sqlBuilder } from './sql-builder.ts';
import { createAsk, places } from './statements.ts';
import { writeWithin } from './write-within.ts';

const scheduleOf = (row: SqlRow): ScheduleRow => ({
  id: text(row, 'id'),
  sid: number(row, 'sid'),
  sessionId: text(row, 'session_id') as SessionId,
  input: json<ScheduleInput>(row, 'input'),
  cron: textOrNull(row, 'cron'),
  timezone: text(row, 'timezone'),
  at: numberOrNull(row, 'once_at'),
  onMissed: text(row, 'on_missed') as ScheduleRow['onMissed'],
  enabled: number(row, 'enabled') === 1,
  nextAt: numberOrNull(row, 'next_at'),
  version: number(row, 'version'),
  createdAt: number(row, 'created_at'),
  updatedAt: number(row, 'updated_at'),
  createdBy: text(row, 'created_by'),
});

/** In the order of `scheduleColumns`. */
const scheduleValues = (row: ScheduleRow): readonly SqlValue[] => [
  row.id,
  row.sid,
  row.sessionId,
  JSON.stringify(row.input),
  row.cron,
  row.timezone,
  row.at,
  row.onMissed,
  row.enabled ? 1 : 0,
  row.nextAt,
  row.version,
  row.createdAt,
  row.updatedAt,
  row.createdBy,
];
const scheduleColumns = 'id, sid, session_id, input, cron, timezone, once_at, on_missed, enabled, next_at, version, created_at, updated_at, created_by';

const runOf = (row: SqlRow): ScheduleRunRow => ({
  id: text(row, 'id'),
  scheduleId: text(row, 'schedule_id'),
  sid: number(row, 'sid'),
  slot: number(row, 'slot'),
  slotUntil: numberOrNull(row, 'slot_until'),
  askedBy: text(row, 'asked_by') as ScheduleRunRow['askedBy'],
  outcome: text(row, 'outcome') as ScheduleRunRow['outcome'],
  code: textOrNull(row, 'code'),
  turnId: textOrNull(row, 'turn_id'),
  at: number(row, 'at'),
});

const wrote = (rows: readonly (readonly SqlRow[])[]): boolean => (rows[0]?.length ?? 0) > 0;

/** A run's row, written only while the schedule is there: its history went with it. */
const notedRun = (run: ScheduleRunRow): readonly [sql: string, ...params: SqlValue[]] => [
  `INSERT INTO schedule_runs (id, schedule_id, sid, slot, slot_until, asked_by, outcome, code, turn_id, at)
    SELECT ?, s.id, s.sid, cast(? AS bigint), cast(? AS bigint), ?, ?, ?, ?, cast(? AS bigint) FROM schedules s WHERE s.id = ? AND s.deleted_at IS NULL
    ON CONFLICT (id) DO NOTHING`,
  run.id,
  run.slot,
  run.slotUntil,
  run.askedBy,
  run.outcome,
  run.code,
  run.turnId,
  run.at,
  run.scheduleId,
];

/** Over a database that has the tables of `schedule-tables.ts`. */
export const createScheduleStore = (database: CatalogDatabase): ScheduleStore => {
  const { all, one, statement, write } = createAsk(database);
  const needing = (part: SqlStatement): SqlStatement => ({ ...part, needs: 0 });
  /** Left out where the write that it tells of wrote nothing (G5). */
  const audited = (entry: Parameters<typeof auditInsert>[1]): SqlStatement => {
    const { sql, parameters } = auditInsert(sqlBuilder(database.dialect), entry).compile();
    return { sql, params: parameters as readonly SqlValue[], needs: 0 };
  };
  const noted = (run: ScheduleRunRow): SqlStatement => statement(...notedRun(run));
  return {
    create: async (row, key, forgetBefore, audit, most) => {
      const insert = statement(
        `INSERT INTO schedules (${scheduleColumns}, lease_until, key_scope, key_text, key_hash) VALUES (${places(18)})
          ON CONFLICT (key_scope, key_text) DO NOTHING RETURNING id`,
        ...scheduleValues(row),
        0,
        key.scope,
        key.key,
        key.hash,
      );
      const counted = statement('SELECT count(*) AS n FROM schedules WHERE sid = ? AND deleted_at IS NULL', row.sid);
      const [added] = await writeWithin(database, { held: { table: 'sessions', id: row.sessionId }, counted, most }, [
        insert,
        audited(audit),
        needing(statement('DELETE FROM schedules WHERE sid = ? AND deleted_at < ?', row.sid, forgetBefore)),
      ]);
      return (added?.length ?? 0) > 0;
    },
    byKey: async (scope, key) => {
      const row = await one('SELECT * FROM schedules WHERE key_scope = ? AND key_text = ?', scope, key);
      return row && { row: scheduleOf(row), hash: text(row, 'key_hash') };
    },
    schedule: async (id) => {
      const row = await one('SELECT * FROM schedules WHERE id = ? AND deleted_at IS NULL', id);
      return row && scheduleOf(row);
    },
    list: async (sid, { offset, limit }) =>
      (await all('SELECT * FROM schedules WHERE sid = ? AND deleted_at IS NULL ORDER BY created_at, id LIMIT ? OFFSET ?', sid, limit, offset)).map(scheduleOf),
    update: async (row, from, audit) =>
      wrote(
        await write(
          statement(
            `UPDATE schedules SET input = ?, cron = ?, timezone = ?, once_at = ?, on_missed = ?, enabled = ?, next_at = ?, lease_until = 0, version = ?,
              updated_at = ? WHERE id = ? AND version = ? AND deleted_at IS NULL RETURNING id`,
            JSON.stringify(row.input),
            row.cron,
            row.timezone,
            row.at,
            row.onMissed,
            row.enabled ? 1 : 0,
            row.nextAt,
            row.version,
            row.updatedAt,
            row.id,
            from,
          ),
          audited(audit),
        ),
      ),
    remove: async (id, at, audit) =>
      wrote(
        await write(
          statement('UPDATE schedules SET deleted_at = ?, next_at = NULL WHERE id = ? AND deleted_at IS NULL RETURNING id', at, id),
          audited(audit),
          needing(statement('DELETE FROM schedule_runs WHERE schedule_id = ?', id)),
        ),
      ),
    runs: async (scheduleId, { offset, limit }) =>
      (await all('SELECT * FROM schedule_runs WHERE schedule_id = ? ORDER BY at DESC, id DESC LIMIT ? OFFSET ?', scheduleId, limit, offset)).map(runOf),
    addRun: async (run) => {
      await write(noted(run));
    },
    due: async (now, until, limit) =>
      (
        await all(
          `SELECT c.* FROM schedules c JOIN sessions s ON s.sid = c.sid
            WHERE c.next_at IS NOT NULL AND c.next_at <= ? AND c.lease_until <= ? AND s.deleted_at IS NULL ORDER BY c.next_at, c.id LIMIT ?`,
          until,
          now,
          limit,
        )
      ).map(scheduleOf),
    claim: async (id, slot, now, until) =>
      wrote(
        await write(statement('UPDATE schedules SET lease_until = ? WHERE id = ? AND next_at = ? AND lease_until <= ? RETURNING id', until, id, slot, now)),
      ),
    settle: async (id, slot, next, runs, keep) => {
      await write(
        ...runs.map(noted),
        statement('UPDATE schedules SET next_at = ?, lease_until = 0 WHERE id = ? AND next_at = ?', next, id, slot),
        statement(
          `DELETE FROM schedule_runs WHERE schedule_id = ? AND at <=
            (SELECT at FROM schedule_runs WHERE schedule_id = ? ORDER BY at DESC, id DESC LIMIT 1 OFFSET ?)`,
          id,
          id,
          keep,
        ),
      );
    },
    releaseAll: async () => {
      await write(statement('UPDATE schedules SET lease_until = 0 WHERE lease_until > 0'));
    },
  };
};
