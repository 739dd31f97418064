/**
 * An engine on a store, with time, model, tools and death in the test's hand. The store, the model's scripts and what
 * the tools did outlive the engine; `restart` opens the next engine on them.
 */
import { createSecretBox } from '../../app/secrets.ts';
import { createEngine, type Engine, type EngineOptions } from '../../engine.ts';
import { createBlobsInMemory } from '../../ports/blobs.ts';
import { type Bus, silentBus } from '../../ports/bus.ts';
import { createToolListsInMemory } from '../../ports/tool-lists.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import { createFaultyStore, type FaultyStore } from '../faulty-store.ts';
import { createFakeTools, type FakeTools } from './fake-tools.ts';
import { ManualClock } from './manual-clock.ts';
import { createLife, type KillPoint, type Life } from './mortal.ts';
import { createScriptedModel, type ScriptedModel } from './scripted-model.ts';
import { settle } from './settle.ts';

export type WorldOptions = {
  /** `:memory:` unless told otherwise. */
  readonly folder?: string;
  readonly store?: {
    readonly sessions: EngineOptions['store']['sessions'];
    readonly catalog: EngineOptions['store']['catalog'];
    readonly files: EngineOptions['store']['files'];
    readonly webhooks: EngineOptions['store']['webhooks'];
    readonly retention: EngineOptions['store']['retention'];
    readonly archive: EngineOptions['store']['archive'];
    readonly budgets: EngineOptions['store']['budgets'];
    readonly schedules: EngineOptions['store']['schedules'];
    readonly minitools: EngineOptions['store']['minitools'];
    readonly close: () => Promise<void>;
  };
  readonly bus?: Bus;
  readonly slots?: number;
  readonly graceMs?: number;
  /** In place of applications' own limits. */
  readonly limitsOf?: NonNullable<EngineOptions['limitsOf']>;
  /** What tools find outside. */
  readonly secrets?: NonNullable<EngineOptions['secrets']>;
  readonly outbound?: NonNullable<EngineOptions['outbound']>;
  readonly minitoolTools?: NonNullable<EngineOptions['minitoolTools']>;
  /** Mini-tools run, in processes of their own. */
  readonly minitools?: NonNullable<EngineOptions['minitools']>;
  readonly telemetry?: NonNullable<EngineOptions['telemetry']>;
  readonly webhooks?: NonNullable<EngineOptions['webhooks']>;
  readonly retention?: NonNullable<EngineOptions['retention']>;
  /** The release that the engine is of, as far as the store can tell. */
  readonly formats?: NonNullable<EngineOptions['formats']>;
  /** Where the first engine ends. */
  readonly killAt?: KillPoint;
  /** Errors that nobody expected are collected in `reports`; otherwise the test fails by them at `close`. */
  readonly expectsReports?: true;
};

export type World = {
  readonly clock: ManualClock;
  readonly model: ScriptedModel;
  readonly tools: FakeTools;
  /** The store itself, without faults or death: what has really been committed. */
  readonly store: EngineOptions['store']['sessions'];
  /** All parts of the store, for another engine on it. */
  readonly stores: NonNullable<WorldOptions['store']>;
  readonly faulty: FaultyStore;
  readonly engine: Engine;
  readonly life: Life;
  readonly reports: readonly unknown[];
  /** Ends the engine as `kill -9` does, if it still lives, and opens the next one. */
  readonly restart: (killAt?: KillPoint) => Promise<void>;
  /** Ends the engine as `kill -9` does. */
  readonly kill: () => Promise<void>;
  /** Opens an engine, after `kill` or a stop. */
  readonly open: (killAt?: KillPoint) => Promise<void>;
  /** Ends the engine in good order; the store stays. */
  readonly stop: (graceMs: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Running = { readonly engine: Engine; readonly life: Life };

export const openWorld = async (options: WorldOptions = {}): Promise<World> => {
  const clock = new ManualClock();
  const model = createScriptedModel();
  const tools = createFakeTools();
  const inner = options.store ?? (await openSqliteStore({ folder: options.folder ?? ':memory:', clock }));
  const faulty = createFaultyStore(inner.sessions);
  const reports: unknown[] = [];
  const toolLists = createToolListsInMemory();
  const blobs = createBlobsInMemory();
  const secretBox = createSecretBox(Buffer.alloc(32, 7));
  /** What engines that were killed had started ends with them, in its own time. */
  const ending: Promise<void>[] = [];
  let running: Running | undefined;

  const open = async (killAt?: KillPoint): Promise<void> => {
    const life = createLife(killAt);
    const engine = createEngine({
      store: {
        sessions: life.store(faulty.store),
        catalog: inner.catalog,
        files: life.store(inner.files),
        webhooks: life.store(inner.webhooks),
        retention: life.store(inner.retention),
        archive: inner.archive,
        budgets: life.store(inner.budgets),
        schedules: life.store(inner.schedules),
        minitools: life.store(inner.minitools),
        bus: options.bus ?? silentBus,
        close: async () => {},
      },
      clock,
      models: life.models(model),
      slots: options.slots ?? 64,
      tools: tools.tools.map(life.tool),
      report: (error) => {
        if (life.alive()) reports.push(error);
      },
      graceMs: options.graceMs ?? 30_000,
      ...(options.limitsOf ? { limitsOf: options.limitsOf } : {}),
      toolLists,
      blobs,
      ...(options.secrets ? { secrets: options.secrets } : {}),
      ...(options.outbound ? { outbound: options.outbound } : {}),
      ...(options.minitoolTools ? { minitoolTools: options.minitoolTools } : {}),
      ...(options.minitools ? { minitools: options.minitools } : {}),
      ...(options.telemetry ? { telemetry: options.telemetry } : {}),
      ...(options.webhooks ? { webhooks: options.webhooks } : {}),
      ...(options.retention ? { retention: options.retention } : {}),
      secretBox,
      ...(options.formats ? { formats: options.formats } : {}),
    });
    running = { engine, life };
    await Promise.race([engine.start(), life.ended]);
  };
  const kill = async (): Promise<void> => {
    running?.life.end();
    if (running) ending.push(running.engine.app.tools.close());
    // Only its timers: what it waits for never comes.
    void running?.engine.background.stop(0);
    await settle(8);
    // The next process need not wait for the lease: the embedded store has one process, and this is its next boot.
    for (const node of running?.life.nodes ?? []) await inner.sessions.leave(node);
  };
  await open(options.killAt);
  const now = (): Running => {
    if (!running) throw new Error('no engine is open');
    return running;
  };
  return {
    clock,
    model,
    tools,
    store: inner.sessions,
    stores: inner,
    faulty,
    reports,
    get engine() {
      return now().engine;
    },
    get life() {
      return now().life;
    },
    kill,
    open,
    restart: async (killAt) => {
      await kill();
      await open(killAt);
    },
    stop: async (graceMs) => {
      const { runner, background } = now().engine;
      await Promise.all([runner.stop(graceMs), background.stop(0)]);
    },
    close: async () => {
      faulty.release();
      const { engine, life } = now();
      life.spare();
      const stopped = Promise.all([...ending, life.alive() ? engine.stop(0) : engine.app.tools.close()]);
      if (!life.alive()) void engine.background.stop(0);
      for (let done = false; !done; ) {
        done = await Promise.race([stopped.then(() => true), clock.advance(1_000).then(() => false)]);
      }
      await inner.close();
      if (!options.expectsReports && reports.length > 0) throw reports[0];
    },
  };
};
