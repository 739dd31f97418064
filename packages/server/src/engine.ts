/**
 * The engine: everything between the store and the doors (HTTP, mini-tools), put together over ports.
 */

import { randomBytes } from 'node:crypto';
import type { Formats } from '@turnkeeper/core/session/formats';
import { pinnedAgent } from './app/accept-outcome.ts';
import type { App } from './app/app.ts';
import { createBlobSweeper } from './app/blob-sweeper.ts';
import { Budgets } from './app/budgets.ts';
import { Family } from './app/family.ts';
import { KnownContexts } from './app/known-contexts.ts';
import type { Session } from './app/lane.ts';
import { createOwnerLimits, fixedLimits, type LimitsOf } from './app/owner-limits.ts';
import { createSecretBox, type SecretBox } from './app/secrets.ts';
import { SessionFiles } from './app/session-files.ts';
import { type NodeName, Sessions } from './app/sessions.ts';
import { TurnsSeen } from './app/turns-seen.ts';
import { createWorkspace } from './app/workspace.ts';
import { createExpressions } from './expressions/cel.ts';
import { createMinitools, type MinitoolsOptions, type MinitoolsParts, type RunningServices } from './minitools/create-minitools.ts';
import { createModels } from './models/create-models.ts';
import type { ModelsConfig } from './models/models-config.ts';
import { allowNothing } from './outbound/allow-list.ts';
import type { OutboundOptions } from './outbound/outbound.ts';
import { type Blobs, createBlobsInMemory } from './ports/blobs.ts';
import { type Bus, otherHost } from './ports/bus.ts';
import type { Clock } from './ports/clock.ts';
import type { Ids } from './ports/ids.ts';
import type { MinitoolTools } from './ports/minitool-tools.ts';
import type { Models } from './ports/model.ts';
import type { Secrets } from './ports/secrets.ts';
import type { Stores } from './ports/stores.ts';
import { noTelemetry, type Telemetry } from './ports/telemetry.ts';
import type { Tool, Tools } from './ports/tool.ts';
import type { ToolLists } from './ports/tool-lists.ts';
import type { WebhookSender } from './ports/webhooks.ts';
import { Purger } from './retention/purger.ts';
import { defaultRetention, type RetentionConfig } from './retention/retention-config.ts';
import { createRequestRebuilder } from './runner/rebuild-request.ts';
import { Runner } from './runner/runner.ts';
import { Scheduler } from './runner/scheduler.ts';
import { Slots } from './runner/slots.ts';
import { createIds } from './system-ids.ts';
import { createTools } from './tools/create-tools.ts';
import { createWebhooks } from './webhooks/create-webhooks.ts';
import { createWebhookSender } from './webhooks/sender.ts';

export type EngineOptions = {
  readonly store: Stores & {
    readonly bus: Bus;
    readonly close: () => Promise<void>;
  };
  readonly clock: Clock;
  /** How to make the models, or the models themselves. */
  readonly models: ModelsConfig | Models;
  readonly slots: number;
  /** Where the bytes of files are kept; in memory unless given. */
  readonly blobs?: Blobs;
  /** Tools beside the built-in ones. */
  readonly tools?: readonly Tool[];
  /** Where tools find their secrets; none unless given. */
  readonly secrets?: Secrets;
  /** Where the lists of MCP servers' tools are kept; in memory unless given. */
  readonly toolLists?: ToolLists;
  /** What tools may reach beside public addresses; nothing unless given. */
  readonly outbound?: OutboundOptions;
  /** What programs that tools start find in their environment; a plain one unless given. */
  readonly programEnvironment?: Readonly<Record<string, string>>;
  /** How webhooks' secrets are kept; by a key that ends with the process unless given. */
  readonly secretBox?: SecretBox;
  readonly webhooks?: {
    /** Where the API is reached, without a slash at its end: base of the links in notices. */
    readonly base?: () => string;
    /** Notices may go by http and to private addresses: for development. */
    readonly allowPrivate?: boolean;
    /** In place of requests. */
    readonly sender?: WebhookSender;
  };
  /** How long things are kept; as by default unless given. */
  readonly retention?: RetentionConfig;
  /** An error that nobody expected. */
  readonly report: (error: unknown, about: { readonly sessionId: string; readonly turnId?: string | undefined }) => void;
  /** Who is told what happens; nobody unless given. */
  readonly telemetry?: Telemetry;
  /** The name under which sessions are held; a fresh one unless given. */
  readonly node?: NodeName;
  /** What running mini-tools have registered, in place of those that run here. */
  readonly minitoolTools?: MinitoolTools;
  /** Mini-tools run, from this folder on; none unless given. */
  readonly minitools?: MinitoolsOptions;
  /** How long cancelled work may go on before it is abandoned. */
  readonly graceMs?: number;
  readonly leaseMs?: number;
  /** For tests: counts owners by these limits, in place of applications by their own. */
  readonly limitsOf?: LimitsOf;
  readonly sweepMs?: number;
  /** In which formats the log and the states are read and written; those of this release unless given. */
  readonly formats?: Formats;
};

