/**
 * Teams and workflows as they are frozen with a session, and what the sessions of a workflow's nodes are frozen as.
 *
 * FT1 Creation freezes transitively: a team's leader and members, and whatever the nodes of a workflow and of the workflows in it
 *     name. Nothing that is changed or published afterwards reaches the session or its children.
 * FT2 Workflows are nested at most so deep, and name at most so many targets: what a session is frozen with is bounded.
 * FT3 As with agents (FA3), a definition names what its author could use; whoever starts a session with it need not see that.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import type { TeamDefinition, TeamMember } from '@turnkeeper/core/protocol/wire/teams';
import type { MappedNode, WorkflowNode, WorkflowSpec } from '@turnkeeper/core/protocol/wire/workflows';
import { mapOf } from '@turnkeeper/core/session/flow';
import type { RevisionRow, TeamRow, TeamVersion, WorkflowRow } from '../ports/catalog-targets.ts';
import type { App } from './app.ts';
import { freezeFamily, frozenAgent, inheritedBy } from './freeze-family.ts';
import { withPrices } from './freeze-prices.ts';
import type { FrozenConfig, FrozenTarget, FrozenTargets } from './frozen-config.ts';

/** How deep workflows may be nested below the one that a session is of, and how many targets they may name in all. */
export const nestedWorkflows = 5;
export const frozenTargets = 500;

/** No model is called in a workflow's own session. */
const emptyDefinition: AgentDefinition = { system: '', model: 'none:workflow', maxIters: 1, tools: [], permissionMode: 'acceptCalls' };

const missing = (what: string): TurnkeeperError => new TurnkeeperError('not_found', `The target names what is not there: ${what}.`, { pointer: '/target/id' });

const roleOf = ({ role, description }: TeamMember): string => (description.trim() === '' ? role : `${role}\n${description}`);

/** Its leader, with the members for its subagents: they are who is delegated to. */
export const frozenTeam = async (app: App, row: TeamRow, version: TeamVersion): Promise<FrozenTarget> => {
  const { leader, members, maxParallel } = version.definition as unknown as TeamDefinition;
  const agent = await frozenAgent(app, leader.agentId, (id) => missing(`agent ${id}`));
  const subagents = members.map((member) => ({ agentId: member.agentId, name: member.name, description: roleOf(member) }));
  return {
    ...{ type: 'team', id: row.id, name: row.name, space: row.space, version: version.version },
    definition: { ...agent.definition, subagents },
    team: {
      leaderAgentId: agent.id,
      leader: { name: agent.name, version: agent.version, space: agent.space ?? row.space },
      members,
      ...(maxParallel === undefined ? {} : { maxParallel }),
    },
  };
};

/** Without what its nodes name. */
export const frozenWorkflow = ({ id, name, space }: WorkflowRow, revision: RevisionRow): FrozenTarget => ({
  ...{ type: 'workflow', id, name, space, version: revision.n, revisionId: revision.id },
  definition: emptyDefinition,
  workflow: { spec: revision.spec as unknown as WorkflowSpec, targets: {} },
});

/** What a node's sessions are of. */
export type Named = { readonly kind: 'agent' | 'team' | 'revision'; readonly id: string };
export const refOf = ({ kind, id }: Named): string => `${kind}:${id}`;

/** What a node's own sessions are of; undefined where it has none. */
export const namedBy = (node: WorkflowNode | MappedNode): Named | undefined => {
  switch (node.type) {
    case 'agent':
      return { kind: 'agent', id: node.agentId };
    case 'team':
      return { kind: 'team', id: node.teamId };
    case 'subrun':
      return { kind: 'revision', id: node.definitionRevisionId };
    case 'map':
      return namedBy(node.node);
    case 'condition':
    case 'join':
    case 'approval':
    case 'timer':
    case 'signal':
      return undefined;
  }
};

/** All that the nodes of a spec name, each once. */
export const namedIn = ({ nodes }: Pick<WorkflowSpec, 'nodes'>): readonly Named[] => [
  ...new Map(nodes.flatMap((node) => namedBy(node) ?? []).map((named) => [refOf(named), named])).values(),
];

