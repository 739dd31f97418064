/**
 * Nodes on one database of a private PostgreSQL, in one process: each with a store, an engine and a client of its own, all
 * with the same model and tools. Each test has a fresh database, and none of its nodes outlives it.
 */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createEngine, type Engine, type EngineOptions } from '../../engine.ts';
import { type Clock, systemClock } from '../../ports/clock.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import { openPostgresStore, type PostgresStore } from '../../store/postgres/open-postgres-store.ts';
import { type Client, createClient } from '../harness/client.ts';
import { createFakeTools, type FakeTools } from '../harness/fake-tools.ts';
import { createScriptedModel, type ScriptedModel } from '../harness/scripted-model.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../private-postgres.ts';
import { waitMs } from '../store-contract/samples.ts';

/** Real time moves on by itself. */
export const moves = { advanceToNext: () => waitMs(25).then(() => true) };

export type Node = { readonly store: PostgresStore; readonly engine: Engine; readonly client: Client };

export type NodeOptions = Partial<Omit<EngineOptions, 'store' | 'clock' | 'models'>> & {
  /** The time of day of its machine. */
  readonly clock?: Clock;
  /** What stands between its engine and its store. */
  readonly sessions?: (store: SessionStore) => SessionStore;
};

export type Nodes = {
  readonly server: PrivatePostgres;
  readonly url: string;
  readonly model: ScriptedModel;
  readonly tools: FakeTools;
  readonly open: (options?: NodeOptions) => Promise<Node>;
  /** In good order, before the end of the test. */
  readonly stop: (node: Pick<Node, 'engine'>) => Promise<void>;
};

/** To be called where the tests of a file are described. */
export const useNodes = (): Nodes => {
  let server: PrivatePostgres;
  let url: string;
  let model: ScriptedModel;
  let tools: FakeTools;
  const opened = new Set<Engine>();
  const stop = async (engine: Engine): Promise<void> => {
    opened.delete(engine);
    await engine.stop(0);
  };
  beforeAll(async () => {
    server = await startPrivatePostgres();
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    url = await server.freshDatabase();
    model = createScriptedModel();
    tools = createFakeTools();
  });
  afterEach(async () => {
    for (const engine of opened) await stop(engine);
  });
  return {
    get server() {
      return server;
    },
    get url() {
      return url;
    },
    get model() {
      return model;
    },
    get tools() {
      return tools;
    },
    open: async ({ clock = systemClock, sessions = (store: SessionStore) => store, ...more } = {}) => {
      const store = await openPostgresStore({ url, clock, writeConnections: 1, poolSize: 3 });
      const engine = createEngine({
        ...{ clock: store.clock, models: model, tools: tools.tools, slots: 8, sweepMs: 50, report: () => {} },
        ...more,
        store: { ...store, sessions: sessions(store.sessions) },
      });
      opened.add(engine);
      await engine.start();
      return { store, engine, client: createClient({ engine, clock: moves } as never) };
    },
    stop: ({ engine }) => stop(engine),
  };
};
