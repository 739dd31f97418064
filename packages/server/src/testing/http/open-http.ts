/** A whole server on a free port of 127.0.0.1, over an embedded store in memory, with an agent that plays scripts. */
import { createIdentity } from '../../app/identity.ts';
import { createAgent } from '../../app/manage-agents.ts';
import { openEngine } from '../../engine.ts';
import { createHttpServer, type HttpServerOptions } from '../../http/create-http-server.ts';
import { silentBus } from '../../ports/bus.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { systemClock } from '../../ports/clock.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> };

type Options = Partial<Omit<HttpServerOptions, 'app' | 'identity'>> & {
  /** Of the HTTP server only; the engine keeps real time. */
  readonly clock?: HttpServerOptions['app']['clock'];
  readonly wrapStore?: (store: SessionStore) => SessionStore;
  /** For the identity only. */
  readonly wrapCatalog?: (catalog: Catalog) => Catalog;
};

const caller = { type: 'user', id: 'user_1', name: 'ann', admin: true } as const;
const lookup = { type: 'function', name: 'lookup', description: 'Looks something up.', inputSchema: { type: 'object' } } as const;

const addUser = async (app: HttpServerOptions['app'], id: string, name: string): Promise<void> => {
  await app.catalog.createUser({ id, username: name, displayName: name, roles: id === caller.id ? ['admin', 'user'] : ['user'], createdAt: 0 });
};

export const openHttp = async ({ clock, wrapStore = (store) => store, wrapCatalog = (catalog) => catalog, ...options }: Options = {}) => {
  const embedded = await openSqliteStore({ folder: ':memory:', clock: systemClock });
  const engine = await openEngine({
    store: { ...embedded, sessions: wrapStore(embedded.sessions), bus: silentBus },
    clock: systemClock,
    models: { demo: true },
    slots: 32,
    report: (error) => process.stderr.write(`unexpected: ${String(error)}\n`),
  });
  const app = clock ? { ...engine.app, clock } : engine.app;
  const identity = createIdentity({ ...app, catalog: wrapCatalog(app.catalog) });
  await addUser(app, caller.id, caller.name);
  await addUser(app, 'user_2', 'bob');
  const token = await identity.issueToken(caller.id, 'test', null);
  const otherToken = await identity.issueToken('user_2', 'test', null);
  const definition = { system: 'You play scripts.', model: 'demo:script', maxIters: 20, tools: [lookup], permissionMode: 'acceptCalls' as const };
  await createAgent(engine.app, caller, { agentKey: 'script', displayName: 'Script', description: '', definition });
  const http = await createHttpServer({ draining: () => false, rateLimits: { requests: 1_000_000 }, ...options, app, identity });
  const { url, port } = await http.listen({ host: '127.0.0.1', port: 0 });

  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text } };
  };
  let keys = 0;
  const api = '/api/v1/agent-sessions';
  return {
    url,
    port,
    token,
    otherToken,
    http,
    app: engine.app,
    identity,
    call,
    newSession: async (): Promise<string> => String((await call('POST', api, { agent: 'script' })).body['id']),
    /** Submits a script; resolves with the turn's id. */
    submit: async (session: string, steps: readonly (readonly unknown[])[]): Promise<string> => {
      keys += 1;
      const answer = await call('POST', `${api}/${session}/turns`, { message: JSON.stringify({ steps }) }, { 'idempotency-key': `submit-${keys}` });
      if (answer.status !== 202) throw new Error(`submit: ${answer.status} ${JSON.stringify(answer.body)}`);
      return String(answer.body['id']);
    },
    settled: (session: string, turn: string) => call('GET', `${api}/${session}/turns/${turn}?wait=20`),
    close: async (): Promise<void> => {
      await engine.runner.stop(0);
      await http.close();
      await embedded.close();
    },
  };
};

export type OpenHttp = Awaited<ReturnType<typeof openHttp>>;
