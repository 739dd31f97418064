/** The server itself on the wire: what it is, how it is, and whether a model answers. For admins. */
import { z } from 'zod';

/**
 * `on`: it has what it needs. `setting`: what an operator sets, to switch it on. `keepable`: an admin may set a secret of that name in its
 * place; `kept`: that is how it is on now.
 */
export const providerResource = z.object({
  name: z.string(),
  on: z.boolean(),
  setting: z.string(),
  kept: z.boolean().optional(),
  keepable: z.boolean().optional(),
});

/** Days that are kept; 0 = for ever. */
const days = z.int().min(0);

export const serverInfo = z.object({
  version: z.string(),
  /** Its process, and the folder in which it keeps its data, on its own machine. */
  pid: z.int(),
  dataFolder: z.string(),
  /** `embedded`: a file in the data folder. */
  store: z.enum(['embedded', 'postgres']),
  /** Takes work: the store can be written to, and this node holds its lease. */
  ready: z.boolean(),
  /** Why it is not ready. */
  detail: z.string().nullable(),
  /** When this process started, and what time it is there (Unix ms). */
  startedAt: z.int(),
  now: z.int(),
  openStreams: z.int(),
  providers: z.array(providerResource),
  retention: z.object({ historyDays: days, deletedDays: days, auditDays: days }),
});

/** A model that may be tried: `provider:model`. */
export const testModelRequest = z.strictObject({ model: z.string().trim().min(1).max(200) });
export const testModelAnswer = z.object({
  ok: z.boolean(),
  /** The beginning of what it said. */
  text: z.string(),
  /** Why it did not answer; never a credential. */
  error: z.string().nullable(),
  /** The provider's HTTP status, where there was an answer. */
  status: z.int().nullable(),
  durationMs: z.int(),
});

export type ServerInfo = z.infer<typeof serverInfo>;
export type TestModelRequest = z.infer<typeof testModelRequest>;
export type TestModelAnswer = z.infer<typeof testModelAnswer>;
