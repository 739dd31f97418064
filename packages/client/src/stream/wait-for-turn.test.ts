import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClient } from '../create-client.ts';
import { createFakeServer, type FakeServer } from '../testing/fake-server.ts';
import { userSays, wholeTurn } from '../testing/turn-script.ts';

let server: FakeServer;
beforeEach(async () => {
  server = createFakeServer();
  await server.start();
});
afterEach(() => server.stop());

const client = () => createClient({ baseUrl: server.url, token: server.token });

test('waits over a restart of the server', async () => {
  server.append(...userSays('turn_1', 1, 'one'));
  const waiting = client().waitForTurn('ses_1', 'turn_1');
  await expect.poll(() => server.requests.length).toBeGreaterThan(0);
  await server.stop();
  server.append(...wholeTurn('turn_1', 1, 'one', ['done']));
  await new Promise((resolve) => setTimeout(resolve, 500));
  await server.start();
  expect(await waiting).toMatchObject({ done: true, turn: { status: 'completed', outputText: 'done' } });
});

test('time is up: the turn as it was read last', async () => {
  server.append(...userSays('turn_1', 1, 'one'));
  const waited = (timeoutMs: number) => client().waitForTurn('ses_1', 'turn_1', { timeoutMs });
  let read = await waited(300);
  // On a busy machine it may have been up before anything was read.
  for (let timeoutMs = 1_200; !read.turn; timeoutMs *= 4) read = await waited(timeoutMs);
  expect(read).toMatchObject({ done: false, turn: { status: 'queued' } });
  await server.stop();
  expect(await waited(300)).toEqual({ done: false, turn: undefined });
  await server.start();
});

test('a refusal is thrown, and so is the reason of an abort', async () => {
  await expect(client().waitForTurn('ses_1', 'turn_9')).rejects.toMatchObject({ code: 'not_found' });
  server.append(...userSays('turn_1', 1, 'one'));
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('enough')), 50);
  await expect(client().waitForTurn('ses_1', 'turn_1', { signal: controller.signal })).rejects.toThrow('enough');
});
