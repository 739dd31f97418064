/** HY1, HY2: who is told who answered what, and from where. */
import { answeredActionsPage } from '@turnkeeper/core/protocol/wire/actions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';

const sessions = '/api/v1/agent-sessions';
let server: OpenHttp;
let space: string;
beforeAll(async () => {
  server = await openHttp();
  const made = await server.call('POST', '/api/v1/spaces', { id: 'answers-team' });
  space = (made.body['space'] as { id: string }).id;
  await server.call('PUT', `/api/v1/spaces/${space}/members/user_2`, {});
});
afterAll(() => server.close());

const asBob = () => ({ authorization: `Bearer ${server.otherToken}` });
const read = async (query = '', headers = {}) => {
  const answer = await server.call('GET', `/api/v1/required-actions/answered${query}`, undefined, headers);
  expect(answer.status).toBe(200);
  return answeredActionsPage.strict().parse(answer.body);
};

/** A session in which a tool's result was given by whoever owns it. */
const answered = async (title: string, headers: Record<string, string> = {}, more: object = {}): Promise<string> => {
  const initialMessage = { message: JSON.stringify({ steps: [[{ tool: { name: 'lookup' } }], [{ text: 'done' }]] }) };
  const made = await server.call('POST', sessions, { agent: 'script', title, initialMessage, ...more }, { 'idempotency-key': title, ...headers });
  const { id, turnId } = made.body;
  const path = `${sessions}/${id}/turns/${turnId}/actions`;
  await expect.poll(async () => Object.keys((await server.call('GET', path, undefined, headers)).body['required_actions'] as object)).toHaveLength(1);
  const [action] = Object.keys((await server.call('GET', path, undefined, headers)).body['required_actions'] as object);
  const body = { request_id: action, payload: { output: 'snow' } };
  expect((await server.call('POST', path, body, { 'idempotency-key': `answer ${title}`, ...headers })).status).toBe(202);
  return String(id);
};

test('everybody is told of the sessions that they may read, and of no others; from where an answer came, of their own', async () => {
  const hidden = await answered('hidden');
  const shared = await answered('shared', {}, { space });
  const bobs = await answered('of Bob', asBob());
  const all = await read();
  expect(all.data.map(({ session_title, answered_by, outcome, tool, address }) => [session_title, answered_by, outcome, tool, address])).toEqual([
    ['of Bob', 'user:user_2', 'answered', 'lookup', '127.0.0.1'],
    ['shared', 'user:user_1', 'answered', 'lookup', '127.0.0.1'],
    ['hidden', 'user:user_1', 'answered', 'lookup', '127.0.0.1'],
  ]);
  expect([all.has_more, all.next_cursor]).toEqual([false, null]);
  const { data } = await read('', asBob());
  expect(data.map(({ session_id, answered_by_name, address, credential_id }) => [session_id, answered_by_name, address, typeof credential_id])).toEqual([
    [bobs, 'bob', '127.0.0.1', 'string'],
    // He reads it, and controls it no more than that.
    [shared, 'ann', null, 'object'],
  ]);
  expect(JSON.stringify(all)).not.toContain('snow');
  // What is gone is not told of any more.
  expect((await server.call('DELETE', `${sessions}/${hidden}`)).status).toBe(204);
  expect((await read()).data.map(({ session_id }) => session_id)).toEqual([bobs, shared]);
});

test('comes in pages, and a cursor is one of this list', async () => {
  const first = await read('?limit=1');
  expect([first.data.length, first.has_more]).toEqual([1, true]);
  const second = await read(`?limit=1&after=${first.next_cursor}`);
  expect(second.data[0]?.at).toBeLessThanOrEqual(first.data[0]?.at ?? 0);
  expect(second.data[0]?.id).not.toBe(first.data[0]?.id);
  const { body } = await server.call('GET', '/api/v1/audit?limit=1');
  for (const after of ['x', String(body['next_cursor'])])
    expect(await server.call('GET', `/api/v1/required-actions/answered?after=${after}`)).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
});

test('no key is told', async () => {
  const { body } = await server.call('POST', '/api/v1/applications', { name: 'App' });
  const { id } = body['application'] as { id: string };
  const wanted = { name: 'k', scopes: ['invoke', 'read', 'interact'], targets: [{ type: 'agent', id: '*' }] };
  const key = (await server.call('POST', `/api/v1/applications/${id}/credentials`, wanted)).body;
  const answer = await server.call('GET', '/api/v1/required-actions/answered', undefined, { authorization: `Bearer ${key['apiKey']}` });
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});
