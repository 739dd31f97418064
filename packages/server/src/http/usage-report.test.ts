/** What was used over a time: of whom it is told, by what it is summed, and what it says of prices. */
import { usageReport } from '@turnkeeper/core/protocol/wire/usage-report';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';

let server: OpenHttp;
beforeAll(async () => {
  server = await openHttp();
});
afterAll(() => server.close());
const asBob = () => ({ authorization: `Bearer ${server.otherToken}` });
const read = async (by: string, headers = {}, span = `from=0&to=${Date.now() + 60_000}`) => {
  const answer = await server.call('GET', `/api/v1/usage?${span}&group_by=${by}`, undefined, headers);
  expect(answer.status).toBe(200);
  return usageReport.strict().parse(answer.body);
};

const today = (): string => new Date().toISOString().slice(0, 10);
/** A session with two turns of one day, which is not long over: once more where midnight came in between. */
const twoTurns = async (): Promise<{ readonly session: string; readonly day: string }> => {
  for (;;) {
    const day = today();
    const session = await server.newSession();
    for (const text of ['one', 'two']) await server.settled(session, await server.submit(session, [[{ text }]]));
    if (today() === day) return { session, day };
    await server.call('DELETE', `/api/v1/agent-sessions/${session}`);
  }
};

test('turns are summed by each of the ways; others see nothing of them', async () => {
  const before = Date.now();
  const { session, day } = await twoTurns();
  const days = await read('day');
  expect(days).toMatchObject({ turns: 2, left_out: 0, complete: true, total: { model_calls: 2 } });
  expect(days.groups).toMatchObject([{ key: day, turns: 2, usage: days.total }]);
  expect((await read('session')).groups).toMatchObject([{ key: session, turns: 2 }]);
  expect((await read('model')).groups).toMatchObject([{ key: 'demo:script', usage: { model_calls: 2 } }]);
  expect((await read('target')).groups).toMatchObject([{ key: expect.stringMatching(/^agent:/), name: 'Script' }]);
  expect((await read('owner')).groups).toMatchObject([{ key: 'user:user_1' }]);
  expect(days.costliest.map(({ session_id }) => session_id)).toEqual([session, session]);
  expect(await read('day', asBob())).toMatchObject({ turns: 0, groups: [], complete: true });
  expect(await read('day', {}, `from=0&to=${before}`)).toMatchObject({ turns: 0 });
});

