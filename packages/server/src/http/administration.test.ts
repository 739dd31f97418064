/** Administration over HTTP: who may, what is answered, and what the audit log tells of it. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMovedClock } from '../testing/http/moved-clock.ts';
import { type Answer, type OpenHttp, openHttp } from '../testing/http/open-http.ts';

let server: OpenHttp;
beforeAll(async () => {
  server = await openHttp({ rateLimits: { requests: 1_000_000, failedSignIns: 1_000 } });
});
afterAll(() => server.close());

const by = (token: string) => ({ authorization: `Bearer ${token}` });
const byKey = (key: string) => ({ authorization: '', 'x-api-key': key });
const nobody = { authorization: '' };
const bob = () => by(server.otherToken);
const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
  server.call(method, path.startsWith('/api') ? path : `/api/v1${path}`, body, headers);
const member = (body: unknown, ...path: string[]): unknown => path.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], body);
const items = ({ body }: Answer) => body['items'] as Record<string, unknown>[];
const refused = (status: number, code: string, ...pointers: string[]) => ({
  status,
  body: { code, ...(pointers.length > 0 ? { errors: pointers.map((pointer) => ({ pointer })) } : {}) },
});

let count = 0;
const newUser = async (body: object = {}) => {
  count += 1;
  const username = `user-${count}`;
  const made = await call('POST', '/users', { username, ...body });
  expect(made.status).toBe(201);
  return { username, id: String(member(made.body, 'user', 'id')) };
};
const newApplication = async (body: object = {}, headers = bob()): Promise<string> =>
  String(member((await call('POST', '/applications', { name: 'App', ...body }, headers)).body, 'application', 'id'));

describe('users', () => {
  test('are made, read, listed and changed by admins', async () => {
    const made = await call('POST', '/users', { username: 'Mei', displayName: 'Mei Lin', password: 'a long pass phrase' });
    const user = { username: 'Mei', displayName: 'Mei Lin', roles: ['user'], status: 'active', hasPassword: true };
    expect(made).toMatchObject({ status: 201, body: { user } });
    const path = `/users/${member(made.body, 'user', 'id')}`;
    expect((await call('GET', path)).body).toMatchObject({ user });
    expect(items(await call('GET', '/users'))).toContainEqual(expect.objectContaining(user));
    const changed = await call('PATCH', path, { displayName: 'Mei', roles: ['admin', 'user', 'admin'].slice(0, 2) });
    expect(changed).toMatchObject({ status: 200, body: { user: { ...user, displayName: 'Mei', roles: ['admin', 'user'] } } });
    expect(await call('PATCH', '/users/nobody', { displayName: 'x' })).toMatchObject(refused(404, 'not_found'));
    expect(await call('POST', '/users', { username: 'mei' })).toMatchObject(refused(409, 'already_exists'));
    const faulty = await call('POST', '/users', { username: 'a b', password: 'short', rolls: [] });
    expect(faulty).toMatchObject({ status: 422 });
    expect((faulty.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer).toSorted()).toEqual(['/password', '/rolls', '/username']);
    expect(JSON.stringify([made.body, changed.body])).not.toMatch(/scrypt|phrase/);
    expect((await call('PATCH', path, { roles: ['user'] })).status).toBe(200);
    expect(await call('PATCH', '/users/user_1', { roles: ['user'] })).toMatchObject(refused(409, 'last_admin'));
  });

  test('sign in by name and password, and out', async () => {
    const { username, id } = await newUser({ password: 'a long pass phrase' });
    const signedIn = await call('POST', '/api/auth/login', { username, password: 'a long pass phrase' }, nobody);
    expect(signedIn).toMatchObject({ status: 200, body: { token: expect.stringMatching(/^tk_/), user: { id, username } } });
    const headers = by(String(signedIn.body['token']));
    expect((await call('GET', '/api/auth/me', undefined, headers)).body).toMatchObject({ user: { id, hasPassword: true } });
    const [token] = items(await call('GET', '/tokens', undefined, headers));
    expect(token).toMatchObject({ name: 'browser', current: true, expiresAt: Number(token?.['createdAt']) + 30 * 86_400_000 });
    for (const wrong of [
      { username, password: 'a wrong pass phrase' },
      { username: 'nobody', password: 'a long pass phrase' },
    ])
      expect(await call('POST', '/api/auth/login', wrong, nobody)).toMatchObject(refused(401, 'unauthenticated'));
    expect((await call('POST', '/api/auth/logout', {}, headers)).status).toBe(204);
    expect((await call('GET', '/api/auth/me', undefined, headers)).status).toBe(401);
  });

  test('set their own password by the present one; others’ are set by admins', async () => {
    const { username, id } = await newUser({ password: 'a long pass phrase' });
    const signIn = (password: string) => call('POST', '/api/auth/login', { username, password }, nobody);
    const headers = by(String((await signIn('a long pass phrase')).body['token']));
    const password = 'another pass phrase';
    expect(await call('PUT', `/users/${id}/password`, { password }, headers)).toMatchObject(refused(403, 'forbidden'));
    expect(await call('PUT', `/users/${id}/password`, { password }, bob())).toMatchObject(refused(403, 'forbidden'));
    expect((await call('PUT', `/users/${id}/password`, { password, currentPassword: 'a long pass phrase' }, headers)).status).toBe(204);
    expect([(await signIn('a long pass phrase')).status, (await signIn(password)).status]).toEqual([401, 200]);
    expect((await call('PUT', `/users/${id}/password`, { password: 'set by an admin' })).status).toBe(204);
    expect((await call('GET', '/api/auth/me', undefined, headers)).status).toBe(401);
    expect((await signIn('set by an admin')).status).toBe(200);
    expect(await call('PUT', '/users/nobody/password', { password })).toMatchObject(refused(404, 'not_found'));
  });
});

describe('applications', () => {
  test('are made by any user, who owns them; members read, others see nothing', async () => {
    const { id: viewer } = await newUser();
    const body = { name: ' Shop ', maxConcurrent: 2, members: [{ userId: viewer, roles: ['viewer'] }] };
    const made = await call('POST', '/applications', body, bob());
    const roles = ['viewer', 'operator', 'approver'];
    expect(made).toMatchObject({
      status: 201,
      body: {
        application: {
          ...{ name: 'Shop', description: '', status: 'active', maxConcurrent: 2, tokenBudget: null, ownerId: 'user_2', version: 1 },
          usage: { running: 0, unfinished: 0, tokens: 0 },
          members: [
            { userId: viewer, roles: ['viewer'] },
            { userId: 'user_2', roles },
          ],
        },
      },
    });
    const path = `/applications/${member(made.body, 'application', 'id')}`;
    const seen = by((await server.identity.issueToken(viewer, 'test', null)) as string);
    const stranger = by(await server.identity.issueToken((await newUser()).id, 'test', null));
    expect([(await call('GET', path, undefined, seen)).status, (await call('GET', path)).status]).toEqual([200, 200]);
    for (const tail of ['', '/credentials']) expect(await call('GET', `${path}${tail}`, undefined, stranger)).toMatchObject(refused(404, 'not_found'));
    expect(items(await call('GET', '/applications', undefined, seen))).toHaveLength(1);
    expect(items(await call('GET', '/applications', undefined, stranger))).toEqual([]);
    for (const headers of [seen, stranger]) {
      const status = headers === seen ? 403 : 404;
      expect((await call('PATCH', path, { version: 1, name: 'x' }, headers)).status).toBe(status);
      expect((await call('POST', `${path}/credentials`, { name: 'k', scopes: ['read'], targets: [{ type: 'agent', id: '*' }] }, headers)).status).toBe(status);
    }
    expect(await call('PATCH', path, { version: 1, members: [{ userId: 'nobody', roles: ['viewer'] }] }, bob())).toMatchObject(
      refused(422, 'validation_failed', '/members/0/userId'),
    );
    expect(await call('PATCH', path, { version: 1, members: [], tokenBudget: 5 }, bob())).toMatchObject({
      status: 200,
      body: { application: { version: 2, members: [], tokenBudget: 5, maxConcurrent: 2 } },
    });
    expect(await call('PATCH', path, { version: 1, name: 'x' }, bob())).toMatchObject({ ...refused(409, 'version_conflict') });
    expect((await call('GET', path, undefined, seen)).status).toBe(404);
    expect((await call('GET', path, undefined, bob())).status).toBe(200);
  });

  test('have keys that say who they are, and administer nothing', async () => {
    const path = `/applications/${await newApplication()}/credentials`;
    const wanted = { name: 'k', scopes: ['read'], targets: [{ type: 'agent', id: 'script' }] };
    const made = await call('POST', path, wanted, bob());
    const { id } = made.body['credential'] as { id: string };
    const agent = String(member((await call('GET', '/agents/script')).body, 'agent', 'id'));
    const targets = [{ type: 'agent', id: agent }];
    expect(made).toMatchObject({ status: 201, body: { credential: { targets, expiresAt: null, revokedAt: null, rotatedFrom: null } } });
    const key = byKey(String(made.body['apiKey']));
    expect((await call('GET', '/api/auth/me', undefined, key)).body).toEqual({
      key: { id, applicationId: path.split('/')[2], applicationName: 'App', scopes: ['read'], targets },
    });
    // By the other header, too.
    expect((await call('GET', '/api/auth/me', undefined, by(String(made.body['apiKey'])))).status).toBe(200);
    const administers: [string, string, unknown?][] = [
      ['GET', '/tokens'],
      ['POST', '/tokens', { name: 't' }],
      ['GET', '/users'],
      ['GET', '/users/user_1'],
      ['PUT', '/users/user_1/password', { password: 'a long pass phrase' }],
      ['GET', '/spaces'],
      ['POST', '/spaces', { id: 'x' }],
      ['GET', '/applications'],
      ['GET', path],
      ['POST', path, wanted],
      ['POST', `${path}/${id}/rotate`, {}],
      ['DELETE', `${path}/${id}`],
      ['GET', '/secrets'],
      ['PUT', '/secrets/A', { value: 'v' }],
      ['GET', '/audit'],
      ['POST', '/api/auth/logout', {}],
      ['POST', '/agents', { agentKey: 'a', displayName: 'A', definition: { system: '', model: 'demo:echo' } }],
    ];
    for (const [method, route, body] of administers) expect([route, await call(method, route, body, key)]).toMatchObject([route, refused(403, 'forbidden')]);
    expect((await call('DELETE', `${path}/${id}`, undefined, bob())).status).toBe(204);
    expect((await call('GET', '/api/auth/me', undefined, key)).status).toBe(401);
    expect(items(await call('GET', path, undefined, bob()))).toMatchObject([{ id, revokedAt: expect.any(Number) }]);
    expect(await call('POST', path, { ...wanted, expiresAt: 5 }, bob())).toMatchObject(refused(422, 'validation_failed', '/expiresAt'));
  });
});

describe('spaces', () => {
  test('are made by admins and changed by their managers', async () => {
    expect(await call('POST', '/spaces', { id: 'team' }, bob())).toMatchObject(refused(403, 'forbidden'));
    expect(await call('POST', '/spaces', { id: 'team', name: 'Team' })).toMatchObject({
      status: 201,
      body: { space: { id: 'team', name: 'Team', role: 'manager' } },
    });
    expect(await call('POST', '/spaces', { id: 'team' })).toMatchObject(refused(409, 'already_exists'));
    expect(await call('GET', '/spaces/team', undefined, bob())).toMatchObject(refused(404, 'not_found'));
    expect(await call('PUT', '/spaces/team/members/nobody', {})).toMatchObject(refused(422, 'validation_failed', '/userId'));
    expect(await call('PUT', '/spaces/team/members/user_2', {})).toMatchObject({ status: 200, body: { userId: 'user_2', username: 'bob', role: 'member' } });
    expect(items(await call('GET', '/spaces', undefined, bob()))).toMatchObject([
      { id: 'default', role: null },
      { id: 'team', role: 'member' },
    ]);
    expect(items(await call('GET', '/spaces/team/members', undefined, bob())).map(({ userId, role }) => [userId, role])).toEqual(
      expect.arrayContaining([
        ['user_1', 'manager'],
        ['user_2', 'member'],
      ]),
    );
    for (const [method, path, body] of [
      ['PATCH', '/spaces/team', { name: 'Ours' }],
      ['PUT', '/spaces/team/members/user_2', { role: 'manager' }],
      ['DELETE', '/spaces/team/members/user_1', undefined],
    ] as const)
      expect(await call(method, path, body, bob())).toMatchObject(refused(403, 'forbidden'));
    expect((await call('PUT', '/spaces/team/members/user_2', { role: 'manager' })).status).toBe(200);
    expect(await call('PATCH', '/spaces/team', { name: 'Ours' }, bob())).toMatchObject({ status: 200, body: { space: { name: 'Ours', role: 'manager' } } });
    expect((await call('DELETE', '/spaces/team/members/user_1', undefined, bob())).status).toBe(204);
    expect(await call('DELETE', '/spaces/team/members/user_1', undefined, bob())).toMatchObject(refused(404, 'not_found'));
    expect((await call('GET', '/spaces/team')).body).toMatchObject({ space: { name: 'Ours', role: null } });
  });
});

describe('secrets', () => {
  test('go in and never come out', async () => {
    const value = 'sk-very-secret';
    expect(await call('PUT', '/secrets/API_KEY', { value })).toMatchObject({ status: 200, body: { name: 'API_KEY', updatedBy: 'user_1' } });
    expect((await call('GET', '/secrets/API_KEY')).body).toEqual({ name: 'API_KEY', updatedAt: expect.any(Number), updatedBy: 'user_1' });
    expect(items(await call('GET', '/secrets'))).toHaveLength(1);
    for (const path of ['/secrets', '/secrets/API_KEY', '/audit']) expect(JSON.stringify((await call('GET', path)).body)).not.toContain(value);
    expect(JSON.stringify(await server.app.catalog.secrets())).not.toContain(value);
    for (const method of ['GET', 'DELETE']) expect(await call(method, '/secrets/API_KEY', undefined, bob())).toMatchObject(refused(403, 'forbidden'));
    expect((await call('PUT', '/secrets/1+1', { value })).status).toBe(422);
    expect((await call('DELETE', '/secrets/API_KEY')).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect(await call(method, '/secrets/API_KEY')).toMatchObject(refused(404, 'not_found'));
  });
});

describe('the audit log', () => {
  type Entry = {
    readonly action: string;
    readonly actor: string;
    readonly subject: string;
    readonly credentialId: string | null;
    readonly address: string | null;
  };
  const read = async (query: string): Promise<readonly Entry[]> => (await call('GET', `/audit?${query}`)).body['data'] as Entry[];

  test('AU1: tells who did what to what, with which credential and from where, and no secret', async () => {
    const password = 'a long pass phrase';
    const { id, username } = await newUser({ password });
    await call('POST', '/api/auth/login', { username, password }, nobody);
    await call('PATCH', `/users/${id}`, { displayName: 'New' });
    await call('PUT', `/users/${id}/password`, { password: 'some other phrase' });
    expect((await read(`subject=user:${id}`)).map(({ action, actor }) => [action, actor])).toEqual([
      ['user.password_set', 'user:user_1'],
      ['user.changed', 'user:user_1'],
      ['user.signed_in', `user:${id}`],
      ['user.created', 'user:user_1'],
    ]);
    const [current] = items(await call('GET', '/tokens')).filter((token) => token['current']);
    expect((await read(`subject=user:${id}`)).find(({ action }) => action === 'user.created')).toMatchObject({
      actorName: 'ann',
      credentialId: current?.['id'],
      address: '127.0.0.1',
      details: { username, roles: ['user'] },
    });
    const application = await newApplication();
    const path = `/applications/${application}/credentials`;
    const made = await call('POST', path, { name: 'k', scopes: ['invoke'], targets: [{ type: 'agent', id: '*' }] }, bob());
    const key = byKey(String(made.body['apiKey']));
    const credential = String(member(made.body, 'credential', 'id'));
    const session = String((await call('POST', '/agent-sessions', { agent: 'script' }, key)).body['id']);
    await call('DELETE', `/agent-sessions/${session}`, undefined, key);
    await call('DELETE', `${path}/${credential}`, undefined, bob());
    expect(await read(`session=${session}`)).toMatchObject([
      {
        action: 'session.deleted',
        actor: `app:${application}`,
        credentialId: credential,
        subject: `session:${session}`,
        details: { owner: `app:${application}` },
      },
    ]);
    expect((await read(`subject=credential:${credential}`)).map(({ action }) => action)).toEqual(['credential.revoked', 'credential.created']);
    const all = JSON.stringify(await read('limit=200'));
    for (const secret of [password, 'some other phrase', made.body['apiKey'], server.token, server.otherToken]) expect(all).not.toContain(secret);
  });

  test('is read in pages, newest first, by admins', async () => {
    const ids: string[] = [];
    let after = '';
    for (let more = true; more; ) {
      const { body } = await call('GET', `/audit?limit=7&after=${after}`);
      ids.push(...(body['data'] as { id: string }[]).map(({ id }) => id));
      more = body['has_more'] === true;
      after = String(body['next_cursor'] ?? '');
    }
    expect(ids.length).toBeGreaterThan(20);
    expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
    expect(await call('GET', '/audit?after=nonsense')).toMatchObject(refused(400, 'invalid_cursor'));
    expect(await call('GET', '/audit', undefined, bob())).toMatchObject(refused(403, 'forbidden'));
  });

  test('has no entry of what was refused', async () => {
    const before = (await read('limit=200')).length;
    await call('POST', '/users', { username: 'ann' });
    await call('PATCH', '/users/user_1', { roles: ['user'] });
    await call('POST', '/spaces', { id: 'default' });
    await call('POST', '/users', { username: 'zoe' }, bob());
    expect((await read('limit=200')).length).toBe(before);
  });
});

describe('attempts with a password', () => {
  const attempt = (limited: OpenHttp, username: string, password = 'a wrong pass phrase') =>
    limited
      .call('POST', '/api/auth/login', { username, password }, nobody)
      .then(({ status, headers, body }) => ({ status, retry: headers.get('retry-after'), code: body['code'] }));

  test('PA1: are counted for a name before the work, whatever comes of them', async () => {
    const clock = createMovedClock();
    const looked: string[] = [];
    const limited = await openHttp({
      clock,
      rateLimits: { requests: 1_000, failedSignIns: 3 },
      wrapCatalog: (catalog) => ({
        ...catalog,
        userByName: (name) => {
          looked.push(name);
          return catalog.userByName(name);
        },
      }),
    });
    try {
      await limited.call('PUT', '/api/v1/users/user_1/password', { password: 'a long pass phrase' });
      const statuses: number[] = [];
      // All right, and yet one may not go on so.
      for (const name of ['ann', 'ann', 'ann', 'ann']) statuses.push((await attempt(limited, name, 'a long pass phrase')).status);
      expect([statuses, looked]).toEqual([
        [200, 200, 200, 429],
        ['ann', 'ann', 'ann'],
      ]);
      expect(await attempt(limited, 'ANN')).toMatchObject({ status: 429, code: 'rate_limited', retry: expect.stringMatching(/^\d+$/) });
      // Giving the present password is a try, too.
      expect(await limited.call('PUT', '/api/v1/users/user_1/password', { password: 'another pass phrase' })).toMatchObject({ status: 429 });
      clock.move(60_000);
      const atOnce = await Promise.all(['bob', 'BOB', 'Bob', 'boB', 'bOb'].map((name) => attempt(limited, name)));
      expect(atOnce.map(({ status }) => status).toSorted()).toEqual([401, 401, 401, 429, 429]);
      expect(looked).toHaveLength(6);
    } finally {
      await limited.close();
    }
  });

  test('PA2: from one address lock nobody out elsewhere; an address has not many more, whatever the names', async () => {
    const limited = await openHttp({ rateLimits: { requests: 1_000, failedSignIns: 3 }, clock: createMovedClock() });
    const from = (localAddress: string, username: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json' };
        const sent = request({ host: '127.0.0.1', port: limited.port, localAddress, method: 'POST', path: '/api/auth/login', headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        sent.on('error', reject);
        sent.end(JSON.stringify({ username, password: 'a wrong pass phrase' }));
      });
    try {
      // At once: else what has failed from there before is looked at first.
      const statuses = async (address: string, names: readonly string[]) => (await Promise.all(names.map((name) => from(address, name)))).toSorted();
      expect(await statuses('127.0.0.1', ['bob', 'Bob', 'BOB', 'boB'])).toEqual([401, 401, 401, 429]);
      expect(await from('127.0.0.2', 'bob')).toBe(401);
      const many = Array.from({ length: 17 }, (_, n) => `name-${n}`);
      expect(await statuses('127.0.0.3', many)).toEqual([...Array<number>(15).fill(401), 429, 429]);
    } finally {
      await limited.close();
    }
  });
});
