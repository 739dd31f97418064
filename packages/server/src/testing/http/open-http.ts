/** A whole server on a free port of 127.0.0.1, over an embedded store in memory, with an agent that plays scripts. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { auditOf } from '../../app/audit.ts';
import { createIdentity } from '../../app/identity.ts';
import { createAgent } from '../../app/manage-agents.ts';
import { localeSetting } from '../../app/minitools/locale-setting.ts';
import { createSecretBox } from '../../app/secrets.ts';
import { openEngine } from '../../engine.ts';
import { createHttpServer, type HttpServerOptions } from '../../http/create-http-server.ts';
import { ProcessHost } from '../../minitools/host.ts';
import { ArrivalLog } from '../../minitools/ingress/arrival-log.ts';
import { ShowRoom } from '../../minitools/shows/show-room.ts';
import { silentBus } from '../../ports/bus.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { systemClock } from '../../ports/clock.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import { userCaller } from '../harness/client.ts';

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> };

type Options = Partial<Omit<HttpServerOptions, 'app' | 'identity'>> & {
  /** Of the HTTP server only; the engine keeps real time. */
  readonly clock?: HttpServerOptions['app']['clock'];
  readonly wrapStore?: (store: SessionStore) => SessionStore;
  /** For the identity only. */
  readonly wrapCatalog?: (catalog: Catalog) => Catalog;
};

const caller = userCaller('user_1', { name: 'ann', admin: true });
const lookup = { type: 'function', name: 'lookup', description: 'Looks something up.', inputSchema: { type: 'object' } } as const;

const addUser = async (app: HttpServerOptions['app'], id: string, name: string): Promise<void> => {
  const roles = id === caller.id ? (['admin', 'user'] as const) : (['user'] as const);
  const user = { id, username: name, displayName: name, roles, status: 'active', passwordHash: null, createdAt: 0 } as const;
  await app.catalog.createUser(user, auditOf(app, 'system', { action: 'user.created', subject: `user:${id}` }));
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
  const secretBox = createSecretBox(Buffer.alloc(32, 1));
  const dataFolder = join(tmpdir(), `turnkeeper-http-${randomUUID()}`);
  // It is not started: what is kept of mini-tools is, and none runs.
  const host = new ProcessHost({
    store: { minitools: embedded.minitools, sessions: embedded.sessions },
    readLocale: () => embedded.catalog.setting(localeSetting),
    clock: systemClock,
    ids: app.ids,
    dataFolder,
    node: () => 'test',
    shared: false,
    programEnvironment: {},
    api: {},
    version: '0.0.0',
    report: (error) => process.stderr.write(`unexpected: ${String(error)}\n`),
  });
  const shows = new ShowRoom({ clock: systemClock, ids: app.ids });
  host.onUi((minitool, request) => shows.show(minitool, request));
  const minitools = { store: embedded.minitools, host, tools: host.tools, arrivals: new ArrivalLog(), shows };
  const http = await createHttpServer({ secretBox, minitools, draining: () => false, rateLimits: { requests: 1_000_000 }, ...options, app, identity });
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
    minitools,
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
    settled: (session: string, turn: string) => call('GET', `${api}/${session}/turns/${turn}?wait=50`),
    close: async (): Promise<void> => {
      await engine.runner.stop(0);
      await engine.background.stop(0);
      await http.close();
      await embedded.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
};

export type OpenHttp = Awaited<ReturnType<typeof openHttp>>;