test('by key: of people and applications, with what they gave away and delegated; named for those who may list it', async () => {
  const { catalog } = server.app;
  const from = Date.now();
  const say = { message: JSON.stringify({ steps: [[{ text: 'x' }]] }) };
  const { body } = await server.call('POST', '/api/v1/applications', { name: 'Shop', members: [{ userId: 'user_2', roles: ['viewer'] }] });
  const { id } = body['application'] as { id: string };
  const wanted = { name: 'nightly', scopes: ['invoke', 'read', 'interact'], targets: [{ type: 'agent', id: '*' }] };
  const made = (await server.call('POST', `/api/v1/applications/${id}/credentials`, wanted)).body;
  const key = (made['credential'] as { id: string }).id;
  const asKey = { authorization: `Bearer ${made['apiKey']}` };
  let n = 0;
  const submit = async (session: string, message: unknown, headers: Record<string, string>): Promise<void> => {
    n += 1;
    const path = `/api/v1/agent-sessions/${session}/turns`;
    const answer = await server.call('POST', path, message, { 'idempotency-key': `by-key-${n}`, ...headers });
    expect(answer.status).toBe(202);
    await server.settled(session, String(answer.body['id']));
  };
  const theirs = String((await server.call('POST', '/api/v1/agent-sessions', { agent: 'script' }, asKey)).body['id']);
  await submit(theirs, say, asKey);
  const client = (await server.call('POST', `/api/v1/agent-sessions/${theirs}/client-tokens`, {}, asKey)).body;
  await submit(theirs, say, { authorization: `Bearer ${client['token']}` });
  // What a turn delegates is its key's, too.
  const { body: agents } = await server.call('GET', '/api/v1/agents');
  const helper = (agents['items'] as { id: string }[])[0]?.id;
  const definition = { system: '', model: 'demo:script', tools: [], subagents: [{ agentId: helper, name: 'helper', description: 'Helps.' }] };
  await server.call('POST', '/api/v1/agents', { agentKey: 'leader', displayName: 'L', definition });
  const mine = String((await server.call('POST', '/api/v1/agent-sessions', { agent: 'leader' })).body['id']);
  const delegate = { tool: { name: 'delegate', input: { name: 'helper', message: JSON.stringify({ steps: [[{ text: 'y' }]] }) } } };
  await submit(mine, { message: JSON.stringify({ steps: [[delegate], [{ text: 'z' }]] }) }, {});
  const span = `from=${from}&to=${Date.now() + 60_000}`;
  const [token] = await catalog.tokensOf('user_1', { offset: 0, limit: 1 });
  const { groups } = await read('key', {}, span);
  expect(groups.map(({ key: of, name, submitted_by, usage }) => [of, name, submitted_by, usage.model_calls]).toSorted()).toEqual(
    [
      [key, 'nightly', `app:${id}`, 2],
      [token?.id, 'test', 'user:user_1', 3],
    ].toSorted(),
  );
  expect((await read('key', asKey, span)).groups).toMatchObject([{ key, name: 'nightly' }]);
  // Bob is a member of the application, and sees what stands in a space that he shares: of whose key he is told, not what it is called.
  const { space } = (await server.call('POST', '/api/v1/spaces', { id: 'usage-team' })).body as { space: { id: string } };
  await server.call('PUT', `/api/v1/spaces/${space.id}/members/user_2`, {});
  const shared = String((await server.call('POST', '/api/v1/agent-sessions', { agent: 'script', space: space.id })).body['id']);
  await submit(shared, say, {});
  expect((await read('key', asBob(), span)).groups.map(({ key: of, name }) => [of, name]).toSorted()).toEqual(
    [
      [key, 'nightly'],
      [token?.id, ''],
    ].toSorted(),
  );
  const csv = await server.call('GET', `/api/v1/usage/csv?${span}&group_by=key`);
  expect([csv.status, csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'attachment; filename="usage-by-key.csv"',
  ]);
  expect(String(csv.body['text']).split('\r\n')).toContainEqual(expect.stringMatching(new RegExp(`^${key},nightly,2,2,.*,app:${id}$`)));
});

test('a session of many turns is read to its end', async () => {
  const session = await server.newSession();
  const from = Date.now();
  let last = '';
  for (let n = 0; n < 120; n += 1) last = await server.submit(session, [[{ text: 'x' }]]);
  await server.settled(session, last);
  expect((await read('session', {}, `from=${from}&to=${Date.now() + 60_000}`)).groups).toMatchObject([{ key: session, turns: 120 }]);
}, 60_000);

test('what is asked for must make sense', async () => {
  for (const query of ['from=5&to=5', 'from=1&to=2&group_by=mood', 'from=1&to=2&time_zone=Mars/Crater', 'from=yesterday', `from=${Date.now() + 60_000}`])
    expect((await server.call('GET', `/api/v1/usage?${query}`)).status).toBe(422);
  expect(JSON.stringify((await server.call('GET', '/api/v1/usage?from=yesterday')).body)).toContain('Unix milliseconds, a whole number');
});

test('what is not said is the last 30 days', async () => {
  const month = 30 * 86_400_000;
  const { from, to } = await read('day', {}, '');
  expect(to - from).toBe(month);
  expect(Math.abs(Date.now() - to)).toBeLessThan(60_000);
  expect(await read('day', {}, `to=${2 * month}`)).toMatchObject({ from: month, to: 2 * month });
  expect((await read('day', {}, 'from=1')).to).toBeGreaterThanOrEqual(to);
});
