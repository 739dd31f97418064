/**
 * What a session of a mini-tool is frozen with.
 *
 * FZ1 A container's sessions run on the agent that its people chose, else on the installation's: the one that its setting names, the
 *     one with the key `default`, the first one.
 * FZ2 A container's profile stands behind the agent's own system prompt, and never in its place.
 * FZ3 With a caller's context the session takes the target of the calling session as it was frozen there: model, tools, and whatever that
 *     denies; a caller is never widened by what it makes.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import { localised } from '@turnkeeper/minitool/manifest/localise';
import type { App } from '../../app/app.ts';
import { existingSession } from '../../app/find-session.ts';
import { freezeFamily } from '../../app/freeze-family.ts';
import type { FrozenConfig } from '../../app/frozen-config.ts';
import { defaultAgentSetting } from '../../app/minitools/default-agent.ts';
import type { AgentRow } from '../../ports/catalog.ts';
import { type AskingMinitool, type CallInProgress, MinitoolFailure } from '../host-api.ts';
import type { CreateOptions } from './arguments.ts';
import { sharedSpaceOf } from './own-session.ts';
import type { SessionServices } from './services.ts';

const agentOf = async ({ catalog }: App, { row }: AskingMinitool, containerId: string | undefined): Promise<AgentRow> => {
  const chosen = containerId === undefined ? undefined : row.containerAgents[containerId];
  const set = await catalog.setting(defaultAgentSetting);
  for (const id of [chosen, set, 'default']) {
    const agent = id === undefined ? undefined : await catalog.agent(id);
    if (agent) return agent;
  }
  const [first] = await catalog.agents({ offset: 0, limit: 1 });
  if (!first) throw new TurnkeeperError('not_found', 'There is no agent yet: make one, and choose it for the container.');
  return first;
};

/** What the container's profile says to the agent; undefined where it has none. */
const profileOf = ({ manifest }: AskingMinitool, { locale }: SessionServices, containerId: string | undefined): string | undefined => {
  const container = manifest.contributes.sessionContainers.find(({ id }) => id === containerId);
  const profile = manifest.contributes.agentProfiles.find(({ id }) => id === container?.agentProfile);
  return profile && localised(profile.prompt, locale);
};

const complemented = (definition: AgentDefinition, profile: string | undefined): AgentDefinition =>
  profile === undefined || definition.system.endsWith(profile) ? definition : { ...definition, system: `${definition.system}\n\n${profile}` };

/** Of the turn in which it is made. Throws `caller_context_unavailable` where that is not there any more. */
const ofCaller = async (app: App, call: CallInProgress): Promise<{ readonly config: FrozenConfig; readonly space: string | undefined }> => {
  const { session } = await existingSession(app, call.sessionId).catch(() => {
    throw callerUnavailable();
  });
  const { target, family, timeoutSeconds, maxTokensPerTurn, minitool } = session.config;
  return {
    config: { target, timeoutSeconds, ...(maxTokensPerTurn === undefined ? {} : { maxTokensPerTurn }), ...(family ? { family } : {}) },
    space: sharedSpaceOf(session.row.placement) ?? minitool?.contextSpace,
  };
};

export const callerUnavailable = (): MinitoolFailure =>
  new MinitoolFailure(
    'caller_context_unavailable',
    "context: 'caller' is there only while a tool of this mini-tool runs: give it inside execute(), or use exec.sessions.",
  );

const ofAgent = async (app: App, minitool: AskingMinitool, containerId: string | undefined): Promise<FrozenConfig> => {
  const agent = await agentOf(app, minitool, containerId);
  const version = await app.catalog.agentVersion(agent.id, agent.version);
  if (!version) throw new TurnkeeperError('not_found', `There is no agent ${agent.id}.`);
  const definition = version.definition as unknown as AgentDefinition;
  const { id, displayName: name, space } = agent;
  return freezeFamily(app, { target: { type: 'agent', id, name, space, version: version.version, definition }, timeoutSeconds: null });
};

/** `call` is there where the options say `context: 'caller'`. */
export const frozenSession = async (
  services: SessionServices,
  minitool: AskingMinitool,
  options: CreateOptions,
  call: CallInProgress | undefined,
): Promise<FrozenConfig> => {
  const { app } = services;
  const { activity, containerId } = options;
  const caller = call && (await ofCaller(app, call));
  const { target, ...config } = caller?.config ?? (await ofAgent(app, minitool, containerId));
  const permissionMode = options.permissionMode ?? (activity === 'background' ? 'acceptCalls' : 'ask');
  const definition = { ...complemented(target.definition, profileOf(minitool, services, containerId)), permissionMode };
  const contextSpace = containerId === undefined ? undefined : caller?.space;
  return {
    ...config,
    target: { ...target, definition },
    minitool: {
      activity,
      ...(contextSpace === undefined ? {} : { contextSpace }),
      ...(call ? { caller: { sessionId: call.sessionId, turnId: call.turnId } } : {}),
    },
  };
};
