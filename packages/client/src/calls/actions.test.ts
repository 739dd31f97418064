import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Client, createClient } from '../create-client.ts';
import { createFakeServer, type FakeServer, problemAnswer } from '../testing/fake-server.ts';

let server: FakeServer;
let client: Client;
let sent: { path: string; key: string | undefined; body: unknown }[];
beforeEach(async () => {
  server = createFakeServer();
  sent = [];
  await server.start();
  client = createClient({ baseUrl: server.url, token: server.token });
});
afterEach(() => server.stop());

const taken = (answers: (() => ReturnType<typeof problemAnswer>)[] = []): void =>
  server.on('POST', /\/actions$/, (request, body) => {
    sent.push({ path: request.url ?? '', key: request.headers['idempotency-key'] as string | undefined, body });
    return answers.shift()?.() ?? { status: 202, body: { command: { id: 'cmd_1' }, status_url: '' } };
  });

const action = { session_id: 'ses_1', turn_id: 'turn_1', request_id: 'act_1', version: 2 };

test('list reads every page', async () => {
  server.on('GET', /\/api\/v1\/required-actions$/, (request) => {
    const after = new URL(request.url ?? '', server.url).searchParams.get('after');
    const one = (id: string) => ({ [id]: { request_id: id, kind: 'question', session_id: 'ses_1', turn_id: 'turn_1' } });
    return after === null
      ? { status: 200, body: { required_actions: one('act_1'), commands: [], next_cursor: 'c1', has_more: true } }
      : { status: 200, body: { required_actions: one(`act_${after}`), commands: [], next_cursor: null, has_more: false } };
  });
  expect((await client.actions.list()).map(({ request_id }) => request_id)).toEqual(['act_1', 'act_c1']);
});

test('each decision has the payload of its kind', async () => {
  taken();
  await client.actions.confirm(action, { input: { path: '/tmp' }, remember: true });
  await client.actions.deny(action, 'too risky');
  await client.actions.answer(action, { Colour: 'red' });
  await client.actions.complete(action, 'done');
  await client.actions.fail(action, 'no network');
  await client.actions.reconcile(action, { outcome: 'succeeded', output: 'sent', reason: 'it is in the mailbox' });
  await client.actions.fillIn(action, { city: 'Rome' });
  await client.actions.decline(action);
  await client.actions.approve(action, 'fine');
  await client.actions.reject(action);
  await client.actions.signal(action, ['any', null]);
  expect(sent.map(({ body }) => (body as { payload: unknown }).payload)).toEqual([
    { allow: true, input: { path: '/tmp' }, remember: 'session' },
    { allow: false, reason: 'too risky' },
    { answers: { Colour: 'red' } },
    { output: 'done', is_error: false },
    { output: 'no network', is_error: true },
    { outcome: 'succeeded', output: 'sent', reason: 'it is in the mailbox' },
    { submitted: true, values: { city: 'Rome' } },
    { submitted: false },
    { reason: 'fine' },
    {},
    ['any', null],
  ]);
  expect(sent.slice(8, 10)).toMatchObject([{ body: { decision: 'approved' } }, { body: { decision: 'rejected' } }]);
  expect(sent[0]).toMatchObject({ path: '/api/v1/agent-sessions/ses_1/turns/turn_1/actions', body: { request_id: 'act_1', expected_version: 2 } });
  expect(new Set(sent.map(({ key }) => key)).size).toBe(11);
});

test('[AK1] the same decision has the same key: in a retry, in a second call, in another process', async () => {
  taken([() => problemAnswer('storage_unavailable')]);
  await client.actions.confirm(action);
  await createClient({ baseUrl: server.url, token: server.token }).actions.confirm({ ...action });
  expect(sent.map(({ key }) => key)).toEqual(Array(3).fill('confirm-act_1-2'));
  // Open again with another version (its answer could not be delivered): another answer.
  await client.actions.confirm({ ...action, version: 3 });
  await client.actions.deny(action);
  await client.actions.confirm(action, {}, { idempotencyKey: 'mine' });
  expect(sent.slice(3).map(({ key }) => key)).toEqual(['confirm-act_1-3', 'deny-act_1-2', 'mine']);
});
