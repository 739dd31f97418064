/** Users, tokens, spaces, applications and their keys: who they are, what they see, how they end. */
import { describe, expect, test } from 'vitest';
import { byKey, byToken, newApplication, newKey, newPerson, openAction, waitingSession } from '../client/people.ts';
import { type Answer, freshKey, sessions, type Target } from '../client/target.ts';

export const describeIdentity = (target: () => Target): void => {
  describe('a user', () => {
    test('signs in by name and password, and knows who it is', async () => {
      const { call } = target();
      const person = await newPerson(target(), 'mei');
      expect((await call('GET', '/api/auth/me', byToken(person.token))).body).toMatchObject({
        user: { id: person.id, username: person.username, roles: ['user'] },
      });
      for (const body of [
        { username: person.username, password: 'wrong wrong wrong' },
        { username: 'nobody-at-all', password: 'wrong wrong wrong' },
      ]) {
        expect(await call('POST', '/api/auth/login', { body, token: null })).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      }
      expect((await call('GET', '/api/v1/users', byToken(person.token))).status).toBe(403);
    });

    test('that is disabled is nobody, and comes back', async () => {
      const { call } = target();
      const person = await newPerson(target());
      expect((await call('PATCH', `/api/v1/users/${person.id}`, { body: { status: 'disabled' } })).status).toBe(200);
      expect((await call('GET', '/api/auth/me', byToken(person.token))).status).toBe(401);
      const body = { username: person.username, password: person.password };
      expect((await call('POST', '/api/auth/login', { body, token: null })).status).toBe(401);
      expect((await call('PATCH', `/api/v1/users/${person.id}`, { body: { status: 'active' } })).status).toBe(200);
      expect((await call('POST', '/api/auth/login', { body, token: null })).status).toBe(200);
    });

    test('has tokens of its own, shown once and revoked at once', async () => {
      const { call } = target();
      const person = await newPerson(target());
      const by = byToken(person.token);
      const made = await call('POST', '/api/v1/tokens', { body: { name: 'laptop' }, ...by });
      expect(made).toMatchObject({ status: 201, body: { personalToken: { name: 'laptop', expiresAt: null } } });
      const token = String(made.body['token']);
      expect((await call('GET', '/api/auth/me', byToken(token))).status).toBe(200);
      const listed = await call('GET', '/api/v1/tokens', by);
      expect(JSON.stringify(listed.body)).not.toContain(token);
      const other = await newPerson(target());
      const { id } = made.body['personalToken'] as { id: string };
      expect((await call('DELETE', `/api/v1/tokens/${id}`, byToken(other.token))).status).toBe(404);
      expect((await call('DELETE', `/api/v1/tokens/${id}`, by)).status).toBe(204);
      expect((await call('GET', '/api/auth/me', byToken(token))).status).toBe(401);
    });
  });

  describe('a space', () => {
    test('shows its members what users place there, to read', async () => {
      const { call, agent } = target();
      const [owner, member, stranger] = await Promise.all(['owner', 'member', 'stranger'].map((name) => newPerson(target(), name)));
      if (!owner || !member || !stranger) throw new Error('no people');
      const space = `space-${crypto.randomUUID().slice(0, 8)}`;
      expect((await call('POST', '/api/v1/spaces', { body: { id: space, name: 'Team' } })).status).toBe(201);
      for (const { id } of [owner, member]) expect((await call('PUT', `/api/v1/spaces/${space}/members/${id}`, { body: {} })).status).toBeLessThan(300);
      const made = await call('POST', sessions, { body: { agent, space, title: 'Shared' }, ...byToken(owner.token) });
      expect(made.status).toBe(201);
      const session = String(made.body['id']);
      expect((await call('GET', `${sessions}/${session}`, byToken(member.token))).body).toMatchObject({
        title: 'Shared',
        placement: { type: 'space', id: space },
      });
      expect((await call('GET', `${sessions}?space=${space}`, byToken(member.token))).body).toMatchObject({ items: [{ id: session }] });
      const turn = { body: { message: 'hi' }, key: freshKey(), ...byToken(member.token) };
      expect(await call('POST', `${sessions}/${session}/turns`, turn)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect((await call('GET', `${sessions}/${session}`, byToken(stranger.token))).status).toBe(404);
      expect((await call('POST', sessions, { body: { agent, space }, ...byToken(stranger.token) })).status).toBe(404);
      expect((await call('DELETE', `/api/v1/spaces/${space}/members/${member.id}`)).status).toBe(204);
      expect((await call('GET', `${sessions}/${session}`, byToken(member.token))).status).toBe(404);
    });
  });

  describe('an application', () => {
    test('owns what its keys make: another key of it goes on, a rotated one too', async () => {
      const { call } = target();
      const application = await newApplication(target());
      const first = await newKey(target(), application.id);
      const { session, turn, action } = await waitingSession(target(), byKey(first));
      expect((await call('GET', `${sessions}/${session}`, byKey(first))).body).toMatchObject({ owner: { type: 'application', id: application.id } });
      const rotated = await call('POST', `/api/v1/applications/${application.id}/credentials/${first.id}/rotate`, { body: {} });
      expect(rotated.status).toBe(201);
      const second = { id: '', apiKey: String(rotated.body['apiKey']) };
      expect((await call('GET', `${sessions}/${session}`, byKey(first))).status).toBe(200);
      expect((await call('DELETE', `/api/v1/applications/${application.id}/credentials/${first.id}`)).status).toBe(204);
      expect((await call('GET', `${sessions}/${session}`, byKey(first))).status).toBe(401);
      const answer = { body: { request_id: action, payload: { output: 'x' } }, key: freshKey(), ...byKey(second) };
      expect((await call('POST', `${sessions}/${session}/turns/${turn}/actions`, answer)).status).toBe(202);
      const listed = await call('GET', `/api/v1/applications/${application.id}/credentials`);
      expect(JSON.stringify(listed.body)).not.toContain(second.apiKey);
      expect((listed.body['items'] as { lastUsedAt: number | null }[]).some(({ lastUsedAt }) => lastUsedAt !== null)).toBe(true);
    });

    test('shares the idempotency of its keys', async () => {
      const { call, agent } = target();
      const application = await newApplication(target());
      const [one, two] = [await newKey(target(), application.id), await newKey(target(), application.id)];
      const body = { agent, initialMessage: { message: JSON.stringify({ steps: [[{ text: 'ok' }]] }) } };
      const key = freshKey();
      const first = await call('POST', sessions, { body, key, ...byKey(one) });
      const again = await call('POST', sessions, { body, key, ...byKey(two) });
      expect([first.status, again.status, again.body['id']]).toEqual([201, 201, first.body['id']]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    });

    test('lets its members do what their roles say', async () => {
      const { call } = target();
      const [viewer, operator, approver] = await Promise.all(['viewer', 'operator', 'approver'].map((name) => newPerson(target(), name)));
      if (!viewer || !operator || !approver) throw new Error('no people');
      const members = [
        { userId: viewer.id, roles: ['viewer'] },
        { userId: operator.id, roles: ['operator'] },
        { userId: approver.id, roles: ['approver'] },
      ];
      const application = await newApplication(target(), { members });
      const key = await newKey(target(), application.id);
      const { session, turn, action } = await waitingSession(target(), byKey(key));
      const path = `${sessions}/${session}/turns/${turn}`;
      for (const { token } of [viewer, operator, approver]) expect((await call('GET', path, byToken(token))).status).toBe(200);
      const answer = { request_id: action, payload: { output: 'x' } };
      const by = (token: string) => ({ key: freshKey(), ...byToken(token) });
      expect((await call('POST', `${path}/cancel`, by(viewer.token))).status).toBe(403);
      expect((await call('POST', `${path}/actions`, { body: answer, ...by(viewer.token) })).status).toBe(403);
      expect((await call('POST', `${path}/actions`, { body: answer, ...by(approver.token) })).body['code']).toBe('approver_required');
      expect((await call('POST', `${path}/actions`, { body: answer, ...by(operator.token) })).status).toBe(202);
    });

    test('that is disabled has no keys that work', async () => {
      const { call } = target();
      const application = await newApplication(target());
      const key = await newKey(target(), application.id);
      expect((await call('GET', '/api/auth/me', byKey(key))).body).toMatchObject({ key: { applicationId: application.id } });
      const changed = await call('PATCH', `/api/v1/applications/${application.id}`, { body: { version: application.version, status: 'disabled' } });
      expect(changed.status).toBe(200);
      expect((await call('GET', '/api/auth/me', byKey(key))).status).toBe(401);
      const stale = await call('PATCH', `/api/v1/applications/${application.id}`, { body: { version: application.version, name: 'x' } });
      expect(stale).toMatchObject({ status: 409, body: { code: 'version_conflict' } });
    });

    test('runs no more turns at once than it may, and takes no more than its budget', async () => {
      const { call, agent, settled } = target();
      const application = await newApplication(target(), { maxConcurrent: 1, maxUnfinished: 3 });
      const by = byKey(await newKey(target(), application.id));
      const threeOf = async (message: string) => {
        const made = await Promise.all([1, 2, 3].map(() => call('POST', sessions, { body: { agent, initialMessage: { message } }, key: freshKey(), ...by })));
        expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
        return made;
      };
      const endless = await threeOf(JSON.stringify({ steps: [[{ hang: true }]] }));
      const path = ({ body }: Answer): string => `${sessions}/${body['id']}/turns`;
      const full = await call('POST', path(endless[0] as Answer), { body: { message: 'x' }, key: freshKey(), ...by });
      expect(full).toMatchObject({ status: 429, body: { code: 'queue_full', scope: 'application', limit: 3, pending_count: 3 } });
      for (const answer of endless) {
        await call('POST', `${path(answer)}/${answer.body['turnId']}/cancel`, { body: {}, key: freshKey(), ...by });
        await settled(String(answer.body['id']), String(answer.body['turnId']));
      }
      const slow = JSON.stringify({ steps: [[{ text: 'a' }, { delay_ms: 300 }, { text: 'b' }]] });
      const made = await threeOf(slow);
      const turns = await Promise.all(made.map(({ body }) => settled(String(body['id']), String(body['turnId']))));
      const spans = turns.map(({ body }) => [Number(body['startedAt']), Number(body['endedAt'])] as const).toSorted(([a], [b]) => a - b);
      expect(turns.map(({ body }) => body['status'])).toEqual(['completed', 'completed', 'completed']);
      for (const [index, [start]] of spans.entries()) if (index > 0) expect(start).toBeGreaterThanOrEqual(spans[index - 1]?.[1] ?? 0);
      const { body } = await call('GET', `/api/v1/applications/${application.id}`);
      const { usage, version } = body['application'] as { usage: { tokens: number; running: number; unfinished: number }; version: number };
      expect(usage).toMatchObject({ running: 0, unfinished: 0 });
      expect(usage.tokens).toBeGreaterThan(0);
      await call('PATCH', `/api/v1/applications/${application.id}`, { body: { version, tokenBudget: usage.tokens } });
      const spent = await call('POST', sessions, { body: { agent, initialMessage: { message: slow } }, key: freshKey(), ...by });
      expect(spent).toMatchObject({ status: 429, body: { code: 'token_budget_exhausted' } });
    });
  });

  test('revoking a key ends its open streams', async () => {
    const { call, follow } = target();
    const application = await newApplication(target());
    const key = await newKey(target(), application.id);
    const { session } = await waitingSession(target(), byKey(key));
    const stream = await follow(`${sessions}/${session}/events/stream?after=latest`, { 'x-api-key': key.apiKey });
    expect((await call('DELETE', `/api/v1/applications/${application.id}/credentials/${key.id}`)).status).toBe(204);
    await stream.ended;
    expect((await call('GET', `${sessions}/${session}`, byKey(key))).status).toBe(401);
  });

  test('revoking a key leaves a held answer unanswered', async () => {
    const { call } = target();
    const application = await newApplication(target());
    const [key, other] = [await newKey(target(), application.id), await newKey(target(), application.id)];
    const { session, turn } = await waitingSession(target(), byKey(key));
    const held = call('GET', `${sessions}/${session}/turns/${turn}?wait=120`, byKey(key));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await call('DELETE', `/api/v1/applications/${application.id}/credentials/${key.id}`)).status).toBe(204);
    expect((await call('POST', `${sessions}/${session}/turns/${turn}/cancel`, { key: freshKey(), ...byKey(other) })).status).toBe(202);
    expect((await held).status).toBe(401);
  });

  test('the audit log tells who did what, and holds no secrets', async () => {
    const { call } = target();
    const person = await newPerson(target(), 'audited');
    const application = await newApplication(target());
    const key = await newKey(target(), application.id);
    const { session, turn, action } = await waitingSession(target(), byKey(key));
    await openAction(target(), session, turn);
    const answer = { body: { request_id: action, payload: { output: 'private words' } }, key: freshKey(), ...byKey(key) };
    await call('POST', `${sessions}/${session}/turns/${turn}/actions`, answer);
    const of = async (query: string) => (await call('GET', `/api/v1/audit?${query}`)).body['data'] as { action: string; actor: string }[];
    expect((await of(`subject=user:${person.id}`)).map((entry) => entry.action)).toContain('user.created');
    expect(await of(`session=${session}`)).toMatchObject([{ action: 'action.answered', actor: `app:${application.id}` }]);
    await call('DELETE', `${sessions}/${session}`, byKey(key));
    expect((await of(`session=${session}`)).map((entry) => entry.action)).toEqual(expect.arrayContaining(['session.deleted', 'action.answered']));
    const all = JSON.stringify(await of('limit=200'));
    for (const secret of [person.password, person.token, key.apiKey, 'private words']) expect(all).not.toContain(secret);
    expect((await call('GET', '/api/v1/audit', byToken(person.token))).status).toBe(403);
  });
};
