/**
 * An engine on a store, with time, model, tools and death in the test's hand. The store, the model's scripts and what
 * the tools did outlive the engine; `restart` opens the next engine on them.
 */
import { createEngine, type Engine, type EngineOptions } from '../../engine.ts';
import { type Bus, silentBus } from '../../ports/bus.ts';
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
    readonly close: () => Promise<void>;
  };
  readonly bus?: Bus;
  readonly slots?: number;
  readonly graceMs?: number;
  readonly quotaOf?: NonNullable<EngineOptions['quotaOf']>;
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
  let running: Running | undefined;

  const open = async (killAt?: KillPoint): Promise<void> => {
    const life = createLife(killAt);
    const engine = createEngine({
      store: { sessions: life.store(faulty.store), catalog: inner.catalog, bus: options.bus ?? silentBus, close: async () => {} },
      clock,
      models: life.models(model),
      slots: options.slots ?? 64,
      tools: tools.tools.map(life.tool),
      report: (error) => {
        if (life.alive()) reports.push(error);
      },
      graceMs: options.graceMs ?? 30_000,
      ...(options.quotaOf ? { quotaOf: options.quotaOf } : {}),
    });
    running = { engine, life };
    await Promise.race([engine.start(), life.ended]);
  };
  const kill = async (): Promise<void> => {
    running?.life.end();
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
    stop: (graceMs) => now().engine.runner.stop(graceMs),
    close: async () => {
      faulty.release();
      const { engine, life } = now();
      const stopped = life.alive() ? engine.stop(0) : Promise.resolve();
      for (let done = false; !done; ) {
        done = await Promise.race([stopped.then(() => true), clock.advance(1_000).then(() => false)]);
      }
      await inner.close();
      if (!options.expectsReports && reports.length > 0) throw reports[0];
    },
  };
};
