/** What goes on now, over all the sessions that somebody may read: for a first page, and for numbers that stand beside every page. */
import { z } from 'zod';
import { sessionsQuery } from './session-list.ts';
import { usageSums } from './sessions.ts';

export const overviewQuery = z.object({
  /** As in a list of sessions. */
  owner: sessionsQuery.shape.owner,
  /** When the reader's day began (Unix milliseconds), at most two days ago; the beginning of the day in UTC unless given. */
  day_from: z.coerce.number().int().min(0).optional(),
});

const turnOfOverview = {
  session_id: z.string(),
  session_title: z.string(),
  owner: z.object({ type: z.enum(['user', 'application', 'minitool']), id: z.string() }),
  turn_id: z.string(),
  preview: z.string(),
};
/** `target_type`: what its session is of. */
const runningTurn = z.object({ ...turnOfOverview, target_type: z.enum(['agent', 'team', 'workflow']), started_at: z.int() });
const failedTurn = z.object({
  ...turnOfOverview,
  status: z.enum(['failed', 'timed_out']),
  ended_at: z.int(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
});

export const overviewAnswer = z.object({
  /** Sessions that run, and sessions that wait for an answer. */
  running: z.int(),
  waiting: z.int(),
  /** Turns that failed or timed out in the last 24 hours. */
  failed: z.int(),
  /** False: there was more than is looked through, and each number is "at least". */
  complete: z.boolean(),
  /** What turns used, with all that they delegated, that ended since `day_from` or have yet to end. */
  usage_today: usageSums,
  /** Those that run longest first. */
  running_turns: z.array(runningTurn),
  /** The newest first. */
  failed_turns: z.array(failedTurn),
});

export type OverviewAnswer = z.infer<typeof overviewAnswer>;
export type RunningTurn = z.infer<typeof runningTurn>;
export type FailedTurn = z.infer<typeof failedTurn>;
