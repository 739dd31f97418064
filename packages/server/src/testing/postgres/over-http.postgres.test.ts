/** What clients meet of the database behind the nodes: its connections, its other nodes, and that it is down. */
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { auditOf } from '../../app/audit.ts';
import { createIdentity } from '../../app/identity.ts';
import { createSecretBox } from '../../app/secrets.ts';
import { createHttpServer, type HttpServer } from '../../http/create-http-server.ts';
import { ann, fresh } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { eventually } from '../harness/settle.ts';
import { readStream, type StreamReader } from '../http/read-stream.ts';
import { moves, type Node, useNodes } from './nodes.ts';

const api = '/api/v1/agent-sessions';
/** As nodes.ts opens a store: for commits, for everything else, and two for wake-ups. */
const connections = 1 + 3 + 2;

const nodes = useNodes();
const servers: HttpServer[] = [];
const streams: StreamReader[] = [];
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  for (const server of servers.splice(0)) await server.close();
});

const serve = async ({ engine }: Node) => {
  const identity = createIdentity(engine.app);
  const server = await createHttpServer({ app: engine.app, identity, secretBox: createSecretBox(Buffer.alloc(32, 1)), draining: () => false });
  servers.push(server);
  const { url, port } = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    newToken: () => identity.issueToken(ann.id, 'test', null),
    call: async (token: string, method: string, path: string, body?: unknown) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', 'idempotency-key': fresh('key') } };
      const answer = await fetch(`${url}${path}`, { method, ...sent, headers: { ...sent.headers, authorization: `Bearer ${token}` } });
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
    },
    stream: (token: string, session: string): StreamReader => {
      const stream = readStream({ port, path: `${api}/${session}/events/stream`, token });
      streams.push(stream);
      return stream;
    },
  };
};
/** Ann, by a token that is good on every node. */
const signIn = async ({ engine }: Node, server: Awaited<ReturnType<typeof serve>>): Promise<string> => {
  const user = { id: ann.id, username: ann.id, displayName: 'Ann', roles: ['user'], status: 'active', passwordHash: null, createdAt: 0 } as const;
  await engine.app.catalog.createUser(user, auditOf(engine.app, 'system', { action: 'user.created', subject: `user:${ann.id}` }));
  return server.newToken();
};
const opened = (stream: StreamReader) => eventually('the stream is open', () => stream.head().startsWith('HTTP/1.1 200'), { clock: moves });
const told = (stream: StreamReader, type: string): number => stream.frames.filter(({ event }) => event === type).length;

it('open streams hold none of its connections: there are more of them than connections, and all else is answered', async () => {
  const node = await nodes.open();
  const http = await serve(node);
  const token = await signIn(node, http);
  const agent = await node.client.agent();
  const sessions = await Promise.all(Array.from({ length: 5 }, () => node.client.session(agent)));
  const open = sessions.flatMap((session) => Array.from({ length: 3 }, () => http.stream(token, session)));
  expect(open.length).toBeGreaterThan(connections);
  await Promise.all(open.map(opened));
  const answers = await Promise.all(sessions.flatMap((session) => [session, session]).map((session) => http.call(token, 'GET', `${api}/${session}/snapshot`)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  const watcher = new pg.Client({ connectionString: nodes.url });
  await watcher.connect();
  const { rows } = await watcher.query<{ count: number }>(
    "select count(*)::int from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()",
  );
  await watcher.end();
  expect(rows[0]?.count).toBeLessThanOrEqual(connections);
  await Promise.all(sessions.map((session) => http.call(token, 'POST', `${api}/${session}/turns`, { message: 'hi' })));
  await eventually('all are told', () => open.every((stream) => told(stream, 'turn.completed') === 1), { clock: moves });
  await expect.poll(() => node.engine.runner.held).toBe(0);
});

it('`wait` is answered on a node that does not run the turn, when it is settled', async () => {
  const [here, there] = [await nodes.open(), await nodes.open()];
  const http = await serve(there);
  const token = await signIn(there, http);
  const gate = createGate();
  nodes.model.when('slow', [{ gate }, { text: 'done' }]);
  const session = await here.client.session(await here.client.agent());
  const turn = await here.client.submit(session, 'slow');
  await gate.reached;
  const early = await http.call(token, 'GET', `${api}/${session}/turns/${turn}?wait=0`);
  expect(early.body).toMatchObject({ status: 'running' });
  const waiting = http.call(token, 'GET', `${api}/${session}/turns/${turn}?wait=50`);
  expect([here.engine.runner.held, there.engine.runner.held]).toEqual([1, 0]);
  gate.open();
  expect(await waiting).toMatchObject({ status: 200, body: { status: 'completed', outputText: 'done' } });
});

it('while it is down: 503 that says so to everybody, not ready, alive; and it goes on by itself', async () => {
  const node = await nodes.open();
  const http = await serve(node);
  const token = await signIn(node, http);
  // Nobody has seen it yet: whose it is, only the database knows.
  const unseen = await http.newToken();
  const gate = createGate();
  nodes.model.when('slow', [{ gate }, { text: 'done' }]);
  const session = await node.client.session(await node.client.agent());
  const stream = http.stream(token, session);
  await opened(stream);
  const turn = await node.client.submit(session, 'slow');
  await gate.reached;
  expect(await http.call(token, 'GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  await nodes.server.stopHard();
  try {
    for (const [by, method, path, body] of [
      [token, 'GET', api],
      [token, 'POST', `${api}/${session}/turns`, { message: 'more' }],
      [unseen, 'GET', api],
    ] as const) {
      const answer = await http.call(by, method, path, body);
      expect(answer, `${method} ${path}`).toMatchObject({ status: 503, body: { code: 'storage_unavailable', detail: 'The database cannot be used now' } });
      expect(JSON.stringify(answer.body)).not.toMatch(/postgres|127\.0\.0\.1|ECONN/);
    }
    await eventually('it is not ready', async () => (await http.call(token, 'GET', '/readyz')).status === 503, { clock: moves });
    expect((await http.call(token, 'GET', '/readyz')).body).toMatchObject({ status: 'unavailable', detail: expect.stringContaining('store') });
    expect(await http.call(token, 'GET', '/healthz')).toMatchObject({ status: 200 });
    gate.open();
  } finally {
    await nodes.server.start();
  }
  await eventually('it is ready', async () => (await http.call(token, 'GET', '/readyz')).status === 200, { clock: moves });
  await eventually('the turn has ended', async () => (await node.client.turn(session, turn)).status === 'completed', { clock: moves });
  expect((await http.call(unseen, 'GET', `${api}/${session}`)).status).toBe(200);
  expect((await http.call(token, 'POST', `${api}/${session}/turns`, { message: 'more' })).status).toBe(202);
  await eventually('the stream goes on', () => told(stream, 'turn.completed') === 2, { clock: moves });
});
