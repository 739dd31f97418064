/** Event pages and snapshots on the wire. */
import { z } from 'zod';
import { schemaVersion } from '../envelope.ts';
import { limits } from './limits.ts';
import { sessionResource, usageResource } from './sessions.ts';

/** An empty `after=` counts as none, as existing clients send it. */
export const cursorQuery = z
  .string()
  .transform((value) => (value === '' ? undefined : value))
  .optional();
export const eventsQuery = z.object({ after: cursorQuery, limit: z.coerce.number().int().min(1).max(limits.eventsPage).default(100) });
const flag = z
  .enum(['true', 'false', '1', '0'])
  .default('false')
  .transform((value) => value === 'true' || value === '1');
/** `padded`: behind a proxy that holds back what is less than 4 KiB, comments of that length follow what is said, and are the heartbeats. */
export const streamQuery = z.object({ after: cursorQuery, padded: flag });
/** With `include_children` a cursor is one of the merged stream. */
export const sessionStreamQuery = streamQuery.extend({ include_children: flag });
export const snapshotQuery = z.object({ limit: z.coerce.number().int().min(1).max(1_000).default(200) });
export const waitQuery = z.object({ wait: z.coerce.number().min(0).max(limits.waitSeconds).optional() });

export const envelopeSchema = z.object({
  schema_version: z.literal(schemaVersion),
  id: z.string(),
  type: z.string(),
  session_id: z.string(),
  turn_id: z.string().optional(),
  created_at: z.int(),
  cursor: z.string(),
  data: z.record(z.string(), z.json()),
});

export const eventPage = z.object({ data: z.array(envelopeSchema), next_cursor: z.string(), has_more: z.boolean() });

const list = z.array(envelopeSchema);
const byId = z.record(z.string(), z.record(z.string(), z.json()));
/** Of an agent's session an envelope each, in the order of first appearance; of a team's or a workflow's the resources by id. */
const resources = z.union([list, byId]);
export const sessionSnapshot = z.object({
  session: sessionResource,
  as_of: z.string(),
  items: resources,
  turns: resources,
  runs: resources,
  tools: resources,
  required_actions: resources,
  action_commands: resources,
  inputs: resources,
  artifacts: resources,
  subagents: resources,
  steps: resources,
  usage: usageResource,
  /** By list: older ones exist. */
  has_more: z.record(z.string(), z.boolean()),
  /** By list that has more: the page cursor (of `resources/{list}`) that goes on with the older ones. */
  page_cursors: z.record(z.string(), z.string()),
});
export const resourcesQuery = z.object({ after: cursorQuery, limit: z.coerce.number().int().min(1).max(limits.eventsPage).default(limits.pageSize) });
/** A page of one kind of resource, in the order of first appearance. `next_cursor` is a page cursor, good for 15 minutes. */
export const resourcesPage = z.object({ data: list, next_cursor: z.string().nullable(), has_more: z.boolean(), as_of: z.string() });
export const usageQuery = z.object({ include_children: flag });
export const usageAnswer = z.object({ data: usageResource, as_of: z.string(), session_watermarks: z.record(z.string(), z.string()).optional() });

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
