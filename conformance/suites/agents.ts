/** Agents, models, signing in, and the documents of the server itself. */
import { describe, expect, test } from 'vitest';
import { sessions, type Target } from '../client/target.ts';

export const describeAgents = (target: () => Target): void => {
  describe('agents', () => {
    const definition = { system: 'Short.', model: 'demo:script', tools: [] };
    const key = `conf-${crypto.randomUUID().slice(0, 8)}`;

    test('have immutable versions; a stale one is refused; sessions keep theirs', async () => {
      const { call } = target();
      const made = await call('POST', '/api/v1/agents', { body: { agentKey: key, displayName: 'One', definition } });
      expect(made).toMatchObject({ status: 201, body: { agent: { agentKey: key, version: 1 }, definition: { system: 'Short.', maxIters: 20 } } });
      expect(await call('POST', '/api/v1/agents', { body: { agentKey: key, displayName: 'Two', definition } })).toMatchObject({
        status: 409,
        body: { code: 'already_exists' },
      });
      const path = `/api/v1/agents/${String((made.body['agent'] as { id: string }).id)}`;
      const session = await call('POST', sessions, { body: { agent: key } });
      expect(await call('PATCH', `${path}/definition`, { body: { version: 1, definition: { ...definition, system: 'Long.' } } })).toMatchObject({
        status: 200,
        body: { agent: { version: 2 } },
      });
      expect(await call('PATCH', `${path}/definition`, { body: { version: 1, definition } })).toMatchObject({
        status: 409,
        body: { code: 'version_conflict' },
      });
      expect(await call('GET', `/api/v1/agents/${key}`)).toMatchObject({ status: 200, body: { definition: { system: 'Long.' } } });
      expect(await call('GET', `${path}/versions`)).toMatchObject({ status: 200, body: { items: [{}, {}], next_offset: null } });
      expect(await call('GET', `${path}/versions/1`)).toMatchObject({ status: 200, body: { version: 1, definition: { system: 'Short.' } } });
      expect(await call('GET', `${path}/versions/3`)).toMatchObject({ status: 404 });
      expect(await call('GET', `${sessions}/${String(session.body['id'])}`)).toMatchObject({ body: { target: { version: 1 } } });
    });

    test('are listed in pages', async () => {
      const { call } = target();
      const first = await call('GET', '/api/v1/agents?limit=1');
      expect(first.body).toMatchObject({ items: [{}], next_offset: 1 });
      expect((await call('GET', '/api/v1/agents?limit=1&offset=1')).body['items']).not.toEqual(first.body['items']);
    });

    test('may use the models that are listed', async () => {
      const { body } = await target().call('GET', '/api/v1/models');
      expect(body['models']).toContainEqual({ name: 'demo:echo', provider: 'demo' });
    });
  });

  describe('credentials', () => {
    test('are wanted by every operation of the document', async () => {
      const { call, document } = target();
      let asked = 0;
      for (const [path, methods] of Object.entries(document.paths)) {
        for (const [method, operation] of Object.entries(methods as Record<string, { security?: unknown[] }>)) {
          if (operation.security?.length === 0) continue;
          asked += 1;
          const answer = await call(method.toUpperCase(), path.replaceAll(/\{[^}]+\}/g, 'x'), { token: null });
          expect([method, path, answer.status, answer.body['code']]).toEqual([method, path, 401, 'unauthenticated']);
          expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
        }
      }
      expect(asked).toBeGreaterThan(30);
    });

    test('say who one is, also as X-API-Key', async () => {
      const { call, token } = target();
      expect(await call('GET', '/api/auth/me')).toMatchObject({ status: 200, body: { user: { username: expect.any(String) } } });
      expect(await call('GET', '/api/auth/me', { token: null, headers: { 'x-api-key': token } })).toMatchObject({ status: 200 });
      expect(await call('POST', '/api/auth/link', { token: null, body: { token } })).toMatchObject({ status: 200, body: { token: expect.any(String) } });
      expect(await call('POST', '/api/auth/link', { token: null, body: { token: 'tkl_wrong' } })).toMatchObject({ status: 401 });
    });
  });

  describe('the server', () => {
    test('is healthy, and describes itself', async () => {
      const { call, url } = target();
      expect(await call('GET', '/healthz', { token: null })).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect(await call('GET', '/readyz', { token: null })).toMatchObject({ status: 200 });
      expect(target().document.openapi).toMatch(/^3\.1\./);
      const docs = await fetch(`${url}/docs`);
      expect([docs.status, docs.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(docs.headers.get('content-security-policy')).toContain("default-src 'self'");
    });
  });
};
