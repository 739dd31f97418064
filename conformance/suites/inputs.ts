/** Steer, inject, and what a busy session makes of a submission. */
import { describe, expect, test } from 'vitest';
import type { EventEnvelope } from '../client/event-stream.ts';
import { eventually, freshKey, inTime, sessions, type Target } from '../client/target.ts';

type Input = { readonly input_id: string; readonly status: string; readonly turn_id?: string; readonly kind: string; readonly reason?: string };

export const describeInputs = (target: () => Target): void => {
  const said = (message: string) => ({ body: { message }, key: freshKey() });
  const events = (session: string): Promise<readonly EventEnvelope[]> => target().history(`${sessions}/${session}/events`);
  const begun = (session: string) =>
    eventually(
      () => events(session),
      (all) => all.some(({ type }) => type === 'item.delta'),
    );
  const inputsOf = async (session: string): Promise<readonly Input[]> => {
    const { body } = await target().call('GET', `${sessions}/${session}/inputs`);
    return (body['data'] as { data: Input }[]).map(({ data }) => data);
  };
  const available = async (session: string, turn: string) =>
    (await target().call('GET', `${sessions}/${session}/turns/${turn}/capabilities`)).body['available_commands'] as readonly string[];

  describe('steer', () => {
    test('is stored with a receipt, and used before the next call of the model: one more step, where the turn would end', async () => {
      const { newSession, submit, settled, call } = target();
      const { session, turn, key, path, could, taken } = await inTime(600, async (delay_ms) => {
        const session = await newSession();
        const turn = await submit(session, [[{ text: 'almost' }, { delay_ms }, { text: ' done' }], [{ text: 'heard' }]]);
        await begun(session);
        const [key, path] = [freshKey(), `${sessions}/${session}/turns/${turn}`];
        const could = await available(session, turn);
        const taken = await call('POST', `${path}/steer`, { body: { message: 'be brief' }, key });
        return taken.body['code'] === 'turn_closed' ? undefined : { session, turn, key, path, could, taken };
      });
      expect(could).toContain('steer');
      expect(taken).toMatchObject({ status: 202, body: { turn_id: turn, status: 'accepted', command: { kind: 'steer', status: 'accepted' } } });
      const again = await call('POST', `${path}/steer`, { body: { message: 'be brief' }, key });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.body).toEqual(taken.body);
      expect(await call('POST', `${path}/steer`, { body: { message: 'be long' }, key })).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
      expect((await settled(session, turn)).body).toMatchObject({ status: 'completed', outputText: 'heard' });
      expect((await call('GET', String(taken.body['status_url']))).body).toMatchObject({ command: { status: 'completed' } });
      expect(await inputsOf(session)).toMatchObject([{ input_id: taken.body['input_id'], kind: 'steer', status: 'applied', turn_id: turn }]);
      const types = (await events(session)).map(({ type }) => type);
      expect(types.filter((type) => type.startsWith('input.'))).toEqual(['input.accepted', 'input.applied']);
      // Not in the request that was under way: behind the answer to it.
      expect(types.indexOf('input.applied')).toBeGreaterThan(types.indexOf('usage.recorded'));
      const snapshot = (await call('GET', `${sessions}/${session}/snapshot`)).body as unknown as {
        inputs: { data: Input }[];
        items: { data: { item: { role: string } } }[];
      };
      expect(snapshot.inputs.map(({ data }) => data.status)).toEqual(['applied']);
      expect(snapshot.items.map(({ data }) => data.item.role)).toEqual(['user', 'assistant', 'user', 'assistant']);
      expect(await call('POST', `${path}/steer`, said('later'))).toMatchObject({ status: 409, body: { code: 'turn_closed' } });
    });

    test('waits with a turn that waits, goes by the name of inputs too, and is rejected when the turn is cancelled', async () => {
      const { newSession, submit, call } = target();
      const session = await newSession();
      const turn = await submit(session, [[{ tool: { name: 'lookup', input: { q: 'x' } } }]]);
      const path = `${sessions}/${session}/turns/${turn}`;
      await eventually(
        () => call('GET', path),
        ({ body }) => body['status'] === 'requires_action',
      );
      const input = [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'mind' },
            { type: 'data', data: { a: 1 } },
          ],
        },
      ];
      const taken = await call('POST', `${path}/inputs`, { body: { input }, key: freshKey() });
      expect(taken.status).toBe(202);
      await call('POST', `${path}/cancel`, { body: {}, key: freshKey() });
      expect(await inputsOf(session)).toMatchObject([{ status: 'rejected', reason: 'cancelled', input }]);
      expect((await call('GET', String(taken.body['status_url']))).body).toMatchObject({ command: { status: 'failed', error_code: 'turn_closed' } });
      const log = await events(session);
      const at = (type: string): number => log.findIndex((event) => event.type === type);
      expect(at('input.rejected')).toBeLessThan(at('turn.cancelled'));
      expect(log.filter(({ turn_id }) => turn_id === turn).at(-1)?.type).toBe('turn.cancelled');
    });

    test('wants a key, something to say, and a turn of this session', async () => {
      const { newSession, submit, call } = target();
      const session = await newSession();
      const turn = await submit(session, [[{ hang: true }]]);
      const path = `${sessions}/${session}/turns/${turn}/steer`;
      expect(await call('POST', path, { body: { message: 'x' } })).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } });
      for (const body of [{}, { message: ' ' }, { message: 'x', input: [] }, { input: [{ role: 'assistant', content: [] }] }]) {
        expect(await call('POST', path, { body, key: freshKey() })).toMatchObject({ status: 422 });
      }
      const file = { input: [{ role: 'user', content: [{ type: 'file', file_id: 'file_none' }] }] };
      expect(await call('POST', path, { body: file, key: freshKey() })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/input/0/content/0/file_id' }] },
      });
      expect(await call('POST', `${sessions}/${await newSession()}/turns/${turn}/steer`, said('x'))).toMatchObject({ status: 404 });
      await call('POST', `${sessions}/${session}/turns/${turn}/cancel`, { body: {}, key: freshKey() });
    });
  });

  describe('inject', () => {
    test('starts no turn, and is used by the next one', async () => {
      const { newSession, submit, settled, call } = target();
      const session = await newSession();
      expect((await call('GET', `${sessions}/${session}/capabilities`)).body).toMatchObject({ capabilities: { steer: true, inject: true } });
      const taken = await call('POST', `${sessions}/${session}/inputs/inject`, said('the house is blue'));
      expect(taken).toMatchObject({ status: 202, body: { status: 'accepted' } });
      expect((await call('GET', `${sessions}/${session}`)).body['status']).toBe('idle');
      expect(await inputsOf(session)).toMatchObject([{ status: 'accepted', kind: 'inject' }]);
      const turn = await submit(session, [[{ text: 'blue' }]]);
      await settled(session, turn);
      expect(await inputsOf(session)).toMatchObject([{ input_id: taken.body['input_id'], status: 'applied', turn_id: turn }]);
      expect((await call('GET', `${sessions}/${session}/resources/inputs?limit=1`)).body).toMatchObject({ has_more: false, next_cursor: null });
      await call('POST', `${sessions}/${session}/archive`, { body: {} });
      expect(await call('POST', `${sessions}/${session}/inputs/inject`, said('red'))).toMatchObject({ status: 409, body: { code: 'session_archived' } });
    });
  });

  describe('a busy session', () => {
    const submitOn = (session: string, message: string, onBusy: string, key = freshKey()) =>
      target().call('POST', `${sessions}/${session}/turns`, { body: { message, onBusy }, key });

    test('rejects, steers, or interrupts, as the submission says', async () => {
      const { newSession, submit, settled, call } = target();
      const session = await newSession();
      const first = await submit(session, [[{ text: 'begun' }, { hang: true }]]);
      await begun(session);
      expect(await submitOn(session, 'x', 'reject')).toMatchObject({ status: 409, body: { code: 'session_busy', turn_id: first } });
      expect(await submitOn(session, 'x', 'wait')).toMatchObject({ status: 422 });
      const steered = await submitOn(session, 'mind', 'steer');
      expect(steered).toMatchObject({ status: 202, body: { id: first, status: 'running' } });
      expect((await inputsOf(session)).map(({ input_id }) => input_id)).toEqual([steered.body['inputId']]);
      const queued = await submitOn(session, '{"script":[{"text":"queued"}]}', 'queue');
      const key = freshKey();
      const next = await submitOn(session, '{"script":[{"text":"next"}]}', 'interrupt', key);
      expect(next).toMatchObject({ status: 202, body: { status: 'queued' } });
      expect((await submitOn(session, '{"script":[{"text":"next"}]}', 'interrupt', key)).body).toEqual(next.body);
      await settled(session, String(queued.body['id']));
      expect((await settled(session, first)).body['status']).toBe('cancelled');
      const order = (await events(session)).filter(({ type }) => type === 'turn.running').map(({ turn_id }) => turn_id);
      expect(order).toEqual([first, next.body['id'], queued.body['id']]);
      expect((await call('GET', `${sessions}/${session}/turns`)).body['items']).toHaveLength(3);
    });

    test('has a queue: listed, reordered by whoever has seen it, and left', async () => {
      const { newSession, submit, settled, call } = target();
      const session = await newSession();
      const path = `${sessions}/${session}/queue`;
      const first = await submit(session, [[{ text: 'begun' }, { hang: true }]]);
      await begun(session);
      const [a, b, c] = [await submit(session, [[{ text: 'a' }]]), await submit(session, [[{ text: 'b' }]]), await submit(session, [[{ text: 'c' }]])];
      const queue = await call('GET', path);
      expect(queue).toMatchObject({
        status: 200,
        body: { current: { id: first }, items: [{ id: a, queuePosition: 1 }, { id: b }, { id: c, queuePosition: 3 }] },
      });
      const version = queue.body['version'];
      const moved = await call('PUT', path, { body: { order: [c, a, b], version } });
      expect(moved).toMatchObject({ status: 200, body: { items: [{ id: c, queuePosition: 1 }, { id: a }, { id: b }] } });
      for (const body of [{ order: [a, b, c], version }, { order: [a, b] }, { order: [a, b, c, first] }]) {
        expect(await call('PUT', path, { body })).toMatchObject({ status: 409, body: { code: 'version_conflict' } });
      }
      expect(await call('DELETE', `${path}/${a}`, { key: freshKey() })).toMatchObject({
        status: 202,
        body: { command: { kind: 'cancel', status: 'completed' } },
      });
      expect(await call('DELETE', `${path}/${first}`, { key: freshKey() })).toMatchObject({ status: 409, body: { code: 'turn_not_queued' } });
      await call('POST', `${sessions}/${session}/turns/${first}/cancel`, { body: {}, key: freshKey() });
      await settled(session, b);
      const order = (await events(session)).filter(({ type }) => type === 'turn.running').map(({ turn_id }) => turn_id);
      expect(order).toEqual([first, c, b]);
      const told = (await events(session)).filter(({ type, data }) => type === 'turn.queued' && (data as { reason?: string }).reason === 'reordered');
      expect(told.map(({ turn_id }) => turn_id)).toEqual([c, a, b]);
    });
  });
};
