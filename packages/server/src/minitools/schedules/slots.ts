/**
 * The slots of a mini-tool's schedule, and which of them are owed. Pure.
 *
 * ST1 `everySeconds` counts from the beginning of 1970, so that a slot is the same moment on every node and after every restart.
 * ST2 Of the slots that have passed only the latest is fired, and none where it is late and the schedule skips; one that was begun is
 *     not left out for being late, as long as none has come after it.
 */
import { plainCron } from '@turnkeeper/minitool/manifest/schedule-fault';
import type { ScheduleContribution } from '@turnkeeper/minitool/manifest/schema';
import { cronFault, owedSlots, slotAfter, type Timing, timezoneFault } from '../../app/schedule-slots.ts';

export type Schedule = Pick<ScheduleContribution, 'id' | 'cron' | 'everySeconds' | 'timezone' | 'missed'>;

/** A slot later than this was missed: as for schedules of sessions. */
const missedAfterMs = 60_000;

const timingOf = ({ cron, timezone }: Schedule): Timing => ({ cron: cron === undefined ? null : plainCron(cron), timezone: timezone ?? 'UTC', at: null });
const stepMs = ({ everySeconds }: Schedule): number | undefined => (everySeconds === undefined ? undefined : everySeconds * 1_000);

/** Why it can have no slots; undefined where it can. */
export const scheduleFault = (schedule: Schedule, now: number): string | undefined => {
  const { cron, timezone } = timingOf(schedule);
  return timezoneFault(timezone) ?? (cron === null ? undefined : cronFault(cron, timezone, now));
};

/** The first slot after `time`; null where none comes. */
export const nextSlot = (schedule: Schedule, time: number): number | null => {
  const step = stepMs(schedule);
  return step === undefined ? slotAfter(timingOf(schedule), time) : (Math.floor(time / step) + 1) * step;
};

/** `run` now; `left` is the first and the last slot that are left out; look again at `next`. */
export type Owed = {
  readonly run: number | undefined;
  readonly left: { readonly from: number; readonly until: number } | undefined;
  readonly next: number | null;
};

const owedOfStep = (step: number, missed: Schedule['missed'], slot: number, now: number): Owed => {
  const latest = Math.max(slot, Math.floor(now / step) * step);
  const next = latest + step;
  if (missed === 'skip' && now - latest > missedAfterMs) return { run: undefined, left: { from: slot, until: latest }, next };
  return { run: latest, left: latest === slot ? undefined : { from: slot, until: latest - step }, next };
};

/** What is owed at `now` by a schedule that has done all slots up to `done`. `begun`: a slot that somebody was told of, and has not done. */
export const owedAt = (schedule: Schedule, done: number, begun: number | undefined, now: number): Owed => {
  const slot = begun !== undefined && begun > done ? begun : nextSlot(schedule, done);
  if (slot === null || slot > now) return { run: undefined, left: undefined, next: slot };
  const step = stepMs(schedule);
  const { run, left, next } =
    step === undefined
      ? fromCron(owedSlots({ ...timingOf(schedule), onMissed: schedule.missed === 'once' ? 'run_once' : 'skip' }, slot, now))
      : owedOfStep(step, schedule.missed, slot, now);
  const isBegun = slot === begun && run === undefined && left?.until === slot;
  return isBegun ? { run: slot, left: undefined, next } : { run, left, next };
};

const fromCron = ({ run, missed, next }: ReturnType<typeof owedSlots>): Owed => ({ run, left: missed, next });