export type Engine = {
  readonly app: App;
  readonly runner: Runner;
  readonly slots: Slots;
  /** What goes on beside turns: deliveries of webhooks, and forgetting. */
  readonly background: Background;
  /** Mini-tools and what they are joined to; undefined where none run. */
  readonly minitools: RunningServices | undefined;
  /** Takes up what an earlier process left, and begins to run turns. */
  readonly start: () => Promise<void>;
  /** Nothing new begins; what runs gets `graceMs`, and every session is let go. Mini-tools end when none is held that uses them. */
  readonly drain: (graceMs: number) => Promise<void>;
  /** Drains, ends all else; then the store is closed. */
  readonly stop: (graceMs: number) => Promise<void>;
};

export type Background = {
  /** Deliveries of webhooks under way. */
  readonly sending: () => number;
  /** Nothing new begins; what is under way gets `graceMs`. */
  readonly stop: (graceMs: number) => Promise<void>;
};

/** A node's name, new at each start. */
export const createNodeName = (ids: Ids): NodeName => {
  let current = ids.next('node');
  return {
    get current() {
      return current;
    },
    renew: () => {
      current = ids.next('node');
    },
  };
};

const tellBoth = (outer: Telemetry, minitools: Pick<Telemetry, 'committed'> | undefined, news: Parameters<Telemetry['committed']>[0]): void => {
  outer.committed(news);
  minitools?.committed(news);
};

/** The host of the mini-tools, where they run here. */
const joinableMinitools = (
  { minitools, store, clock, programEnvironment = {}, telemetry = noTelemetry, report }: EngineOptions,
  { ids, node, box, schemaFaults }: { readonly ids: Ids; readonly node: NodeName } & Pick<MinitoolsParts, 'box' | 'schemaFaults'>,
): RunningServices | undefined =>
  minitools &&
  createMinitools(minitools, {
    store,
    clock,
    ids,
    box,
    node: () => node.current,
    shared: store.bus.shared,
    hostChanged: () => store.bus.publish(otherHost, 0),
    programEnvironment,
    schemaFaults,
    telemetry,
    report: (error) => report(error, { sessionId: '' }),
  });

const senderOf = ({ webhooks, clock, outbound }: EngineOptions): WebhookSender =>
  webhooks?.sender ?? createWebhookSender({ clock, allow: outbound?.allow ?? allowNothing, allowPrivate: webhooks?.allowPrivate ?? false });

const createDeliveries = (
  { store, clock, webhooks, sweepMs, report }: EngineOptions,
  {
    sessions,
    node,
    ...parts
  }: Pick<Parameters<typeof createWebhooks>[0], 'sender' | 'ids' | 'box' | 'telemetry'> & { readonly sessions: Sessions; readonly node: NodeName },
): ReturnType<typeof createWebhooks> =>
  createWebhooks({
    ...parts,
    store: store.webhooks,
    sessions: sessions.store,
    clock,
    base: webhooks?.base ?? (() => ''),
    node: () => node.current,
    shared: store.bus.shared,
    report: (error) => report(error, { sessionId: '' }),
    ...(sweepMs === undefined ? {} : { sweepMs }),
  });

const createPurger = ({ store, clock, retention, report }: EngineOptions, sessions: Sessions, node: NodeName): Purger =>
  new Purger({
    store: store.retention,
    sessions: sessions.store,
    webhooks: store.webhooks,
    clock,
    node: () => node.current,
    config: retention ?? defaultRetention,
    formats: sessions.formats.formats,
    changed: (sid, seq) => sessions.changedBeside(sid, seq),
    report: (error) => report(error, { sessionId: '' }),
  });

