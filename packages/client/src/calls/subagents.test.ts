import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Client, createClient } from '../create-client.ts';
import { createFakeServer, type FakeServer } from '../testing/fake-server.ts';

let server: FakeServer;
let client: Client;
let sent: string[];
beforeEach(async () => {
  server = createFakeServer();
  sent = [];
  server.on('GET', /agent-sessions/, ({ url = '' }) => {
    sent.push(url);
    return { status: 200, body: { at: url } };
  });
  await server.start();
  client = createClient({ baseUrl: server.url, token: server.token });
});
afterEach(() => server.stop());

test('the history of a turn, and all that is read below a session, stand where the wire has them', async () => {
  const base = '/api/v1/agent-sessions/ses_1';
  const child = `${base}/subagents/ses_1-1%2F`;
  await client.turns.events('ses_1', 'turn_1');
  await client.turns.events('ses_1', 'turn_1', { after: 'c/1', limit: 5 });
  await client.subagents.event('ses_1', 'ses_1-1/', 'evt_1');
  await client.subagents.turn('ses_1', 'ses_1-1/', 'turn_1-1');
  await client.subagents.turnSnapshot('ses_1', 'ses_1-1/', 'turn_1-1');
  await client.subagents.turnEvents('ses_1', 'ses_1-1/', 'turn_1-1', { after: 'c', limit: 7 });
  await client.subagents.capabilities('ses_1', 'ses_1-1/');
  expect(sent).toEqual([
    `${base}/turns/turn_1/events`,
    `${base}/turns/turn_1/events?after=c%2F1&limit=5`,
    `${child}/events/evt_1`,
    `${child}/turns/turn_1-1`,
    `${child}/turns/turn_1-1/snapshot`,
    `${child}/turns/turn_1-1/events?after=c&limit=7`,
    `${child}/capabilities`,
  ]);
});

test('a read of it can be aborted', async () => {
  const signal = AbortSignal.abort(new Error('gone elsewhere'));
  await expect(client.turns.events('ses_1', 'turn_1', {}, { signal })).rejects.toThrow('gone elsewhere');
  await expect(client.subagents.turn('ses_1', 'ses_2', 'turn_1', { signal })).rejects.toThrow('gone elsewhere');
});
