/**
 * The engine: everything between the store and the doors (HTTP, mini-tools), put together over ports.
 */
import type { App } from './app/app.ts';
import { type NodeName, type QuotaOf, Sessions } from './app/sessions.ts';
import { createModels } from './models/create-models.ts';
import type { ModelsConfig } from './models/models-config.ts';
import type { Bus } from './ports/bus.ts';
import type { Catalog } from './ports/catalog.ts';
import type { Clock } from './ports/clock.ts';
import type { Models } from './ports/model.ts';
import type { SessionStore } from './ports/session-store.ts';
import type { Tool } from './ports/tool.ts';
import { Runner } from './runner/runner.ts';
import { Slots } from './runner/slots.ts';
import { systemIds } from './system-ids.ts';
import { createTools } from './tools/builtin-tools.ts';

export type EngineOptions = {
  readonly store: { readonly sessions: SessionStore; readonly catalog: Catalog; readonly bus: Bus; readonly close: () => Promise<void> };
  readonly clock: Clock;
  /** How to make the models, or the models themselves. */
  readonly models: ModelsConfig | Models;
  readonly slots: number;
  /** Tools beside the built-in ones. */
  readonly tools?: readonly Tool[];
  /** An error that nobody expected. */
  readonly report: (error: unknown, about: { readonly sessionId: string }) => void;
  /** How long cancelled work may go on before it is abandoned. */
  readonly graceMs?: number;
  readonly leaseMs?: number;
  /** Most unfinished turns of an owner, over all its sessions; undefined = not limited. */
  readonly quotaOf?: QuotaOf;
  readonly sweepMs?: number;
};

export type Engine = {
  readonly app: App;
  readonly runner: Runner;
  /** Takes up what an earlier process left, and begins to run turns. */
  readonly start: () => Promise<void>;
  /** Nothing new begins; what runs gets `graceMs`; then the store is closed. */
  readonly stop: (graceMs: number) => Promise<void>;
};

const createNodeName = (): NodeName => {
  let current = systemIds.next('node');
  return {
    get current() {
      return current;
    },
    renew: () => {
      current = systemIds.next('node');
    },
  };
};

/** Puts an engine together; nothing runs, and the store is not asked, before `start`. */
export const createEngine = (options: EngineOptions): Engine => {
  const { store, clock, report } = options;
  const node = createNodeName();
  const sessions = new Sessions({ store: store.sessions, bus: store.bus, clock, node, quotaOf: options.quotaOf });
  const models = 'stream' in options.models ? options.models : createModels(options.models, { clock });
  const tools = createTools(clock, options.tools);
  const services = { store: store.sessions, clock, models, tools, slots: new Slots(options.slots), report, graceMs: options.graceMs ?? 30_000 };
  const runner = new Runner({ sessions, node, services, sweepMs: options.sweepMs ?? 2_000, leaseMs: options.leaseMs ?? 15_000, mostHeld: 2_000 });
  return {
    app: { sessions, catalog: store.catalog, clock, ids: systemIds, models, tools },
    runner,
    start: () => runner.start(),
    stop: async (graceMs) => {
      await runner.stop(graceMs);
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
