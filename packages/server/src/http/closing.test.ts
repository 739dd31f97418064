/** What happens to those who wait when the server closes, or when they leave. */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openHttp } from '../testing/http/open-http.ts';
import { readStream, waitUntil } from '../testing/http/read-stream.ts';

const sessions = '/api/v1/agent-sessions';

test('closing ends streams, answers those who wait, and lets go of the port', async () => {
  const server = await openHttp();
  const session = await server.newSession();
  const turn = await server.submit(session, [[{ hang: true }]]);
  const stream = readStream({ port: server.port, path: `${sessions}/${session}/events/stream`, token: server.token });
  const turnStream = readStream({ port: server.port, path: `${sessions}/${session}/turns/${turn}/events/stream`, token: server.token });
  await stream.until((frames) => frames.length > 2);
  await turnStream.until((frames) => frames.length > 2);
  const waiting = server.call('GET', `${sessions}/${session}/turns/${turn}?wait=600`);
  await waitUntil(() => server.app.sessions.feeds.size === 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const started = performance.now();
  const closed = server.http.close();
  expect(await waiting).toMatchObject({ status: 200, body: { id: turn, status: 'running' } });
  await Promise.all([stream.ended, turnStream.ended, closed]);
  expect(performance.now() - started).toBeLessThan(1_500);
  await waitUntil(() => server.http.openStreams() === 0);
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  await server.close();
});

test('CZ1 a connection that says half a sentence, one that says nothing, and one whose answer came after the close began, hold up no close', async () => {
  const server = await openHttp();
  const session = await server.newSession();
  const turn = await server.submit(session, [[{ hang: true }]]);
  const silent = connect(server.port, '127.0.0.1');
  await once(silent, 'connect');
  const gone = once(silent, 'close');
  const halting = connect(server.port, '127.0.0.1');
  await once(halting, 'connect');
  halting.write('POST /api/v1/agent-sessions HTTP/1.1\r\nHost: here\r\nContent-Le');
  const cut = once(halting, 'close');
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${server.token}` };
  const answered = new Promise<number | undefined>((resolve, reject) => {
    get({ agent, port: server.port, path: `${sessions}/${session}/turns/${turn}?wait=600`, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode));
    }).once('error', reject);
  });
  await waitUntil(() => server.app.sessions.feeds.size === 1);
  await server.http.close();
  expect(await answered).toBe(200);
  await Promise.all([gone, cut]);
  agent.destroy();
  await server.close();
}, 60_000);

test('a client that leaves stops its wait, and nothing else', async () => {
  const server = await openHttp();
  const session = await server.newSession();
  const turn = await server.submit(session, [[{ delay_ms: 300 }, { text: 'done' }]]);
  const controller = new AbortController();
  const waiting = fetch(`${server.url}${sessions}/${session}/turns/${turn}?wait=60`, {
    headers: { authorization: `Bearer ${server.token}` },
    signal: controller.signal,
  });
  await waitUntil(() => server.app.sessions.feeds.size === 1);
  controller.abort();
  await expect(waiting).rejects.toThrow();
  await waitUntil(() => server.app.sessions.feeds.size === 0);
  expect((await server.settled(session, turn)).body).toMatchObject({ status: 'completed', outputText: 'done' });
  await server.close();
});

test('a wait ends with the outcome, or with its time', async () => {
  const server = await openHttp();
  const session = await server.newSession();
  const slow = await server.submit(session, [[{ delay_ms: 400 }, { text: 'done' }]]);
  const short = await server.call('GET', `${sessions}/${session}/turns/${slow}?wait=0.05`);
  expect(short).toMatchObject({ status: 200, body: { status: 'running' } });
  expect((await server.call('GET', `${sessions}/${session}/turns/${slow}?wait=30`)).body).toMatchObject({ status: 'completed' });
  expect((await server.call('GET', `${sessions}/${session}/turns/${slow}?wait=30`)).body).toMatchObject({ status: 'completed' });
  await server.close();
});
