/** Inputs of turns and sessions, and the queue of a session, on the wire. */
import { z } from 'zod';
import { commandResource } from './actions.ts';
import { limits } from './limits.ts';
import { turnResource } from './sessions.ts';

const inputStatus = z.enum(['accepted', 'applied', 'rejected']);
/** `accepted` = durably stored; that it was used is told by `input.applied`, and by the command's receipt. */
export const steerReceipt = z.object({
  input_id: z.string(),
  turn_id: z.string(),
  status: inputStatus,
  command: commandResource,
  status_url: z.string(),
});
export const injectReceipt = z.object({ input_id: z.string(), status: inputStatus });

/** `version` names this order of these turns: it is another one as soon as a turn comes, starts, is cancelled or is moved. */
export const queueResource = z.object({
  /** The turn that has started and is not settled: it is not moved. */
  current: turnResource.nullable(),
  /** In the order in which they will start. */
  items: z.array(turnResource),
  version: z.string(),
});
/** Every queued turn once, in the wished order. */
export const reorderRequest = z.object({ order: z.array(z.string()).max(limits.queuedTurns), version: z.string().optional() });

export type SteerReceipt = z.infer<typeof steerReceipt>;
export type InjectReceipt = z.infer<typeof injectReceipt>;
export type QueueResource = z.infer<typeof queueResource>;
export type ReorderRequest = z.infer<typeof reorderRequest>;
