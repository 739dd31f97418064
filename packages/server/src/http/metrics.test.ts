/** HM1: who may read the metrics. */
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';
import type { AnsweredRequest } from './answered-requests.ts';

let server: OpenHttp | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const read = async () => ({ contentType: 'text/plain; version=0.0.4; charset=utf-8', text: 'up 1\n' });
const status = async (headers: Record<string, string> = {}): Promise<number> => (await fetch(`${server?.url}/metrics`, { headers })).status;
const bearer = (token: string | undefined) => ({ authorization: `Bearer ${token}` });

/** With a Host that `fetch` would not send. */
const statusByHost = (host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect(server?.port ?? 0, '127.0.0.1', () => socket.write(`GET /metrics HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`));
    socket.once('error', reject);
    socket.once('data', (data) => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(String(data))?.[1])));
  });

test('this machine and admins may, others may not', async () => {
  server = await openHttp({ metrics: { read } });
  const answer = await fetch(`${server.url}/metrics`);
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8', 'up 1\n']);
  expect(await status(bearer(server.token))).toBe(200);
  expect(await status(bearer(server.otherToken))).toBe(403);
  expect(await status(bearer('no-such-token'))).toBe(401);
});

test('what a proxy passed on, or a page elsewhere asks for, is not from this machine', async () => {
  server = await openHttp({ metrics: { read } });
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) expect(await status({ [name]: '127.0.0.1' }), name).toBe(401);
  expect(await statusByHost('evil.example')).toBe(401);
  expect(await statusByHost('localhost:1')).toBe(200);
});

test('with a public address, or a token of its own, this machine needs a token as others do', async () => {
  server = await openHttp({ metrics: { read }, publicUrl: 'https://turnkeeper.example' });
  expect([await status(), await status(bearer(server.token))]).toEqual([401, 200]);
  await server.close();
  const token = 'a-token-of-scrapers';
  server = await openHttp({ metrics: { read, token } });
  expect([await status(), await status(bearer(token)), await status(bearer(server.token)), await status(bearer(`${token}x`))]).toEqual([401, 200, 200, 401]);
  // It opens nothing else.
  expect((await server.call('GET', '/api/v1/agents', undefined, bearer(token))).status).toBe(401);
});

test('every request is told by its template, without what was in it', async () => {
  const told: AnsweredRequest[] = [];
  server = await openHttp({ requestAnswered: (request) => told.push(request) });
  const session = await server.newSession();
  await server.call('GET', `/api/v1/agent-sessions/${session}?x=secret`);
  await server.call('GET', '/api/v1/nothing/here');
  const stream = await fetch(`${server.url}/api/v1/agent-sessions/${session}/events/stream`, { headers: bearer(server.token) });
  await stream.body?.cancel();
  await expect.poll(() => told.some((request) => request.stream)).toBe(true);
  expect(told.map(({ method, route, status: code, stream: streams }) => [method, route, code, streams])).toEqual([
    ['POST', '/api/v1/agent-sessions', 201, false],
    ['GET', '/api/v1/agent-sessions/:sessionId', 200, false],
    ['GET', '/*', 404, false],
    ['GET', '/api/v1/agent-sessions/:sessionId/events/stream', 200, true],
  ]);
  expect(JSON.stringify(told)).not.toMatch(/ses_|secret/);
});
