/** Event pages and snapshots on the wire. */
import { z } from 'zod';
import { envelopeSchema } from '../envelope.ts';
import { limits } from './limits.ts';
import { sessionResource, usageResource } from './sessions.ts';

/** An empty `after=` counts as none, as existing clients send it. */
export const cursorQuery = z
  .string()
  .transform((value) => (value === '' ? undefined : value))
  .optional();
export const eventsQuery = z.object({ after: cursorQuery, limit: z.coerce.number().int().min(1).max(limits.eventsPage).default(100) });
export const streamQuery = z.object({ after: cursorQuery });
export const snapshotQuery = z.object({ limit: z.coerce.number().int().min(1).max(1_000).default(200) });
export const waitQuery = z.object({ wait: z.coerce.number().min(0).max(limits.waitSeconds).optional() });

export const eventPage = z.object({ data: z.array(envelopeSchema), next_cursor: z.string(), has_more: z.boolean() });

const list = z.array(envelopeSchema);
export const sessionSnapshot = z.object({
  session: sessionResource,
  as_of: z.string(),
  items: list,
  turns: list,
  runs: list,
  tools: list,
  required_actions: list,
  action_commands: list,
  inputs: list,
  artifacts: list,
  subagents: list,
  usage: usageResource,
  /** By list: older ones exist. */
  has_more: z.record(z.string(), z.boolean()),
  /** By list that has more: the page cursor (of `resources/{list}`) that goes on with the older ones. */
  page_cursors: z.record(z.string(), z.string()),
});
export const resourcesQuery = z.object({ after: cursorQuery, limit: z.coerce.number().int().min(1).max(limits.eventsPage).default(limits.pageSize) });
/** A page of one kind of resource, in the order of first appearance. `next_cursor` is a page cursor, good for 15 minutes. */
export const resourcesPage = z.object({ data: list, next_cursor: z.string().nullable(), has_more: z.boolean(), as_of: z.string() });
export const usageQuery = z.object({ include_children: z.enum(['true', 'false', '1', '0']).default('false') });
export const usageAnswer = z.object({ data: usageResource, as_of: z.string(), session_watermarks: z.record(z.string(), z.string()).optional() });

const byId = z.record(z.string(), z.record(z.string(), z.json()));
export const turnSnapshot = z.object({
  as_of: z.string(),
  turn: z.record(z.string(), z.json()).nullable(),
  items: byId,
  tools: byId,
  required_actions: byId,
  steps: byId,
  artifacts: byId,
  usage: usageResource,
});
