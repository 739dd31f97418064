/** Checkpoints of a session's context, restoring it, and forking it into another session. */
import { z } from 'zod';
import { codePoints } from '../content.ts';
import { cursorQuery } from './events.ts';
import { limits } from './limits.ts';
import { createSessionRequest } from './sessions.ts';

const id = z.string().min(1).max(300);
const reason = z.string().refine((value) => codePoints(value) <= limits.titleCharacters, { error: `at most ${limits.titleCharacters} characters` });

const checkpointResource = z.object({
  checkpoint_id: z.string(),
  created_at: z.int(),
  /** The event that it was taken at, e.g. `turn.completed`. */
  reason: z.string(),
  /** The turn after which, or (before a compaction) in which it was taken. */
  turn_id: z.string().nullable(),
});
export const checkpointsQuery = z.object({ after: cursorQuery, limit: z.coerce.number().int().min(1).max(limits.eventsPage).default(limits.pageSize) });
/** Newest first. `next_cursor` is a page cursor, good for 15 minutes. */
export const checkpointsPage = z.object({ data: z.array(checkpointResource), next_cursor: z.string().nullable(), has_more: z.boolean() });

export const restoreContextRequest = z.object({ checkpoint_id: id, reason: reason.default('') });

const madeWith = createSessionRequest.shape;
/** With `target_session_id` into that session; without, into a new one, which `title`, `metadata` and `space` are for. */
export const forkRequest = z
  .object({
    target_session_id: id.optional(),
    checkpoint_id: id.optional(),
    /** A turn of the session: what the context was after it. Without it and `checkpoint_id`: what it is now. */
    at: id.optional(),
    reason: reason.default(''),
    title: madeWith.title,
    metadata: madeWith.metadata,
    space: madeWith.space,
  })
  .refine((body) => body.checkpoint_id === undefined || body.at === undefined, { error: 'give at most one of checkpoint_id and at', path: ['at'] })
  .refine((body) => body.target_session_id === undefined || [body.title, body.metadata, body.space].every((value) => value === undefined), {
    error: 'title, metadata and space are of a new session: leave them out, or target_session_id',
    path: ['target_session_id'],
  });

export type CheckpointResource = z.infer<typeof checkpointResource>;
export type CheckpointsPage = z.infer<typeof checkpointsPage>;
export type RestoreContextRequest = z.infer<typeof restoreContextRequest>;
export type ForkRequest = z.infer<typeof forkRequest>;
