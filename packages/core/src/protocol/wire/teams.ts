/**
 * Teams on the wire: a leader, and the members to whom it delegates.
 *
 * Requests are strict, as those of agents are: a misspelt `retry` that went unnoticed would let a piece fail for good.
 */
import { z } from 'zod';
import { toolName } from './agents.ts';
import { limits } from './limits.ts';

const id = z.string().min(1).max(200);
const name = z.string().min(1).max(200);
const haveOwnNames = (list: readonly { readonly name: string }[]): boolean => new Set(list.map((member) => member.name)).size === list.length;

/** How many members a team has at most, and how many pieces are worked on at once. */
export const maxMembers = 16;
export const maxTeamParallel = 64;

export const teamMember = z.strictObject({
  /** What the leader calls it. */
  name: toolName,
  /** By its id or key. */
  agentId: id,
  role: z.string().min(1).max(2_000),
  description: z.string().max(2_000).default(''),
  /** Running time of one piece. */
  timeoutSeconds: z.int().min(1).max(limits.expirySeconds).optional(),
  /** `maxAttempts` counts the first one, too. */
  retry: z.strictObject({ maxAttempts: z.int().min(1).max(20), backoffSeconds: z.number().min(0).max(86_400).default(0) }).optional(),
});

const leader = z.strictObject({ agentId: id });
const members = z.array(teamMember).min(1).max(maxMembers).refine(haveOwnNames, { error: 'names of members must differ' });
const maxParallel = z.int().min(1).max(maxTeamParallel);

export const teamDefinition = z.strictObject({ leader, members, maxParallel: maxParallel.optional() });

export const createTeamRequest = z.strictObject({
  name,
  description: z.string().max(2_000).default(''),
  space: z.string().min(1).optional(),
  ...teamDefinition.shape,
});
/** What is not given stays as it is; `maxParallel: null` takes it away. */
export const patchTeamRequest = z.strictObject({
  version: z
    .int()
    .min(1)
    .max(limits.version - 1),
  name: name.optional(),
  description: z.string().max(2_000).optional(),
  leader: leader.optional(),
  members: members.optional(),
  maxParallel: maxParallel.nullable().optional(),
});

export const teamResource = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  space: z.string(),
  version: z.int(),
  ...teamDefinition.shape,
  createdAt: z.int(),
  updatedAt: z.int(),
});
export const teamAnswer = z.object({ team: teamResource });
export const teamVersionResource = z.object({ version: z.int(), definition: teamDefinition, createdAt: z.int(), createdBy: z.string() });

export type TeamMember = z.infer<typeof teamMember>;
export type TeamDefinition = z.infer<typeof teamDefinition>;
export type CreateTeamRequest = z.infer<typeof createTeamRequest>;
export type PatchTeamRequest = z.infer<typeof patchTeamRequest>;
export type TeamResource = z.infer<typeof teamResource>;
