/** Schedules: turns that are created by time. */
import { describe, expect, test } from 'vitest';
import { byKey, byToken, newApplication, newKey, newPerson } from '../client/people.ts';
import { type Answer, eventually, freshKey, inTime, sessions, type Target } from '../client/target.ts';

export const describeSchedules = (target: () => Target): void => {
  describe('schedules', () => {
    const message = JSON.stringify({ steps: [[{ text: 'on time' }]] });
    const add = (session: string, body: Record<string, unknown>, by: Record<string, unknown> = {}, key = freshKey()) =>
      target().call('POST', `${sessions}/${session}/schedules`, { body: { message, ...body }, key, ...by });
    const itemsOf = ({ body }: Answer) => body['items'] as readonly Record<string, unknown>[];

    test('create a turn at an instant, once, and say what became of it', async () => {
      const { call, newSession, settled } = target();
      const session = await newSession();
      const { at, made } = await inTime(1_500, async (forMs) => {
        const at = new Date(Date.now() + forMs).toISOString();
        const made = await add(session, { at, metadata: { kind: 'reminder' } });
        return made.status === 422 ? undefined : { at, made };
      });
      expect(made).toMatchObject({ status: 201, body: { session_id: session, cron: null, at: Date.parse(at), next_at: Date.parse(at), enabled: true } });
      const path = `${sessions}/${session}/schedules/${made.body['id']}`;
      const runs = await eventually(
        () => call('GET', `${path}/runs`),
        (answer) => itemsOf(answer).length > 0,
      );
      const [run] = itemsOf(runs);
      expect(run).toMatchObject({ slot: Date.parse(at), outcome: 'submitted', asked_by: 'schedule', code: null });
      const turn = await settled(session, String(run?.['turn_id']));
      expect(turn.body).toMatchObject({ status: 'completed', outputText: 'on time', metadata: { kind: 'reminder', schedule_id: made.body['id'] } });
      expect((await call('GET', path)).body).toMatchObject({ next_at: null });
    });

    test('are made once a key, changed by their version, run now, and deleted', async () => {
      const { call, newSession, settled } = target();
      const session = await newSession();
      const key = freshKey();
      const body = { cron: '0 9 * * MON-FRI', timezone: 'Europe/Berlin', onMissed: 'skip' };
      const [first, again] = [await add(session, body, {}, key), await add(session, body, {}, key)];
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await add(session, { cron: '0 8 * * *' }, {}, key)).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
      expect(first.body).toMatchObject({ version: 1, on_missed: 'skip', timezone: 'Europe/Berlin', next_at: expect.any(Number), message });
      const path = `${sessions}/${session}/schedules/${first.body['id']}`;
      const off = await call('PATCH', path, { body: { version: 1, enabled: false } });
      expect(off).toMatchObject({ status: 200, body: { version: 2, enabled: false, next_at: null } });
      expect(await call('PATCH', path, { body: { version: 1, enabled: true } })).toMatchObject({ status: 409, body: { code: 'version_conflict' } });
      expect(await call('PATCH', path, { body: { version: 2, at: '2099-01-01T00:00:00+01:00' } })).toMatchObject({ body: { cron: null, version: 3 } });
      const run = await call('POST', `${path}/run`, { key: freshKey() });
      expect(run).toMatchObject({ status: 202, body: { outcome: 'submitted', asked_by: 'call' } });
      expect((await settled(session, String(run.body['turn_id']))).body).toMatchObject({ status: 'completed' });
      expect(itemsOf(await call('GET', `${path}/runs`))).toEqual([run.body]);
      expect(itemsOf(await call('GET', `${sessions}/${session}/schedules`))).toMatchObject([{ id: first.body['id'] }]);
      expect((await call('DELETE', path)).status).toBe(204);
      for (const [method, tail] of [
        ['GET', ''],
        ['DELETE', ''],
        ['GET', '/runs'],
      ] as const)
        expect((await call(method, `${path}${tail}`)).status, tail).toBe(404);
    });

    test('are refused when they could never come, or say nothing', async () => {
      const { newSession } = target();
      const session = await newSession();
      for (const [body, pointer] of [
        [{ cron: '* * * * * *' }, '/cron'],
        [{ cron: '0 0 31 2 *' }, '/cron'],
        [{ cron: '0 9 * * *', timezone: 'Berlin' }, '/timezone'],
        [{ at: '2020-01-01T00:00:00Z' }, '/at'],
        [{ at: 'tomorrow' }, '/at'],
        [{}, '/cron'],
        [{ cron: '0 9 * * *', at: '2099-01-01T00:00:00Z' }, '/cron'],
        [{ cron: '0 9 * * *', message: undefined }, '/message'],
      ] as const)
        expect(await add(session, body), JSON.stringify(body)).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [{ pointer }] } });
    });

    test('note what was refused by its code', async () => {
      const { call, newSession } = target();
      const { session, id } = await inTime(1_200, async (forMs) => {
        const session = await newSession();
        const at = Date.now() + forMs;
        const { body } = await add(session, { at: new Date(at).toISOString() });
        await call('POST', `${sessions}/${session}/archive`);
        return Date.now() >= at ? undefined : { session, id: body['id'] };
      });
      const runs = await eventually(
        () => call('GET', `${sessions}/${session}/schedules/${id}/runs`),
        (answer) => itemsOf(answer).length > 0,
      );
      expect(itemsOf(runs)).toMatchObject([{ outcome: 'rejected', code: 'session_archived', turn_id: null }]);
    });

    test('are for those who may submit', async () => {
      const { call, agent } = target();
      const application = await newApplication(target());
      const full = byKey(await newKey(target(), application.id));
      const narrow = byKey(await newKey(target(), application.id, { scopes: ['read'] }));
      const session = String((await call('POST', sessions, { body: { agent }, ...full })).body['id']);
      const made = await add(session, { cron: '0 9 * * *' }, full);
      expect(made).toMatchObject({ status: 201, body: { created_by: { type: 'application', id: application.id } } });
      expect(await add(session, { cron: '0 9 * * *' }, narrow)).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
      expect((await call('GET', `${sessions}/${session}/schedules`, { ...narrow })).status).toBe(200);
      const stranger = await newPerson(target());
      expect((await add(session, { cron: '0 9 * * *' }, byToken(stranger.token))).status).toBe(404);
    });
  });
};
