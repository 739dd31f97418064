/** Puts `ctx` together, and what the server's messages are answered with. */

import type { MiniToolContribution, MiniToolContributions } from '../context/capabilities.ts';
import type { Logger } from '../context/logger.ts';
import type { AgentEvent, FinchNotificationEvent, FinchStatusSnapshot } from '../context/observing.ts';
import type { SessionBridgeEvent, SessionDurableEvent } from '../context/session-events.ts';
import type { Sessions } from '../context/sessions.ts';
import type { MiniToolContext, MiniToolInfo, SessionInfo, WorkspaceInfo } from '../context.ts';
import type { Locale } from '../messages.ts';
import type { Beginning } from '../protocol.ts';
import type { ToolPeer } from '../rpc/peer.ts';
import { createCaller } from './caller.ts';
import { type CapabilityHost, createCapabilities } from './capabilities-api.ts';
import { createExecutionContext } from './execution.ts';
import { createHandlers, type Handlers } from './handlers.ts';
import { createI18n } from './i18n-api.ts';
import { createIngress, type IngressHost } from './ingress-api.ts';
import { createSecrets, createSettings, createStorage } from './keeping-api.ts';
import { createListeners, type Listeners } from './listeners.ts';
import { createNoPlace } from './no-place.ts';
import { createSessions } from './sessions-api.ts';
import { createSettling, type Settling } from './settling.ts';
import { createTools, type ToolHost } from './tools-api.ts';
import { createUi } from './ui-api.ts';

/** What runs for one mini-tool: its `ctx`, and where the server's messages go. */
export type Runtime = {
  readonly ctx: MiniToolContext;
  readonly tools: ToolHost;
  readonly capabilities: CapabilityHost;
  readonly ingress: IngressHost;
  readonly consumers: Handlers<SessionDurableEvent>;
  readonly events: Listeners<SessionBridgeEvent>;
  readonly agentEvents: Listeners<AgentEvent>;
  readonly status: Listeners<FinchStatusSnapshot>;
  readonly notifications: Listeners<FinchNotificationEvent>;
  readonly settling: Settling;
  readonly setActive: (isActive: boolean) => void;
  readonly setLocale: (locale: Locale) => void;
  readonly setProvided: (names: readonly string[]) => void;
  readonly setContributions: (contributions: Beginning['contributions']) => void;
};

const infoOf = ({ minitool }: Beginning, isActive: () => boolean): MiniToolInfo => ({
  ...minitool,
  get isActive() {
    return isActive();
  },
});

/** Members that are not there are there as `undefined`: that is how their types have them. */
const sessionOf = ({ session: { id, title, spaceId, cwd, model } }: Beginning): SessionInfo => ({ id, title, spaceId, cwd, model });
const workspaceOf = ({ workspace: { spaceId, spaceName, directoryPath, projectPath } }: Beginning): WorkspaceInfo => ({
  spaceId,
  spaceName,
  directoryPath,
  projectPath,
});

const contributionsOf = (now: () => Beginning['contributions']): MiniToolContributions => ({
  listContributions: <T>(point: string) => {
    const contributions = now();
    return (structuredClone(Object.hasOwn(contributions, point) ? contributions[point] : undefined) as unknown as MiniToolContribution<T>[] | undefined) ?? [];
  },
});

type Observed = Pick<Runtime, 'events' | 'agentEvents' | 'status' | 'notifications'>;

const createObserved = (host: Pick<ToolPeer, 'ask'>, settling: Settling, logger: Logger): Observed => {
  const subscribe = (to: 'events' | 'agentEvents' | 'status' | 'notifications') => () => settling.add(`Listening to ${to}`, host.ask('subscribe', { to }));
  return {
    events: createListeners('ctx.sessions.onDidReceiveEvent', logger, subscribe('events')),
    agentEvents: createListeners('ctx.events.onAgentEvent', logger, subscribe('agentEvents')),
    status: createListeners('ctx.status.onDidChange', logger, subscribe('status')),
    notifications: createListeners('ctx.notifications.onDidPost', logger, subscribe('notifications')),
  };
};

