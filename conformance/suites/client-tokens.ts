/** Tokens for browsers: each for one session, for a while. */
import { describe, expect, test } from 'vitest';
import { allScopes, byKey, byToken, newApplication, newKey, openAction } from '../client/people.ts';
import { freshKey, sessions, type Target } from '../client/target.ts';

export const describeClientTokens = (target: () => Target): void => {
  describe('client tokens', () => {
    const make = (session: string, body: Record<string, unknown> = {}, by: Record<string, unknown> = {}) =>
      target().call('POST', `${sessions}/${session}/client-tokens`, { body, ...by });
    const message = JSON.stringify({ steps: [[{ text: 'hi' }]] });

    test('open their session: submit, stream, read', async () => {
      const { call, follow, newSession } = target();
      const session = await newSession();
      const { status, body } = await make(session, { expiresInSeconds: 120 });
      expect([status, body['session_id'], body['scopes']]).toEqual([201, session, ['read', 'invoke', 'interact']]);
      const by = byToken(String(body['token']));
      const turn = String((await call('POST', `${sessions}/${session}/turns`, { body: { message }, key: freshKey(), ...by })).body['id']);
      const stream = await follow(`${sessions}/${session}/turns/${turn}/events/stream`, { authorization: `Bearer ${body['token']}` });
      await stream.until((events) => events.some(({ event }) => event === 'turn.completed'));
      stream.close();
      expect((await call('GET', `${sessions}/${session}/turns/${turn}`, { ...by })).body).toMatchObject({ outputText: 'hi' });
      expect((await call('GET', '/api/auth/me', { ...by })).body).toMatchObject({ client: { sessionId: session } });
    });

    test('open nothing else, and have no scope that was not given', async () => {
      const { call, newSession } = target();
      const [session, other] = [await newSession(), await newSession()];
      const by = byToken(String((await make(session, { scopes: ['read'] })).body['token']));
      expect((await call('GET', `${sessions}/${other}`, { ...by })).status).toBe(404);
      for (const path of [sessions, '/api/v1/agents', '/api/v1/tokens', '/api/v1/required-actions'])
        expect(await call('GET', path, { ...by }), path).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(await call('POST', `${sessions}/${session}/turns`, { body: { message }, key: freshKey(), ...by })).toMatchObject({
        status: 403,
        body: { code: 'scope_missing', scope: 'invoke' },
      });
      expect((await make(session, {}, by)).status).toBe(403);
      expect((await call('DELETE', `${sessions}/${session}`, { ...by })).status).toBe(403);
    });

    test('confirm and approve nothing', async () => {
      const { call, newSession, submit } = target();
      const session = await newSession();
      const by = byToken(String((await make(session)).body['token']));
      const turn = await submit(session, [[{ tool: { name: 'launch' } }], [{ text: 'done' }]]);
      const request_id = await openAction(target(), session, turn);
      const path = `${sessions}/${session}/turns/${turn}/actions`;
      const open = (await call('GET', path, { ...by })).body['required_actions'] as Record<string, { readonly version: number }>;
      const version = open[request_id]?.version;
      const answer = { request_id, version, payload: { decision: 'confirm' } };
      expect(await call('POST', path, { body: answer, key: freshKey(), ...by })).toMatchObject({ status: 403, body: { code: 'approver_required' } });
    });

    test('end with the key that made them', async () => {
      const { call, agent } = target();
      const application = await newApplication(target());
      const key = await newKey(target(), application.id, { scopes: allScopes });
      const session = String((await call('POST', sessions, { body: { agent }, ...byKey(key) })).body['id']);
      const by = byToken(String((await make(session, {}, byKey(key))).body['token']));
      expect((await call('GET', `${sessions}/${session}`, { ...by })).status).toBe(200);
      await call('DELETE', `/api/v1/applications/${application.id}/credentials/${key.id}`);
      expect((await call('GET', `${sessions}/${session}`, { ...by })).status).toBe(401);
    });
  });
};
