/** Schedules and their runs, as they are shown. */
import type { ScheduleResource, ScheduleRunResource } from '@turnkeeper/core/protocol/wire/schedules';
import type { ScheduleRow, ScheduleRunRow } from '../ports/schedules.ts';

const ownerShown = (owner: string): ScheduleResource['created_by'] => {
  const [type, id = ''] = owner.split(/:(.*)/s);
  return { type: type === 'app' ? 'application' : 'user', id };
};

export const scheduleResource = (row: ScheduleRow): ScheduleResource => ({
  id: row.id,
  session_id: row.sessionId,
  cron: row.cron,
  timezone: row.timezone,
  at: row.at,
  message: row.input.message ?? null,
  input: (row.input.input ?? null) as ScheduleResource['input'],
  metadata: (row.input.metadata ?? {}) as ScheduleResource['metadata'],
  on_missed: row.onMissed,
  enabled: row.enabled,
  next_at: row.nextAt,
  version: row.version,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
  created_by: ownerShown(row.createdBy),
});

export const scheduleRunResource = (run: ScheduleRunRow): ScheduleRunResource => ({
  id: run.id,
  schedule_id: run.scheduleId,
  slot: run.slot,
  slot_until: run.slotUntil,
  asked_by: run.askedBy,
  outcome: run.outcome,
  code: run.code,
  turn_id: run.turnId,
  at: run.at,
});