/** Puts an engine together; nothing runs, and the store is not asked, before `start`. */
export const createEngine = (options: EngineOptions): Engine => {
  const { store, clock, report } = options;
  const ids = createIds(clock);
  const node = options.node ?? createNodeName(ids);
  const outer = options.telemetry ?? noTelemetry;
  const telemetry: Telemetry = { ...outer, committed: (news) => tellBoth(outer, minitools, news) };
  const slots = new Slots(options.slots);
  const limits = options.limitsOf ? fixedLimits(options.limitsOf) : createOwnerLimits(store.catalog, clock);
  const sessions = new Sessions({
    store: store.sessions,
    bus: store.bus,
    clock,
    node,
    limits,
    telemetry,
    hostedElsewhere: () => tools.minitools.areElsewhere(),
    ...(options.formats ? { formats: options.formats } : {}),
  });
  const models = 'stream' in options.models ? options.models : createModels(options.models, { clock });
  const files = new SessionFiles({ index: store.files, blobs: options.blobs ?? createBlobsInMemory(), clock, ids });
  const sweeper = createBlobSweeper(files, clock, (error) => report(error, { sessionId: '' }));
  const sender = senderOf(options);
  const box = options.secretBox ?? createSecretBox(randomBytes(32));
  const { webhooks, dispatcher } = createDeliveries(options, { sessions, sender, ids, box, node, telemetry });
  const purger = createPurger(options, sessions, node);
  sessions.onMoved((moved) => dispatcher.moved(moved));
  const minitools = joinableMinitools(options, { ids, node, box, schemaFaults: (schema) => tools.schemaFaults(schema) });
  const tools: Tools = createTools({
    workspace: createWorkspace({ sessions, files, clock, ids }),
    clock,
    more: options.tools,
    secrets: options.secrets,
    lists: options.toolLists,
    outbound: options.outbound,
    environment: options.programEnvironment,
    minitools: options.minitoolTools ?? minitools?.tools,
  });
  const expressions = createExpressions();
  const budgets = new Budgets({ store: store.budgets, sessions, shared: store.bus.shared, report });
  const services = {
    store: sessions.store,
    contexts: new KnownContexts(sessions.store),
    clock,
    models,
    files,
    tools,
    family: new Family(sessions, clock, (id, version) => pinnedAgent(store.catalog, id, version)),
    slots,
    budgets,
    limits,
    gates: sessions.gates,
    telemetry,
    report,
    graceMs: options.graceMs ?? 30_000,
    isForeign: (session: Session) => sessions.isForeign(session),
    isBackground: ({ config }: Session) => config.minitool?.activity === 'background',
    evaluate: expressions.evaluate,
  };
  const times = { sweepMs: options.sweepMs ?? 2_000, leaseMs: options.leaseMs ?? 15_000 };
  const runner = new Runner({ sessions, node, services, shared: store.bus.shared, ...times, mostHeld: 2_000 });
  const parts = { sessions, clock, ids, models, tools, files, webhooks, budgets, checkExpression: expressions.check };
  const app: App = {
    ...parts,
    catalog: store.catalog,
    archive: store.archive,
    schedules: store.schedules,
    minitools: store.minitools,
    turnsSeen: new TurnsSeen(sessions.store),
    rebuildRequest: createRequestRebuilder({ tools, files, clock }),
    scheduled: () => scheduler.wake(),
  };
  minitools?.join(app);
  minitools?.host.onHosting((hosting) => {
    if (hosting) runner.due(0);
  });
  store.bus.subscribe((sid) => {
    if (sid === otherHost) void minitools?.host.reconcile();
  });
  const scheduler = new Scheduler({ app, shared: store.bus.shared, sweepMs: times.sweepMs, report });
  const background: Background = {
    sending: () => dispatcher.used,
    stop: async (graceMs) => {
      await Promise.all([dispatcher.stop(graceMs), purger.stop(), sweeper.stop(), scheduler.stop(), minitools?.stop()]);
      await sender.close();
    },
  };
  const drain = async (graceMs: number): Promise<void> => {
    const hosted = Promise.withResolvers<void>();
    const drained = runner.stop(graceMs, hosted.resolve).finally(hosted.resolve);
    // Another node takes the mini-tools over while the rest drains: it has the sessions that use them.
    await Promise.all([drained, hosted.promise.then(() => minitools?.stop())]);
  };
  return {
    app,
    runner,
    slots,
    background,
    minitools,
    start: async () => {
      await runner.start();
      dispatcher.start();
      purger.start();
      sweeper.start();
      scheduler.start();
      await minitools?.start();
    },
    drain,
    stop: async (graceMs) => {
      await drain(graceMs);
      await background.stop(graceMs);
      await store.close();
    },
  };
};

/** An engine that has started. */
export const openEngine = async (options: EngineOptions): Promise<Engine> => {
  const engine = createEngine(options);
  await engine.start();
  return engine;
};
