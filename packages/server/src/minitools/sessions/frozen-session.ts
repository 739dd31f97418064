/**
 * What a session of a mini-tool is frozen with.
 *
 * FZ1 A container's sessions run on the agent that its people chose, else on the installation's: the one that its setting names, the
 *     one with the key `default`, the first one.
 * FZ2 A container's profile stands behind the agent's own system prompt, and never in its place.
 * FZ3 With a caller's context the session takes the target of the calling session as it was frozen there: model, tools, and whatever that
 *     denies; a caller is never widened by what it makes.
 *     It works in the same workspace (workspace-of.ts).
 * FZ4 A branch is of the one agent that called. Of a team that is its leader, by itself: its members are the team's, and work on what the
 *     team delegates.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { profilePromptIn } from '@turnkeeper/minitool/manifest/localise';
import { locales } from '@turnkeeper/minitool/messages';
import type { App } from '../../app/app.ts';
import { existingSession } from '../../app/find-session.ts';
import { childless, freezeFamily } from '../../app/freeze-family.ts';
import { withPrices } from '../../app/freeze-prices.ts';
import type { FrozenConfig, FrozenTarget, TeamPart } from '../../app/frozen-config.ts';
import { defaultAgentSetting } from '../../app/minitools/default-agent.ts';
import { workspaceOf } from '../../app/workspace-of.ts';
import type { AgentRow } from '../../ports/catalog.ts';
import { readMessages } from '../beginning.ts';
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

/** What the container's profile says to the agent: in the language of now, and in all; undefined where it has none. */
const profileOf = async (
  { manifest, row }: AskingMinitool,
  { locale }: SessionServices,
  containerId: string | undefined,
): Promise<{ readonly prompt: string; readonly all: readonly string[] } | undefined> => {
  const container = manifest.contributes.sessionContainers.find(({ id }) => id === containerId);
  const profile = manifest.contributes.agentProfiles.find(({ id }) => id === container?.agentProfile);
  if (!profile) return undefined;
  const messages = await readMessages(row.folder);
  return { prompt: profilePromptIn(messages, locale(), profile), all: locales.map((each) => profilePromptIn(messages, each, profile)) };
};

/** A caller of the same container has the profile already, maybe from when the language was another. */
const complemented = (definition: AgentDefinition, profile: Awaited<ReturnType<typeof profileOf>>): AgentDefinition =>
  !profile || profile.prompt === '' || profile.all.some((prompt) => prompt !== '' && definition.system.endsWith(prompt))
    ? definition
    : { ...definition, system: `${definition.system}\n\n${profile.prompt}` };

/** FZ4 */
const leaderOf = async ({ catalog }: App, { team: _, ...target }: FrozenTarget, { leaderAgentId: id, leader }: TeamPart): Promise<FrozenTarget> => {
  const row = leader ? undefined : await catalog.agent(id);
  const { name, space, version } = leader ?? (row ? { ...row, name: row.displayName } : target);
  return childless({ ...target, type: 'agent', id, name, version, ...(space === undefined ? {} : { space }) });
};

/** Of the turn in which it is made. Throws `caller_context_unavailable` where that is not there any more. */
type OfCaller = { readonly config: FrozenConfig; readonly space: string | undefined; readonly workspace: SessionId };

const ofCaller = async (app: App, call: CallInProgress): Promise<OfCaller> => {
  const { session } = await existingSession(app, call.sessionId).catch(() => {
    throw callerUnavailable();
  });
  const { target, family, timeoutSeconds, maxTokensPerTurn, minitool, prices } = session.config;
  const limits = { timeoutSeconds, ...(maxTokensPerTurn === undefined ? {} : { maxTokensPerTurn }), ...(prices ? { prices } : {}) };
  return {
    config: target.team ? { target: await leaderOf(app, target, target.team), ...limits } : { target, ...limits, ...(family ? { family } : {}) },
    space: sharedSpaceOf(session.row.placement) ?? minitool?.contextSpace,
    workspace: workspaceOf(session),
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
  return withPrices(app, await freezeFamily(app, { target: { type: 'agent', id, name, space, version: version.version, definition }, timeoutSeconds: null }));
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
  const definition = { ...complemented(target.definition, await profileOf(minitool, services, containerId)), permissionMode };
  const contextSpace = containerId === undefined ? undefined : caller?.space;
  return {
    ...config,
    target: { ...target, definition },
    minitool: {
      activity,
      ...(contextSpace === undefined ? {} : { contextSpace }),
      ...(caller ? { workspace: caller.workspace } : {}),
      ...(call ? { caller: { sessionId: call.sessionId, turnId: call.turnId } } : {}),
    },
  };
};
