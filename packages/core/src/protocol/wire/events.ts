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
});
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
