/** Sessions and agents of others, over HTTP: spaces, applications, keys. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type OpenHttp, openHttp } from '../testing/http/open-http.ts';

let server: OpenHttp;
beforeAll(async () => {
  server = await openHttp();
});
afterAll(() => server.close());

const sessions = '/api/v1/agent-sessions';
const by = (token: string) => ({ authorization: `Bearer ${token}` });
const byKey = (key: string) => ({ authorization: '', 'x-api-key': key });
const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> => server.call(method, path, body, headers);
const member = (body: Record<string, unknown>, ...path: string[]): unknown =>
  path.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], body);
const idsOf = ({ body }: Answer): unknown[] => (body['items'] as { id: unknown }[]).map(({ id }) => id);

let count = 0;
const fresh = (name: string): string => {
  count += 1;
  return `${name}-${count}`;
};
const newAgent = async (space?: string): Promise<{ readonly id: string; readonly key: string }> => {
  const agentKey = fresh('agent');
  const definition = { system: '', model: 'demo:script', tools: [] };
  const { status, body } = await call('POST', '/api/v1/agents', { agentKey, displayName: 'A', definition, ...(space === undefined ? {} : { space }) });
  expect(status).toBe(201);
  return { id: String(member(body, 'agent', 'id')), key: agentKey };
};
const newSpace = async (...members: readonly string[]): Promise<string> => {
  const id = fresh('space');
  expect((await call('POST', '/api/v1/spaces', { id })).status).toBe(201);
  for (const userId of members) expect((await call('PUT', `/api/v1/spaces/${id}/members/${userId}`, {})).status).toBe(200);
  return id;
};
const newApplication = async (body: object = {}, token = server.token): Promise<string> =>
  String(member((await call('POST', '/api/v1/applications', { name: 'App', ...body }, by(token))).body, 'application', 'id'));
const newKey = async (application: string, body: object = {}, token = server.token): Promise<string> => {
  const wanted = { name: 'key', scopes: ['invoke', 'read', 'interact', 'cancel'], targets: [{ type: 'agent', id: '*' }], ...body };
  const made = await call('POST', `/api/v1/applications/${application}/credentials`, wanted, by(token));
  expect([made.status, made.body]).toEqual([201, expect.anything()]);
  return String(made.body['apiKey']);
};
const newSession = async (body: object, headers: Record<string, string>): Promise<string> => {
  const made = await call('POST', sessions, { agent: 'script', ...body }, headers);
  expect([made.status, made.body]).toEqual([201, expect.anything()]);
  return String(made.body['id']);
};

describe('a space', () => {
  test('takes sessions of those who belong to it, and shows them theirs; for others it is not there', async () => {
    const space = await newSpace('user_2');
    const closed = await newSpace();
    const session = await newSession({ space }, by(server.otherToken));
    for (const wanted of [closed, 'nowhere'])
      expect(await call('POST', sessions, { agent: 'script', space: wanted }, by(server.otherToken))).toMatchObject({
        status: 404,
        body: { pointer: '/space' },
      });
    // An admin may use any that there is.
    expect((await call('POST', sessions, { agent: 'script', space: 'nowhere' })).status).toBe(404);
    const mine = await newSession({ space: closed }, {});
    expect(idsOf(await call('GET', `${sessions}?space=${space}`))).toEqual([session]);
    expect(idsOf(await call('GET', `${sessions}?space=${closed}`, undefined, by(server.otherToken)))).toEqual([]);
    expect(idsOf(await call('GET', `${sessions}?space=${closed}`))).toEqual([mine]);
    expect(await call('POST', `${sessions}/${session}/archive`, {})).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await call('DELETE', `${sessions}/${session}`)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  test('has agents that are there for its members only', async () => {
    const space = await newSpace();
    const { id, key } = await newAgent(space);
    for (const name of [id, key]) {
      expect((await call('GET', `/api/v1/agents/${name}`, undefined, by(server.otherToken))).status).toBe(404);
      expect((await call('GET', `/api/v1/agents/${name}/versions/1`, undefined, by(server.otherToken))).status).toBe(404);
      expect((await call('POST', sessions, { agent: name }, by(server.otherToken))).status).toBe(404);
    }
    const listed = async () => idsOf(await call('GET', '/api/v1/agents?limit=200', undefined, by(server.otherToken)));
    expect(await listed()).not.toContain(id);
    expect((await call('PUT', `/api/v1/spaces/${space}/members/user_2`, {})).status).toBe(200);
    expect(await listed()).toContain(id);
    await newSession({ agent: key }, by(server.otherToken));
    expect(
      await call('POST', '/api/v1/agents', { agentKey: fresh('agent'), displayName: 'A', space: 'nowhere', definition: { system: '', model: 'demo:echo' } }),
    ).toMatchObject({ status: 404, body: { pointer: '/space' } });
  });

  test('lets its members read what its sessions said, and fork none of it: a fork’s owner could ask for what only the model is shown', async () => {
    const space = await newSpace('user_2');
    const session = await newSession({ agent: (await newAgent(space)).key, space }, {});
    expect((await call('GET', `${sessions}/${session}`, undefined, by(server.otherToken))).status).toBe(200);
    const forked = await call('POST', `${sessions}/${session}/fork`, { reason: 'curious' }, { ...by(server.otherToken), 'idempotency-key': fresh('fork') });
    expect(forked).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  test('default has no members: its sessions are their owners’ alone', async () => {
    const session = await newSession({}, {});
    expect(await call('POST', '/api/v1/spaces', { id: 'default' })).toMatchObject({ status: 409, body: { code: 'already_exists' } });
    expect(await call('PUT', '/api/v1/spaces/default/members/user_2', {})).toMatchObject({ status: 409, body: { code: 'not_supported' } });
    expect((await call('GET', `${sessions}/${session}`, undefined, by(server.otherToken))).status).toBe(404);
  });
});

describe('a list of sessions', () => {
  test('is by owner what the caller may read of it', async () => {
    const application = await newApplication({ members: [{ userId: 'user_2', roles: ['viewer'] }] });
    const ofKey = await newSession({}, byKey(await newKey(application)));
    const ofAnn = await newSession({}, {});
    const ofBob = await newSession({}, by(server.otherToken));
    const list = async (query: string, token = server.otherToken) => idsOf(await call('GET', `${sessions}?limit=200&${query}`, undefined, by(token)));
    expect(await list('')).toEqual(expect.arrayContaining([ofKey, ofBob]));
    expect(await list('')).not.toContain(ofAnn);
    expect(await list('owner=me')).toContain(ofBob);
    expect(await list('owner=me')).not.toContain(ofKey);
    expect(await list(`owner=app:${application}`)).toEqual([ofKey]);
    expect(await list('owner=user:user_1')).not.toContain(ofAnn);
    expect(await list('owner=all', server.token)).toEqual(expect.arrayContaining([ofKey, ofAnn, ofBob]));
    expect(await list('owner=user:user_2', server.token)).toContain(ofBob);
    expect(await list('', server.token)).not.toContain(ofBob);
    expect(await call('GET', `${sessions}?owner=all`, undefined, by(server.otherToken))).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await call('GET', `${sessions}?owner=ann`)).toMatchObject({ status: 422 });
    expect(await list('container=tool/x&space=default', server.token)).toEqual([]);
  });

  test('of a key holds what it is granted, in full pages', async () => {
    const other = await newAgent();
    const application = await newApplication();
    const all = byKey(await newKey(application));
    const one = byKey(await newKey(application, { targets: [{ type: 'agent', id: other.key }] }));
    const granted: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      granted.unshift(await newSession({ agent: other.id }, one));
      await newSession({}, all);
      await newSession({}, all);
    }
    const first = await call('GET', `${sessions}?limit=2`, undefined, one);
    expect(idsOf(first)).toEqual(granted.slice(0, 2));
    const second = await call('GET', `${sessions}?limit=2&offset=${first.body['next_offset']}`, undefined, one);
    expect([idsOf(second), second.body['next_offset']]).toEqual([granted.slice(2), null]);
    expect(idsOf(await call('GET', sessions, undefined, all))).toHaveLength(9);
    const mute = byKey(await newKey(application, { scopes: ['invoke'] }));
    expect(await call('GET', sessions, undefined, mute)).toMatchObject({ status: 403, body: { code: 'scope_missing', scope: 'read' } });
  });
});

describe('a key', () => {
  test('opens sessions with what it is granted; for all else the answer is the same, there or not', async () => {
    const [mine, other] = [await newAgent(), await newAgent()];
    const application = await newApplication();
    const key = byKey(await newKey(application, { targets: [{ type: 'agent', id: mine.key }] }));
    for (const agent of [mine.id, mine.key]) await newSession({ agent }, key);
    const refusal = async (agent: string) => {
      const { status, body } = await call('POST', sessions, { agent }, key);
      return [status, { ...body, request_id: '', target: '', detail: String(body['detail']).replaceAll(agent, '…') }];
    };
    const words = await Promise.all([other.id, other.key, 'nobody'].map(refusal));
    expect(words[0]).toMatchObject([403, { code: 'target_not_granted' }]);
    expect(new Set(words.map((entry) => JSON.stringify(entry))).size).toBe(1);
    expect((await call('GET', `/api/v1/agents/${mine.key}`, undefined, key)).status).toBe(200);
    expect((await call('GET', `/api/v1/agents/${other.key}`, undefined, key)).status).toBe(404);
    expect(idsOf(await call('GET', '/api/v1/agents', undefined, key))).toEqual([mine.id]);
    const mute = byKey(await newKey(application, { scopes: ['read'] }));
    expect(await call('POST', sessions, { agent: 'nobody' }, mute)).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
  });

  test('TG1: with all agents reaches those of the space default, as whoever made it', async () => {
    const hidden = await newAgent(await newSpace());
    const application = await newApplication({}, server.otherToken);
    const key = byKey(await newKey(application, {}, server.otherToken));
    expect((await call('POST', sessions, { agent: hidden.id }, key)).status).toBe(404);
    expect(idsOf(await call('GET', '/api/v1/agents?limit=200', undefined, key))).not.toContain(hidden.id);
    const wanted = {
      name: 'k',
      scopes: ['read'],
      targets: [
        { type: 'agent', id: 'script' },
        { type: 'agent', id: hidden.key },
        { type: 'team', id: 'x' },
      ],
    };
    const refused = await call('POST', `/api/v1/applications/${application}/credentials`, wanted, by(server.otherToken));
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/targets/1/id' }, { pointer: '/targets/2/id' }] } });
    const granted = byKey(await newKey(application, { targets: [{ type: 'agent', id: hidden.key }] }));
    // What another key of the application did with it is out of reach, too.
    const session = await newSession({ agent: hidden.id }, granted);
    expect((await call('GET', `${sessions}/${session}`, undefined, granted)).status).toBe(200);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/archive'],
    ] as const)
      expect(await call(method, `${sessions}/${session}${path}`, method === 'POST' ? {} : undefined, key)).toMatchObject({
        status: 403,
        body: { code: 'target_not_granted' },
      });
    expect(idsOf(await call('GET', sessions, undefined, key))).not.toContain(session);
  });

  test('places sessions in default only, and sees those of its application only', async () => {
    const space = await newSpace();
    const [one, two] = [await newApplication(), await newApplication()];
    const key = byKey(await newKey(one));
    const session = await newSession({}, key);
    expect(await call('POST', sessions, { agent: 'script', space }, key)).toMatchObject({ status: 404, body: { pointer: '/space' } });
    const foreign = byKey(await newKey(two));
    expect((await call('GET', `${sessions}/${session}`, undefined, foreign)).status).toBe(404);
    expect((await call('GET', `${sessions}/${session}`, undefined, byKey(await newKey(one)))).status).toBe(200);
  });

  test('that may not read still archives, deletes and creates, without being told more', async () => {
    const application = await newApplication();
    const key = byKey(await newKey(application, { scopes: ['invoke'] }));
    const session = await newSession({}, key);
    expect(await call('POST', `${sessions}/${session}/archive`, {}, key)).toMatchObject({ status: 200, body: { archived: true } });
    expect((await call('GET', `${sessions}/${session}`, undefined, key)).status).toBe(403);
    expect((await call('DELETE', `${sessions}/${session}`, undefined, key)).status).toBe(204);
    expect((await call('GET', `${sessions}/${session}`)).status).toBe(404);
  });
});

test('A8: values of headers and environments are shown to admins only', async () => {
  const agentKey = fresh('agent');
  const tools = [
    {
      type: 'http',
      name: 'look',
      description: 'd',
      inputSchema: { type: 'object' },
      request: { method: 'POST', url: 'https://a.example/', headers: { 'x-token': 'hush' }, body: { deep: [{ $secret: 'HUSH' }], plain: 1 } },
    },
  ];
  const mcpServers = [
    { name: 'one', command: 'true', env: { TOKEN: 'hush', OTHER: { $secret: 'HUSH' } } },
    { name: 'two', url: 'https://b.example/', headers: { authorization: 'hush' } },
  ];
  expect((await call('POST', '/api/v1/agents', { agentKey, displayName: 'A', definition: { system: '', model: 'demo:echo', tools, mcpServers } })).status).toBe(
    201,
  );
  for (const path of ['', '/versions', '/versions/1']) {
    const shown = JSON.stringify((await call('GET', `/api/v1/agents/${agentKey}${path}`, undefined, by(server.otherToken))).body);
    expect(shown).not.toMatch(/hush/i);
    expect(shown.match(/\[hidden\]/g)).toHaveLength(5);
    expect(shown).toContain('"body":{"deep":["[hidden]"],"plain":1}');
    expect(JSON.stringify((await call('GET', `/api/v1/agents/${agentKey}${path}`)).body).match(/hush/gi)).toHaveLength(5);
  }
});

test('a spent budget of tokens is not asked for again every second', async () => {
  const key = await newKey(await newApplication({ tokenBudget: 0 }));
  const session = await newSession({}, byKey(key));
  const refused = await call('POST', `${sessions}/${session}/turns`, { message: 'x' }, { ...byKey(key), 'idempotency-key': 'spent' });
  expect(refused).toMatchObject({ status: 429, body: { code: 'token_budget_exhausted', limit: 0, used: 0 } });
  expect(refused.headers.get('retry-after')).toBe('3600');
});
