/**
 * Schedules on the wire: turns that are created by time.
 *
 * Requests are camelCase, as submissions are; what is answered is snake_case, as webhooks and events are. Requests are strict:
 * a misspelt `timezone` would be noticed at the wrong hour.
 */
import { z } from 'zod';
import { limits } from './limits.ts';
import { turnMessages } from './sessions.ts';

const metadata = z
  .record(z.string(), z.json())
  .refine((value) => JSON.stringify(value).length <= limits.metadataBytes, { error: `at most ${limits.metadataBytes} bytes of JSON` });
const cron = z.string().min(1).max(200).describe('Five fields: minute, hour, day of the month, month, day of the week.');
const timezone = z.string().min(1).max(100).describe('A time zone of IANA, e.g. Europe/Berlin.');
const at = z.iso.datetime({ offset: true }).describe('An instant, RFC 3339.');
const onMissed = z.enum(['skip', 'run_once']);

const said = { message: turnMessages.message.optional(), input: turnMessages.input.optional(), metadata: metadata.optional() };
const onlyOne = (a: unknown, b: unknown): boolean => a === undefined || b === undefined;

export const createScheduleRequest = z
  .strictObject({
    cron: cron.optional(),
    /** UTC where it is missing. It goes with `cron`. */
    timezone: timezone.optional(),
    at: at.optional(),
    ...said,
    /** What becomes of slots that passed while nobody could submit them. */
    onMissed: onMissed.default('run_once'),
    enabled: z.boolean().default(true),
  })
  .refine((body) => (body.cron === undefined) !== (body.at === undefined), { error: 'give exactly one of cron and at', path: ['cron'] })
  .refine((body) => (body.message === undefined) !== (body.input === undefined), { error: 'give exactly one of message and input', path: ['message'] });

/** What is missing stays. `cron` ends an `at`, and the other way round; so do `message` and `input`. */
export const patchScheduleRequest = z
  .strictObject({
    version: z.int().min(1).max(limits.version),
    cron: cron.optional(),
    timezone: timezone.optional(),
    at: at.optional(),
    ...said,
    onMissed: onMissed.optional(),
    enabled: z.boolean().optional(),
  })
  .refine((body) => onlyOne(body.cron, body.at), { error: 'give one of cron and at', path: ['cron'] })
  .refine((body) => onlyOne(body.message, body.input), { error: 'give one of message and input', path: ['message'] });

export const scheduleResource = z.object({
  id: z.string(),
  session_id: z.string(),
  cron: z.string().nullable(),
  timezone: z.string(),
  /** Unix ms. */
  at: z.int().nullable(),
  message: z.string().nullable(),
  input: z.json().nullable(),
  metadata: z.record(z.string(), z.json()),
  on_missed: onMissed,
  enabled: z.boolean(),
  /** The next slot; null = there is none: it is off, or over. */
  next_at: z.int().nullable(),
  version: z.int(),
  created_at: z.int(),
  updated_at: z.int(),
  /** On whose behalf turns are submitted. */
  created_by: z.object({ type: z.enum(['user', 'application']), id: z.string() }),
});

/** What became of a slot. */
export const scheduleRunResource = z.object({
  id: z.string(),
  schedule_id: z.string(),
  /** When the turn was to be created (Unix ms). */
  slot: z.int(),
  /** Of slots that were left out together: the last of them. */
  slot_until: z.int().nullable(),
  /** `call`: somebody asked for it by `run`. */
  asked_by: z.enum(['schedule', 'call']),
  /** `duplicate`: it had been submitted already, by a process that ended before it could note it. */
  outcome: z.enum(['submitted', 'duplicate', 'rejected', 'skipped']),
  /** Why it was rejected: a code of an error, e.g. `queue_full`. */
  code: z.string().nullable(),
  turn_id: z.string().nullable(),
  at: z.int(),
});

/** What a client sends: what has a default may be missing. */
export type NewSchedule = z.input<typeof createScheduleRequest>;
export type CreateScheduleRequest = z.infer<typeof createScheduleRequest>;
export type PatchScheduleRequest = z.infer<typeof patchScheduleRequest>;
export type ScheduleResource = z.infer<typeof scheduleResource>;
export type ScheduleRunResource = z.infer<typeof scheduleRunResource>;
