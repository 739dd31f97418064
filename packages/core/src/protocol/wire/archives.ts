/**
 * Exports with their first line, as they are brought back: see docs/export.md.
 *
 * AE1 Whoever hands over an archive may have written it. What is put into paths, headers and the text of envelopes as it stands
 *     (ids, types), and what numbers go on from, is held to the shape that ours have.
 */
import { z } from 'zod';
import { envelopeSchema } from './events.ts';
import { limits } from './limits.ts';
import { patchSessionRequest, sessionResource } from './sessions.ts';

/** `archive`: with a first line of type `session.export` that says what the session is besides its events. */
export const exportQuery = z.object({ format: z.enum(['events', 'archive']).default('events') });

const sessionId = z.string().regex(/^ses_[\w-]{1,100}$/);
const turnId = z.string().regex(/^turn_[\w-]{1,100}$/);
const name = z.string().min(1).max(200);
/** The last moment that a date can say. */
const moment = z.int().min(0).max(8_640_000_000_000_000);
const { title, metadata } = patchSessionRequest.shape;

const importedSession = sessionResource.extend({
  id: sessionId,
  title: title.unwrap(),
  metadata: metadata.unwrap(),
  target: sessionResource.shape.target.extend({
    id: name,
    name: name.optional(),
    model: name.optional(),
    version: z.int().min(1).max(limits.version).optional(),
  }),
  owner: sessionResource.shape.owner.extend({ id: name }),
  placement: sessionResource.shape.placement.extend({ id: name }),
  timeoutSeconds: z.int().min(1).nullable(),
  createdAt: moment,
  updatedAt: moment,
  archivedAt: moment.nullable(),
});

export const importedHeader = envelopeSchema.extend({
  type: z.literal('session.export'),
  data: z.object({ session: importedSession, as_of: z.string() }),
});
/** What events hold besides is for the folds to say. */
export const importedLine = envelopeSchema.omit({ data: true }).extend({
  type: z.string().regex(/^[a-z][a-z_]{0,49}\.[a-z][a-z_]{0,49}$/),
  session_id: sessionId,
  turn_id: turnId.optional(),
  created_at: moment,
  data: z.looseObject({ turn_id: turnId.optional() }),
});
/** A turn's number in its session, as `turn.accepted` says it. */
export const turnNumber = z.int().min(1).max(limits.version);
