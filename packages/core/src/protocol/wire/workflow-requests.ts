/**
 * Requests and answers about workflows: drafts that may be faulty, and the revisions that are published of them.
 *
 * A draft is any JSON object: what is wrong with it, its shape included, is told as faults, and stands in the way of publishing alone.
 */
import { z } from 'zod';
import { limits } from './limits.ts';
import { workflowSpec } from './workflows.ts';

const name = z.string().min(1).max(200);
const draftSpec = z.record(z.string(), z.json()).describe('A workflow’s spec, finished or not.');
const expectedVersion = z
  .int()
  .min(1)
  .max(limits.version - 1)
  .describe('The `version` that was read; a stale one is refused.');

export const createWorkflowRequest = z.strictObject({ name, space: z.string().min(1).optional(), draftSpec });
export const patchWorkflowRequest = z
  .strictObject({ expectedVersion, name: name.optional(), draftSpec: draftSpec.optional() })
  .refine((body) => body.name !== undefined || body.draftSpec !== undefined, { error: 'give `draftSpec`, `name` or both' });
/** Without a spec it is the stored draft that is looked at. Existing clients send `{}`. */
export const validateWorkflowRequest = z.strictObject({ draftSpec: draftSpec.optional() }).nullish();
export const publishWorkflowRequest = z.strictObject({ expectedVersion });

/** `pointer`: RFC 6901, into the spec. Warnings do not stand in the way of publishing. */
export const draftFault = z.object({
  pointer: z.string(),
  /**
   * `shape`: it is no spec as it stands; `not_there`: it names what does not exist; `too_deep`, `too_many_targets`: it could not be
   * frozen with all that its workflows name; the others are the graph's own.
   */
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  detail: z.string(),
});

export const workflowResource = z.object({
  id: z.string(),
  name: z.string(),
  space: z.string(),
  /** Of the draft: counts its changes, from 1. */
  version: z.int(),
  draftSpec: z.record(z.string(), z.json()),
  /** Of the draft, when it was stored; `validate` tells those of now. */
  faults: z.array(draftFault),
  /** The number of the newest published revision; 0 while there is none. */
  revisions: z.int(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export const workflowAnswer = z.object({ workflow: workflowResource });
/** In lists, without the draft. */
export const listedWorkflow = workflowResource.omit({ draftSpec: true });
export const validationAnswer = z.object({ valid: z.boolean(), faults: z.array(draftFault) });

/** Immutable. `n` counts the revisions of its workflow, from 1. */
export const revisionResource = z.object({
  id: z.string(),
  workflowId: z.string(),
  n: z.int(),
  spec: workflowSpec,
  createdAt: z.int(),
  createdBy: z.string(),
});
export const revisionAnswer = z.object({ revision: revisionResource });

export type DraftFault = z.infer<typeof draftFault>;
export type CreateWorkflowRequest = z.infer<typeof createWorkflowRequest>;
export type PatchWorkflowRequest = z.infer<typeof patchWorkflowRequest>;
export type ValidateWorkflowRequest = z.infer<typeof validateWorkflowRequest>;
export type WorkflowResource = z.infer<typeof workflowResource>;
export type ListedWorkflow = z.infer<typeof listedWorkflow>;
export type RevisionResource = z.infer<typeof revisionResource>;
