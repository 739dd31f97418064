/** The same request, twice or thrice. */
import { describe, expect, test } from 'vitest';
import { freshKey, sessions, type Target } from '../client/target.ts';

export const describeIdempotency = (target: () => Target): void => {
  describe('an idempotency key', () => {
    test('makes three submissions at once one turn', async () => {
      const { call, newSession } = target();
      const path = `${sessions}/${await newSession()}/turns`;
      const key = freshKey();
      const answers = await Promise.all([1, 2, 3].map(() => call('POST', path, { body: { message: 'same' }, key })));
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
      expect(answers.map(({ body }) => body)).toEqual([answers[0]?.body, answers[0]?.body, answers[0]?.body]);
      expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(2);
      expect((await call('GET', path)).body['items']).toHaveLength(1);
    });

    test('with other content is a conflict, and the first one stands; the order of members is no content', async () => {
      const { call, newSession } = target();
      const path = `${sessions}/${await newSession()}/turns`;
      const key = freshKey();
      const first = await call('POST', path, { body: '{"message":"a","metadata":{"x":1,"y":2}}', key });
      const again = await call('POST', path, { body: ' { "metadata" : {"y":2,"x":1}, "message":"a" } ', key });
      expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([202, first.body, 'true']);
      expect(await call('POST', path, { body: { message: 'b' }, key })).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
      expect((await call('GET', path)).body['items']).toHaveLength(1);
    });

    test('belongs to its session and operation', async () => {
      const { call, newSession } = target();
      const key = freshKey();
      const one = await call('POST', `${sessions}/${await newSession()}/turns`, { body: { message: 'x' }, key });
      const two = await call('POST', `${sessions}/${await newSession()}/turns`, { body: { message: 'y' }, key });
      expect([one.status, two.status, one.body['id'] === two.body['id']]).toEqual([202, 202, false]);
    });

    test('is answered again from the archive, and from a full queue', async () => {
      const { call, newSession, submit } = target();
      const session = await newSession();
      const path = `${sessions}/${session}`;
      await submit(session, [[{ hang: true }]]);
      const key = freshKey();
      const first = await call('POST', `${path}/turns`, { body: { message: 'x' }, key });
      for (let n = 2; n < 20; n += 1) await submit(session, [[{ text: 'x' }]]);
      expect(await call('POST', `${path}/turns`, { body: { message: 'x' }, key })).toMatchObject({ status: 202, body: first.body });
      await call('POST', `${path}/archive`);
      expect(await call('POST', `${path}/turns`, { body: { message: 'x' }, key })).toMatchObject({ status: 202, body: first.body });
      expect((await call('DELETE', path)).status).toBe(204);
    });

    test('must be there, say something, and be no novel', async () => {
      const { call, newSession } = target();
      const session = await newSession();
      const path = `${sessions}/${session}/turns`;
      expect(await call('POST', path, { body: { message: 'x' } })).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } });
      for (const key of ['   ', 'k'.repeat(513)])
        expect(await call('POST', path, { body: { message: 'x' }, key })).toMatchObject({ status: 400, body: { code: 'invalid_idempotency_key' } });
      expect(await call('POST', path, { body: { message: 'x' }, key: 'k'.repeat(512) })).toMatchObject({ status: 202 });
    });

    test('of cancel and resume repeats its receipt', async () => {
      const { call, newSession, submit } = target();
      const session = await newSession();
      const turn = await submit(session, [[{ hang: true }]]);
      const path = `${sessions}/${session}/turns/${turn}/cancel`;
      const key = freshKey();
      const answers = await Promise.all([1, 2, 3].map(() => call('POST', path, { body: {}, key })));
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
      expect(new Set(answers.map(({ body }) => (body['command'] as { id: string }).id)).size).toBe(1);
      await target().settled(session, turn);
      const late = await call('POST', path, { key });
      expect([late.status, late.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
      expect(await call('POST', path, { key: freshKey() })).toMatchObject({ status: 409 });
    });
  });
};
