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
import type { Life } from '../harness/mortal.ts';
import { createScriptedModel, type ScriptedModel } from '../harness/scripted-model.ts';
import { settle } from '../harness/settle.ts';
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
  /** What it does ends with this, as with its process. */
  readonly life?: Life;
};

export type Nodes = {
  readonly server: PrivatePostgres;
  readonly url: string;
  readonly model: ScriptedModel;
  readonly tools: FakeTools;
  readonly open: (options?: NodeOptions) => Promise<Node>;
  /** In good order, before the end of the test. */
  readonly stop: (node: Pick<Node, 'engine'>) => Promise<void>;
  /** Ends it as `kill -9` does. Its leases are given back, so that nobody need wait until they are over. */
  readonly kill: (node: Node, life: Life) => Promise<void>;
};

const mortal = (store: PostgresStore, life: Life): PostgresStore => ({
  ...store,
  ...{ sessions: life.store(store.sessions), files: life.store(store.files), webhooks: life.store(store.webhooks) },
  ...{ retention: life.store(store.retention), budgets: life.store(store.budgets), schedules: life.store(store.schedules) },
  minitools: life.store(store.minitools),
});

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
    open: async ({ clock = systemClock, sessions = (store: SessionStore) => store, life, ...more } = {}) => {
      const store = await openPostgresStore({ url, clock, writeConnections: 1, poolSize: 3 });
      const engine = createEngine({
        ...{ clock: store.clock, models: model, tools: tools.tools, slots: 8, sweepMs: 50, report: () => {} },
        ...(life ? { models: life.models(model), tools: tools.tools.map(life.tool) } : {}),
        ...more,
        store: life ? mortal(store, life) : { ...store, sessions: sessions(store.sessions) },
      });
      opened.add(engine);
      await (life ? Promise.race([engine.start(), life.ended]) : engine.start());
      return { store, engine, client: createClient({ engine, clock: moves }) };
    },
    stop: ({ engine }) => stop(engine),
    kill: async ({ engine, store }, life) => {
      opened.delete(engine);
      life.end();
      void engine.background.stop(0);
      await Promise.all([settle(8), engine.app.tools.close()]);
      for (const node of life.nodes) await store.sessions.leave(node);
      await store.close();
    },
  };
};
