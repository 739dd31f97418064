/** What was used over a time, on the wire. */
import { z } from 'zod';
import { usageGroupings } from '../../view/usage-report.ts';
import { usageSums } from './sessions.ts';

const moment = z.coerce.number({ error: 'Unix milliseconds, a whole number' }).int().min(0);

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
};

export const usageReportQuery = z
  .object({
    /** Unix milliseconds: turns that began at `from` or later, and before `to`. Without `to` until now, without `from` the 30 days before it. */
    from: moment.optional(),
    to: moment.optional(),
    group_by: z.enum(usageGroupings).default('day'),
    /** In which days begin, e.g. `Europe/Berlin`. */
    time_zone: z.string().max(100).refine(isTimeZone, { error: 'a time zone of the IANA database' }).default('UTC'),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, { error: 'from is before to', path: ['to'] });

const group = z.object({
  /** Of a day `2026-01-31`, of a model its name, of a session or a key its id, `agent:<id>`, `user:<id>`; empty where a key was not noted. */
  key: z.string(),
  /** Of a key what it is called, for whoever may see that; else empty. */
  name: z.string(),
  /** Of a key: whose it is, `user:<id>`, `app:<id>` or `minitool:<id>`. */
  submitted_by: z.string().optional(),
  turns: z.int(),
  usage: usageSums,
});

export const usageReport = z.object({
  from: z.int(),
  to: z.int(),
  group_by: z.enum(usageGroupings),
  /** Days in their order; others by cost, then by tokens. */
  groups: z.array(group),
  left_out: z.int(),
  total: usageSums,
  turns: z.int(),
  costliest: z.array(z.object({ session_id: z.string(), session_title: z.string(), turn_id: z.string(), preview: z.string(), at: z.int(), usage: usageSums })),
  /** False: there is more than was looked through; a shorter time gives all of it. */
  complete: z.boolean(),
});

export type UsageReportQuery = z.infer<typeof usageReportQuery>;
export type UsageReportAnswer = z.infer<typeof usageReport>;
