/** Sessions: create, list, change, archive, delete. */
import { describe, expect, test } from 'vitest';
import { freshKey, sessions, type Target } from '../client/target.ts';

export const describeSessions = (target: () => Target): void => {
  describe('a session', () => {
    test('is created for an agent, by target or by its alias', async () => {
      const { call, agent } = target();
      const created = await call('POST', sessions, { body: { target: { type: 'agent', id: agent }, title: 'Tëst 😀', metadata: { a: [1, null] } } });
      expect(created).toMatchObject({
        status: 201,
        body: { status: 'idle', archived: false, title: 'Tëst 😀', metadata: { a: [1, null] }, target: { type: 'agent', id: agent, version: 1 } },
      });
      expect(created.body).not.toHaveProperty('turnId');
      const path = `${sessions}/${String(created.body['id'])}`;
      expect(await call('GET', path)).toMatchObject({ status: 200, body: created.body });
      expect(await call('POST', sessions, { body: { agent } })).toMatchObject({ status: 201 });
    });

    test('is refused without a target, with two, or with one that does not exist', async () => {
      const { call, agent } = target();
      for (const body of [{}, { agent, target: { type: 'agent', id: agent } }, { target: { type: 'planet', id: agent } }, { agent: '' }]) {
        expect(await call('POST', sessions, { body })).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
      }
      expect(await call('POST', sessions, { body: { agent: 'agent_none' } })).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(await call('POST', sessions, { body: { target: { type: 'agent', id: agent, version: 99 } } })).toMatchObject({ status: 404 });
    });

    test('is created together with its first turn, or not at all', async () => {
      const { call, agent, settled } = target();
      const body = { agent, initialMessage: { message: '{"script":[{"text":"first"}]}' } };
      expect(await call('POST', sessions, { body })).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } });
      const key = freshKey();
      const made = await Promise.all([1, 2, 3].map(() => call('POST', sessions, { body, key })));
      expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(new Set(made.map((answer) => `${String(answer.body['id'])} ${String(answer.body['turnId'])}`)).size).toBe(1);
      expect(made.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(2);
      const { id, turnId } = made[0]?.body ?? {};
      expect((await settled(String(id), String(turnId))).body).toMatchObject({ status: 'completed', outputText: 'first' });
      expect((await call('GET', `${sessions}/${String(id)}/turns`)).body['items']).toHaveLength(1);
      expect(await call('POST', sessions, { body: { ...body, title: 'other' }, key })).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
    });

    test('is listed, newest first, in pages, by status', async () => {
      const { call, newSession } = target();
      const made = [await newSession(), await newSession(), await newSession()];
      const ids = async (query: string): Promise<string[]> =>
        ((await call('GET', `${sessions}?${query}`)).body['items'] as { id: string }[]).map(({ id }) => id);
      expect(await ids('limit=3')).toEqual(made.toReversed());
      expect([...(await ids('limit=2')), ...(await ids('limit=1&offset=2'))]).toEqual(made.toReversed());
      await call('POST', `${sessions}/${made[1]}/archive`, { body: {} });
      expect((await ids('limit=10')).includes(made[1] ?? '')).toBe(false);
      expect((await ids('limit=10&status=archived')).includes(made[1] ?? '')).toBe(true);
      expect((await ids('limit=3&status=all')).toSorted()).toEqual(made.toSorted());
    });

    test('has a title and metadata that can be changed', async () => {
      const { call, newSession } = target();
      const path = `${sessions}/${await newSession()}`;
      expect(await call('PATCH', path, { body: { title: 'New' } })).toMatchObject({ status: 200, body: { title: 'New', metadata: {} } });
      expect(await call('PATCH', path, { body: { metadata: { x: 1 } } })).toMatchObject({ status: 200, body: { title: 'New', metadata: { x: 1 } } });
      expect(await call('PATCH', path, { body: { title: 'x'.repeat(201) } })).toMatchObject({ status: 422 });
      expect(await call('PATCH', path, { body: { metadata: { x: 'y'.repeat(20_000) } } })).toMatchObject({ status: 422 });
      expect(await call('GET', path)).toMatchObject({ body: { title: 'New', metadata: { x: 1 } } });
    });

    test('takes its title from its first message', async () => {
      const { call, newSession, settled } = target();
      const session = await newSession();
      const turn = await call('POST', `${sessions}/${session}/turns`, { body: { message: 'Plan  my\ntrip' }, key: freshKey() });
      await settled(session, String(turn.body['id']));
      expect(await call('GET', `${sessions}/${session}`)).toMatchObject({ body: { title: 'Plan my trip' } });
    });

    test('in the archive finishes what it took, and takes no more until it is restored', async () => {
      const { call, newSession, submit, settled } = target();
      const session = await newSession();
      const path = `${sessions}/${session}`;
      const turn = await submit(session, [[{ delay_ms: 200 }, { text: 'done' }]]);
      expect(await call('POST', `${path}/archive`)).toMatchObject({ status: 200, body: { archived: true } });
      expect(await call('POST', `${path}/turns`, { body: { message: 'x' }, key: freshKey() })).toMatchObject({
        status: 409,
        body: { code: 'session_archived' },
      });
      expect((await settled(session, turn)).body).toMatchObject({ status: 'completed' });
      expect(await call('POST', `${path}/restore`)).toMatchObject({ status: 200, body: { archived: false } });
      expect(await call('POST', `${path}/turns`, { body: { message: 'x' }, key: freshKey() })).toMatchObject({ status: 202 });
    });

    test('is gone at once when it is deleted, with all that it had', async () => {
      const { call, newSession, submit } = target();
      const session = await newSession();
      const path = `${sessions}/${session}`;
      const turn = await submit(session, [[{ hang: true }]]);
      expect((await call('DELETE', path)).status).toBe(204);
      for (const tail of ['', '/turns', `/turns/${turn}`, '/snapshot', '/events', '/events/stream', '/usage', '/items']) {
        expect([tail, (await call('GET', `${path}${tail}`)).status]).toEqual([tail, 404]);
      }
      expect((await call('POST', `${path}/turns`, { body: { message: 'x' }, key: freshKey() })).status).toBe(404);
      expect((await call('DELETE', path)).status).toBe(404);
    });

    test('says what it can do', async () => {
      const { call, newSession } = target();
      expect(await call('GET', `${sessions}/${await newSession()}/capabilities`)).toMatchObject({
        status: 200,
        body: { capabilities: { actions: true, steer: expect.any(Boolean) } },
      });
    });
  });
};
