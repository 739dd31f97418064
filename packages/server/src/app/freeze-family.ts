/**
 * The agents that a session may delegate to, frozen with it.
 *
 * FA1 Creation freezes the whole tree: a child is what the root took over when it was made, whatever was changed since.
 * FA2 What can be reached is bounded by the depth, not by names: a cycle of agents ends at the last level, which has nobody
 *     to delegate to.
 * FA3 An agent names those that its author could use; whoever starts a session with it need not see them.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import type { App } from './app.ts';
import type { FrozenAgent, FrozenConfig, FrozenFamily, FrozenTarget } from './frozen-config.ts';

/** How deep children may be nested. */
const defaultDepth = 3;

const namedBy = ({ definition }: Pick<FrozenAgent, 'definition'>): readonly string[] => (definition.subagents ?? []).map(({ agentId }) => agentId);

/** Nobody below it: it is not told of what it could delegate to. */
export const childless = <Target extends FrozenTarget>(agent: Target): Target => {
  const { subagents: _, ...definition } = agent.definition;
  return { ...agent, definition };
};

/** What stands within so many levels below an agent. */
const reached = (agents: FrozenFamily['agents'], from: FrozenAgent, levels: number): FrozenFamily['agents'] => {
  const found = new Map<string, FrozenAgent>();
  let level = [from];
  for (let n = 0; n < levels; n += 1) {
    level = level.flatMap(namedBy).flatMap((id) => {
      const agent = agents[id];
      if (!agent || found.has(id)) return [];
      found.set(id, agent);
      return [agent];
    });
  }
  return Object.fromEntries(found);
};

/** The frozen configuration of a session with this target. Throws `not_found` where an agent that is named is not there. */
export const freezeFamily = async (app: App, config: FrozenConfig, depth = defaultDepth): Promise<FrozenConfig> => {
  if (namedBy(config.target).length === 0 || depth === 0) return { ...config, target: childless(config.target) };
  const agents: Record<string, FrozenAgent> = {};
  let level = namedBy(config.target);
  for (let n = 0; n < depth && level.length > 0; n += 1) {
    const next: string[] = [];
    for (const id of level.filter((entry) => !(entry in agents))) {
      const agent = await frozenAgent(app, id, noSuchSubagent);
      agents[id] = agent;
      next.push(...namedBy(agent));
    }
    level = next;
  }
  return { ...config, family: { agents, levels: depth } };
};

const noSuchSubagent = (id: string): TurnkeeperError =>
  new TurnkeeperError('not_found', `The agent names a subagent that is not there: ${id}.`, { pointer: '/target/id' });

/** In its newest version. Throws what `missing` makes where it is not there. */
export const frozenAgent = async (app: App, id: string, missing: (id: string) => TurnkeeperError): Promise<FrozenAgent> => {
  const agent = await app.catalog.agent(id);
  const version = agent && (await app.catalog.agentVersion(agent.id, agent.version));
  if (!agent || !version) throw missing(id);
  const definition = version.definition as unknown as AgentDefinition;
  return { type: 'agent', id: agent.id, name: agent.displayName, space: agent.space, version: version.version, definition };
};

/** What a child has of the session that makes it, whatever its own target is. */
export const inheritedBy = (config: FrozenConfig): Omit<FrozenConfig, 'target'> => {
  const { type, id, space } = config.root ?? config.target;
  const root = { type, id, ...(space === undefined ? {} : { space }) };
  const perTurn = config.maxTokensPerTurn === undefined ? {} : { maxTokensPerTurn: config.maxTokensPerTurn };
  const prices = config.prices === undefined ? {} : { prices: config.prices };
  // Who is not there to be asked is not there for its children either.
  const activity = config.minitool ? { minitool: { activity: config.minitool.activity } } : {};
  return { timeoutSeconds: config.timeoutSeconds, ...perTurn, ...prices, ...activity, root };
};

/** What a child called by this name is frozen as; undefined where nobody has the name. */
export const childConfig = (config: FrozenConfig, name: string): FrozenConfig | undefined => {
  const called = config.target.definition.subagents?.find((subagent) => subagent.name === name);
  const agent = called && config.family?.agents[called.agentId];
  if (!agent || !config.family) return undefined;
  const levels = config.family.levels - 1;
  // A team says how long a piece may take its member.
  const of = config.target.team?.members.find((member) => member.name === name);
  const member = of && { member: { name, role: of.role, team: config.target.name } };
  const base = { ...inheritedBy(config), ...member, ...(of?.timeoutSeconds === undefined ? {} : { timeoutSeconds: of.timeoutSeconds }) };
  if (levels === 0 || namedBy(agent).length === 0) return { ...base, target: childless(agent) };
  return { ...base, target: agent, family: { agents: reached(config.family.agents, agent, levels), levels } };
};