/** The configuration with all that its workflow names, transitively. Throws `not_found`, and `validation_failed` beyond FT2. */
const withTargets = async (app: App, config: FrozenConfig): Promise<FrozenConfig> => {
  const { workflow } = config.target;
  if (!workflow) return config;
  const targets: Record<string, FrozenTargets[string]> = {};
  let level: readonly Named[] = namedIn(workflow.spec);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > nestedWorkflows && level.some(({ kind }) => kind === 'revision')) throw beyond(`Workflows are nested more than ${nestedWorkflows} deep.`);
    const next: Named[] = [];
    for (const named of level) {
      const ref = refOf(named);
      targets[ref] ??= await frozenNamed(app, config, named);
      if (Object.keys(targets).length > frozenTargets) throw beyond(`A workflow may name ${frozenTargets} agents, teams and revisions in all.`);
      const nested = targets[ref].target.workflow;
      if (nested) next.push(...namedIn(nested.spec));
    }
    // Of what is there already only workflows are looked at again: how deep they are nested is told by the longest way to them.
    level = [...new Map(next.map((named) => [refOf(named), named])).values()].filter((named) => named.kind === 'revision' || !(refOf(named) in targets));
  }
  return { ...config, target: { ...config.target, workflow: { ...workflow, targets } } };
};

const beyond = (detail: string): TurnkeeperError => new TurnkeeperError('validation_failed', detail, { errors: [{ pointer: '/target/id', detail }] });

const frozenNamed = async (app: App, { timeoutSeconds }: FrozenConfig, named: Named): Promise<FrozenTargets[string]> => {
  const target = await targetNamed(app, named);
  if (target.type === 'workflow') return { target };
  const frozen = await freezeFamily(app, { target, timeoutSeconds });
  return { target: frozen.target, ...(frozen.family ? { family: frozen.family } : {}) };
};

const targetNamed = async (app: App, named: Named): Promise<FrozenTarget> => {
  const { id } = named;
  switch (named.kind) {
    case 'agent':
      return frozenAgent(app, id, () => missing(`agent ${id}`));
    case 'team': {
      const row = await app.catalog.team(id);
      const version = row && (await app.catalog.teamVersion(id, row.version));
      if (!row || !version) throw missing(`team ${id}`);
      return frozenTeam(app, row, version);
    }
    case 'revision': {
      const revision = await app.catalog.revision(id);
      const workflow = revision && (await app.catalog.workflow(revision.workflowId));
      if (!revision || !workflow) throw missing(`revision ${id}`);
      return frozenWorkflow(workflow, revision);
    }
  }
};

/** The frozen configuration of a session with this target (FT1, FP1). Throws `not_found`, and `validation_failed` beyond FT2. */
export const freezeTarget = async (app: App, config: FrozenConfig): Promise<FrozenConfig> =>
  withPrices(app, await (config.target.type === 'workflow' ? withTargets(app, config) : freezeFamily(app, config)));

/** Of the targets those that a workflow names, transitively: what a child is frozen with. */
const reachedFrom = (targets: FrozenTargets, spec: WorkflowSpec): FrozenTargets => {
  const found: Record<string, FrozenTargets[string]> = {};
  const look = (of: WorkflowSpec): void => {
    for (const ref of namedIn(of).map(refOf)) {
      const entry = targets[ref];
      if (!entry || ref in found) continue;
      found[ref] = entry;
      if (entry.target.workflow) look(entry.target.workflow.spec);
    }
  };
  look(spec);
  return found;
};

/**
 * What the session is frozen as that works on this node, or for `<key>.<index>` on this element of a map; undefined where the node is
 * not there or has no session.
 */
export const stepConfig = (config: FrozenConfig, key: string): FrozenConfig | undefined => {
  const { workflow } = config.target;
  const map = mapOf(key);
  const found = workflow?.spec.nodes.find((node) => node.key === (map ?? key));
  const node = map !== undefined && found?.type === 'map' ? found.node : map === undefined && found?.type !== 'map' ? found : undefined;
  const named = node && namedBy(node);
  const entry = named && workflow?.targets[refOf(named)];
  if (!node || !workflow || !entry) return undefined;
  const { target, family } = entry;
  return {
    ...inheritedBy(config),
    ...(node.timeoutSeconds === undefined ? {} : { timeoutSeconds: node.timeoutSeconds }),
    target: target.workflow ? { ...target, workflow: { spec: target.workflow.spec, targets: reachedFrom(workflow.targets, target.workflow.spec) } } : target,
    ...(family ? { family } : {}),
  };
};
