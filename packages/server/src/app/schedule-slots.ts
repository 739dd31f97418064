/**
 * The slots of a schedule: the moments at which it creates turns.
 *
 * Owns: how a cron expression is read, and which of the slots that have passed are run. Pure.
 *
 * SY1 An expression has five fields, so slots are whole minutes, at least one apart.
 * SY2 Clocks that change: a slot at a fixed time that does not exist comes when the hour that is left out is over; one that
 *     exists twice comes once, the first time. What comes every so often goes on by the time that passes.
 * SY3 Of the slots that have passed only the latest is run, and none where it is late and the schedule skips; what is not run
 *     is told as left out.
 */
import { Cron } from 'croner';
import type { ScheduleRow } from '../ports/schedules.ts';

export type Timing = Pick<ScheduleRow, 'cron' | 'timezone' | 'at'>;

/** A slot later than this was missed: nobody was there to submit it. */
const missedAfterMs = 60_000;
const secondMs = 1_000;

const cronOf = (expression: string, timezone: string): Cron => new Cron(expression, { mode: '5-part', timezone });

/** What is wrong with a cron expression, or undefined. */
export const cronFault = (expression: string, timezone: string, now: number): string | undefined => {
  if (!/^\S+( +\S+){4}$/.test(expression)) return 'five fields are wanted: minute, hour, day of the month, month, day of the week';
  try {
    return cronOf(expression, timezone).nextRun(new Date(now)) === null ? 'it never comes' : undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'it cannot be read';
  }
};

export const timezoneFault = (timezone: string): string | undefined => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
    // Offsets are taken by the platform, too; they know no summer time.
    return /^[+-]/.test(timezone) ? 'a name of IANA is wanted, e.g. Europe/Berlin' : undefined;
  } catch {
    return 'there is no such time zone; a name of IANA is wanted, e.g. Europe/Berlin';
  }
};

/** The first slot after `time`, or null. */
export const slotAfter = ({ cron, timezone, at }: Timing, time: number): number | null => {
  if (cron === null) return at !== null && at > time ? at : null;
  return cronOf(cron, timezone).nextRun(new Date(time))?.getTime() ?? null;
};

/** The last slot before `time`, or null. */
const slotBefore = ({ cron, timezone, at }: Timing, time: number): number | null => {
  if (cron === null) return at !== null && at < time ? at : null;
  return cronOf(cron, timezone).previousRuns(1, new Date(time))[0]?.getTime() ?? null;
};

export type OwedSlots = {
  /** To be submitted now. */
  readonly run: number | undefined;
  /** Not to be submitted any more: the first and the last of them. */
  readonly missed: { readonly from: number; readonly until: number } | undefined;
  /** What is owed then. */
  readonly next: number | null;
};

/** What a schedule that owes `slot` is to do at `now` (SY3). */
export const owedSlots = (row: Timing & Pick<ScheduleRow, 'onMissed'>, slot: number, now: number): OwedSlots => {
  const latest = Math.max(slot, slotBefore(row, Math.floor(now / secondMs) * secondMs + secondMs) ?? slot);
  const next = slotAfter(row, Math.max(latest, now));
  if (row.onMissed === 'skip' && now - latest > missedAfterMs) return { run: undefined, missed: { from: slot, until: latest }, next };
  if (latest === slot) return { run: slot, missed: undefined, next };
  return { run: latest, missed: { from: slot, until: slotBefore(row, latest) ?? slot }, next };
};
