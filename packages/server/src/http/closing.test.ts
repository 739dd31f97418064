/** What happens to those who wait when the server closes, or when they leave. */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createMovedClock } from '../testing/http/moved-clock.ts';
import { openHttp } from '../testing/http/open-http.ts';
import { readStream, waitUntil } from '../testing/http/read-stream.ts';

const sessions = '/api/v1/agent-sessions';

test('closing ends streams, answers those who wait, and lets go of the port', async () => {
  const clock = createMovedClock();
  const server = await openHttp({ clock });
  const [session, other] = [await server.newSession(), await server.newSession()];
  const [turn, held] = [await server.submit(session, [[{ hang: true }]]), await server.submit(other, [[{ hang: true }]])];
  const stream = readStream({ port: server.port, path: `${sessions}/${session}/events/stream`, token: server.token });
  const turnStream = readStream({ port: server.port, path: `${sessions}/${session}/turns/${turn}/events/stream`, token: server.token });
  await stream.until((frames) => frames.length > 2);
  await turnStream.until((frames) => frames.length > 2);
  const waiting = server.call('GET', `${sessions}/${other}/turns/${held}?wait=600`);
  // Both streams are of one session, the wait is of the other.
  await waitUntil(() => server.app.sessions.feeds.size === 2);
  let isClosed = false;
  const closed = server.http.close().then(() => {
    isClosed = true;
  });
  expect(await waiting).toMatchObject({ status: 200, body: { id: held, status: expect.stringMatching(/^(queued|running)$/) } });
  // For these no time has to pass at all.
  await Promise.all([stream.ended, turnStream.ended]);
  // And for the close not as much as it takes at most: what has become idle is looked for again and again.
  let passed = 0;
  await waitUntil(() => {
    if (passed < 8_000) clock.move(20);
    passed += 20;
    return isClosed;
  });
  await closed;
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
  const turn = await server.submit(session, [[{ tool: { name: 'lookup' } }], [{ text: 'done' }]]);
  const controller = new AbortController();
  const waiting = fetch(`${server.url}${sessions}/${session}/turns/${turn}?wait=60`, {
    headers: { authorization: `Bearer ${server.token}` },
    signal: controller.signal,
  });
  await waitUntil(() => server.app.sessions.feeds.size === 1);
  controller.abort();
  await expect(waiting).rejects.toThrow();
  await waitUntil(() => server.app.sessions.feeds.size === 0);
  const path = `${sessions}/${session}/turns/${turn}/actions`;
  const open = async () => Object.keys((await server.call('GET', path)).body['required_actions'] as object);
  await expect.poll(open).toHaveLength(1);
  await server.call('POST', path, { request_id: (await open())[0], payload: { output: 'x' } }, { 'idempotency-key': 'answer' });
  expect((await server.settled(session, turn)).body).toMatchObject({ status: 'completed', outputText: 'done' });
  await server.close();
});

test('a wait ends with the outcome, or with its time', async () => {
  const server = await openHttp();
  const session = await server.newSession();
  const path = `${sessions}/${session}/turns/${await server.submit(session, [[{ hang: true }]])}`;
  const wait = (seconds: number) => server.call('GET', `${path}?wait=${seconds}`);
  // It may still be queued at first.
  await expect.poll(() => wait(0.05)).toMatchObject({ status: 200, body: { status: 'running' } });
  const held = wait(50);
  await waitUntil(() => server.app.sessions.feeds.size === 1);
  await server.call('POST', `${path}/cancel`, {}, { 'idempotency-key': 'cancel' });
  expect((await held).body).toMatchObject({ status: 'cancelled' });
  expect((await wait(30)).body).toMatchObject({ status: 'cancelled' });
  await server.close();
});
