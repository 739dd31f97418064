/** Cancelling, wherever the turn is. */
import { describe, expect, test } from 'vitest';
import { openAction } from '../client/people.ts';
import { eventually, freshKey, sessions, type Target } from '../client/target.ts';

const outcomes = /^turn\.(completed|partial_succeeded|failed|cancelled|timed_out)$/;

export const describeCancel = (target: () => Target): void => {
  const cancel = (session: string, turn: string) => target().call('POST', `${sessions}/${session}/turns/${turn}/cancel`, { body: {}, key: freshKey() });

  describe('cancel', () => {
    test('ends a queued turn at once, and leaves its neighbours alone', async () => {
      const { newSession, submit, settled, call } = target();
      const session = await newSession();
      const [first, second, third] = [
        await submit(session, [[{ tool: { name: 'lookup' } }], [{ text: '1' }]]),
        await submit(session, [[{ text: '2' }]]),
        await submit(session, [[{ text: '3' }]]),
      ];
      expect(await cancel(session, second)).toMatchObject({ status: 202, body: { command: { kind: 'cancel', turn_id: second } } });
      expect((await target().call('GET', `${sessions}/${session}/turns/${second}`)).body).toMatchObject({ status: 'cancelled', startedAt: null });
      const answer = { request_id: await openAction(target(), session, first), payload: { output: 'x' } };
      await call('POST', `${sessions}/${session}/turns/${first}/actions`, { body: answer, key: freshKey() });
      expect((await settled(session, first)).body['status']).toBe('completed');
      expect((await settled(session, third)).body).toMatchObject({ status: 'completed', outputText: '3' });
    });

    test('stops a running turn: one outcome, nothing after it, nothing left open; the next one runs', async () => {
      const { newSession, submit, settled, history, call } = target();
      const session = await newSession();
      const turn = await submit(session, [[{ text: 'begun' }, { hang: true }]]);
      const next = await submit(session, [[{ text: 'next' }]]);
      const path = `${sessions}/${session}`;
      await eventually(
        () => history(`${path}/turns/${turn}/events`),
        (events) => events.some(({ type }) => type === 'item.delta'),
      );
      expect(await cancel(session, turn)).toMatchObject({ status: 202 });
      expect((await settled(session, turn)).body).toMatchObject({ status: 'cancelled', outputText: null });
      const events = await history(`${path}/turns/${turn}/events`);
      expect(events.filter(({ type }) => outcomes.test(type)).map(({ type }) => type)).toEqual(['turn.cancelled']);
      expect(events.at(-1)?.type).toBe('turn.cancelled');
      const snapshot = (await call('GET', `${path}/turns/${turn}/snapshot`)).body as { items: Record<string, { item: { status: string } }> };
      expect(Object.values(snapshot.items).map(({ item }) => item.status)).not.toContain('in_progress');
      expect((await settled(session, next)).body).toMatchObject({ status: 'completed', outputText: 'next' });
      expect(await cancel(session, turn)).toMatchObject({ status: 409 });
    });

    test('closes what a waiting turn waits for', async () => {
      const { newSession, submit, settled, call, follow } = target();
      const session = await newSession();
      const turn = await submit(session, [[{ tool: { name: 'lookup', input: { q: 'x' } } }], [{ text: 'never' }]]);
      const path = `${sessions}/${session}/turns/${turn}`;
      await eventually(
        () => call('GET', path),
        ({ body }) => body['status'] === 'requires_action',
      );
      const [request_id] = Object.keys((await call('GET', `${path}/actions`)).body['required_actions'] as object);
      const stream = await follow(`${path}/events/stream`);
      expect(await cancel(session, turn)).toMatchObject({ status: 202 });
      await stream.ended;
      expect(stream.events.at(-1)?.event).toBe('turn.cancelled');
      expect((await settled(session, turn)).body['status']).toBe('cancelled');
      expect((await call('GET', `${path}/actions`)).body['required_actions']).toEqual({});
      const late = await call('POST', `${path}/actions`, { body: { request_id, payload: { output: 'late' } }, key: freshKey() });
      expect(late.status).toBe(409);
    });
  });
};
