/**
 * What a session froze at its creation: its target with all that it needs, and the session's own limits.
 *
 * Stored once by its hash, so that many sessions of one version share it. Secrets are never in it: definitions refer
 * to them by name, and they are resolved when they are used.
 */
import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '@turnkeeper/core/protocol/json';
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import type { TeamMember } from '@turnkeeper/core/protocol/wire/teams';
import type { WorkflowSpec } from '@turnkeeper/core/protocol/wire/workflows';
import { type ClientCommand, defaultRules, type SessionRules } from '@turnkeeper/core/session/commands';
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import type { FrozenPrice } from '../ports/model.ts';
import { minitoolLimits } from './minitool-limits.ts';

export type FrozenAgent = {
  readonly type: 'agent';
  readonly id: string;
  readonly name: string;
  /** Where it stands: a key's `*` covers some only. Absent from what was frozen before there were keys. */
  readonly space?: string;
  readonly version: number;
  readonly definition: AgentDefinition;
};

/** Of a team: its leader's own definition stands in the target, with the members as its subagents. */
export type TeamPart = {
  readonly leaderAgentId: string;
  /** What its agent was then. Absent from what was frozen before it was kept. */
  readonly leader?: Pick<FrozenAgent, 'name' | 'version'> & { readonly space: string };
  readonly members: readonly TeamMember[];
  /** Pieces that are worked on at once; absent = as many as children may be open. */
  readonly maxParallel?: number;
};

/** What a member is told of its place: `team` by its name. */
export type MemberPart = { readonly name: string; readonly role: string; readonly team: string };

/**
 * Of a workflow: the graph, and what its nodes name, by `agent:<id>`, `team:<id>` and `revision:<id>` as the spec says the id. What
 * nested workflows name stands beside it, once, at the top: theirs are empty until they are a child's (freeze-target.ts).
 */
export type WorkflowPart = { readonly spec: WorkflowSpec; readonly targets: FrozenTargets };
export type FrozenTargets = { readonly [ref: string]: { readonly target: FrozenTarget; readonly family?: FrozenFamily } };

/** What a session is made of. `definition` of a workflow is never run. */
export type FrozenTarget = Omit<FrozenAgent, 'type'> & {
  readonly type: 'agent' | 'team' | 'workflow';
  readonly team?: TeamPart;
  readonly workflow?: WorkflowPart;
  /** Of a workflow: the published revision. */
  readonly revisionId?: string;
};

/** Every agent that can be reached by delegating, by its id, and the levels of children that are left. */
export type FrozenFamily = { readonly agents: { readonly [agentId: string]: FrozenAgent }; readonly levels: number };

/** By the names of models. */
export type FrozenPrices = { readonly [model: string]: FrozenPrice };

/** What turns are given, what they come to, and which parts of that are their result. */
export type FrozenSchemas = {
  readonly input?: JsonObject;
  readonly output?: JsonObject;
  readonly resultMapping?: { readonly [name: string]: string };
};

/** Of a mini-tool's session: what was said when it was made. The mode that tools are asked for in stands in the definition. */
export type MinitoolPart = {
  readonly activity: 'interactive' | 'background';
  /** The space of the session in which it was made, where that is not the one that it stands in. */
  readonly contextSpace?: string;
  /** With `context: 'caller'`: in whose workspace it works (workspace-of.ts). Absent: in its own, also of what was made before there was this. */
  readonly workspace?: SessionId;
  /** The turn in which it was made, with `context: 'caller'`. */
  readonly caller?: { readonly sessionId: SessionId; readonly turnId: TurnId };
};

export type FrozenConfig = {
  readonly target: FrozenTarget;
  /** Running time of a turn; null = no limit. */
  readonly timeoutSeconds: number | null;
  /** Tokens of a turn of the root, with all that it spawned; absent = no limit. */
  readonly maxTokensPerTurn?: number;
  /** Absent where the session was made without any. */
  readonly schemas?: FrozenSchemas;
  /** What may be delegated to, and how deep; absent where nothing is. */
  readonly family?: FrozenFamily;
  /** Of the models that it and those below it may call, as they were in force; absent where none was known, and from what is older. */
  readonly prices?: FrozenPrices;
  /** It was brought back from an export: a record, in which nothing new is done. */
  readonly imported?: true;
  readonly minitool?: MinitoolPart;
  /** Of a child session that works on pieces of a team's turn. */
  readonly member?: MemberPart;
  /** Of a child session: the target of its root, by which access is judged. */
  readonly root?: Pick<FrozenTarget, 'type' | 'id' | 'space'>;
};

/** The hash by which a configuration is stored. */
export const configRef = (config: FrozenConfig): string => createHash('sha256').update(canonicalJson(config)).digest('base64url').slice(0, 32);

/** The first command of a session with this configuration. */
export const createAsk = ({ target: { type, team } }: FrozenConfig, parent?: CreateCommand['parent']): CreateCommand => ({
  type: 'create',
  ...(parent ? { parent } : {}),
  ...(type === 'agent' ? {} : { target: type }),
  ...(team?.maxParallel === undefined ? {} : { maxParallel: team.maxParallel }),
});
type CreateCommand = Extract<ClientCommand, { type: 'create' }>;

/** What decisions take from the configuration. */
export const rulesOf = (config: FrozenConfig): SessionRules => ({
  ...defaultRules,
  ...(config.minitool ? { maxQueued: minitoolLimits.sessionTurns } : {}),
  maxSteps: config.target.definition.maxIters,
});
