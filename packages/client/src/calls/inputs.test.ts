import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Client, createClient } from '../create-client.ts';
import { createFakeServer, type FakeServer } from '../testing/fake-server.ts';

let server: FakeServer;
let client: Client;
let sent: { readonly call: string; readonly key: string | undefined; readonly body: unknown }[];
beforeEach(async () => {
  server = createFakeServer();
  sent = [];
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
    server.on(method, /agent-sessions/, (request, body) => {
      sent.push({ call: `${method} ${request.url}`, key: request.headers['idempotency-key'] as string | undefined, body });
      return { status: 200, body: {} };
    });
  }
  await server.start();
  client = createClient({ baseUrl: server.url, token: server.token });
});
afterEach(() => server.stop());

test('inputs and the queue stand where the wire has them', async () => {
  const key = { idempotencyKey: 'k' };
  await client.inputs.steer('ses_1', 'turn_1', { message: 'mind' }, key);
  await client.inputs.inject('ses_1', { message: 'know' }, key);
  await client.inputs.list('ses_1', { limit: 5 });
  await client.queue.get('ses_1');
  await client.queue.reorder('ses_1', ['turn_2', 'turn_1'], 'v1');
  await client.queue.remove('ses_1', 'turn_2', key);
  await client.turns.submit('ses_1', { message: 'go', onBusy: 'interrupt' }, key);
  const base = '/api/v1/agent-sessions/ses_1';
  expect(sent.map(({ call }) => call)).toEqual([
    `POST ${base}/turns/turn_1/steer`,
    `POST ${base}/inputs/inject`,
    `GET ${base}/inputs?limit=5`,
    `GET ${base}/queue`,
    `PUT ${base}/queue`,
    `DELETE ${base}/queue/turn_2`,
    `POST ${base}/turns`,
  ]);
  expect(sent.map((call) => call.key)).toEqual(['k', 'k', undefined, undefined, undefined, 'k', 'k']);
  expect(sent[4]?.body).toEqual({ order: ['turn_2', 'turn_1'], version: 'v1' });
  expect(sent[6]?.body).toEqual({ message: 'go', onBusy: 'interrupt' });
});