/** What changes while a process runs. */
const createChanging = (beginning: Beginning, logger: Logger) => {
  let isActive = false;
  let locale: Locale = beginning.locale;
  let provided: ReadonlySet<string> = new Set(beginning.capabilities);
  let { contributions } = beginning;
  const locales = createListeners<Locale>('ctx.i18n.onDidChangeLocale', logger);
  return {
    locales,
    isActive: () => isActive,
    locale: () => locale,
    provided: () => provided,
    contributions: () => contributions,
    setActive: (next: boolean): void => {
      isActive = next;
    },
    setLocale: (next: Locale): void => {
      if (next === locale) return;
      locale = next;
      locales.tell(next);
    },
    setProvided: (names: readonly string[]): void => {
      provided = new Set(names);
    },
    setContributions: (next: Beginning['contributions']): void => {
      contributions = next;
    },
  };
};

export const createRuntime = (beginning: Beginning, host: Pick<ToolPeer, 'ask' | 'tell'>, logger: Logger): Runtime => {
  const settling = createSettling(logger);
  const observed = createObserved(host, settling, logger);
  const changing = createChanging(beginning, logger);
  const caller = createCaller();
  const consumers = createHandlers<SessionDurableEvent>('ctx.sessions.consume', logger, {
    begin: (name) => settling.add(`The consumer "${name}"`, host.ask('consume.begin', { name })),
    end: (name) => settling.add(`The end of the consumer "${name}"`, host.ask('consume.end', { name })),
  });
  const sessionsOf = (callToken: () => string | undefined): Sessions =>
    createSessions({ host, outboxPath: beginning.outboxPath, listeners: observed.events, consumers, callToken });
  const storage = createStorage(host);
  const secrets = createSecrets(host);
  const executionParts = { host, logger, storage, secrets, sessionsOf };
  const tools = createTools({ host, settling, caller, logger, contextOf: (execution, signal) => createExecutionContext(executionParts, execution, signal) });
  const capabilities = createCapabilities({ host, declared: beginning.declared, provided: changing.provided, settling, logger });
  const ingress = createIngress(host, settling, logger);
  const noPlace = createNoPlace(logger);
  const info = infoOf(beginning, changing.isActive);
  const contributions = contributionsOf(changing.contributions);
  const ctx: MiniToolContext = {
    subscriptions: [],
    extension: info,
    minitool: info,
    storagePath: beginning.storagePath,
    tools: tools.api,
    composerActions: { register: () => noPlace.register('composerActions') },
    commands: noPlace.commands,
    ui: createUi(host, logger),
    capabilities: capabilities.api,
    icons: { register: () => noPlace.register('icons') },
    extensions: contributions,
    minitools: contributions,
    events: { onAgentEvent: observed.agentEvents.add },
    status: { get: async () => (await host.ask('status.get', {})) as unknown as FinchStatusSnapshot, onDidChange: observed.status.add },
    notifications: { onDidPost: observed.notifications.add },
    i18n: createI18n({ current: changing.locale, listeners: changing.locales }, beginning.messages),
    storage,
    settings: createSettings(beginning.settings),
    logger,
    secrets,
    oauth: noPlace.oauth,
    app: { getInfo: async () => (await host.ask('app.info', {})) as never },
    session: sessionOf(beginning),
    sessions: sessionsOf(caller.token),
    sessionContainers: { registerSettingsMenu: () => noPlace.register('sessionContainers.registerSettingsMenu') },
    settingsMenu: { register: () => noPlace.register('settingsMenu') },
    workspace: workspaceOf(beginning),
    http: ingress.http,
    timers: ingress.timers,
  };
  const { setActive, setLocale, setProvided, setContributions } = changing;
  return { ctx, tools, capabilities, ingress, consumers, ...observed, settling, setActive, setLocale, setProvided, setContributions };
};
