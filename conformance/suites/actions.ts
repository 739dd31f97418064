/** Tools that the application runs: asking, answering, answering twice. */
import { describe, expect, test } from 'vitest';
import { type Answer, eventually, freshKey, sessions, type Target } from '../client/target.ts';

type Action = {
  readonly kind: string;
  readonly turn_id: string;
  readonly version: number;
  readonly tool_call: { readonly id: string; readonly name: string; readonly input: unknown };
};

export const describeActions = (target: () => Target): void => {
  const open = async (session: string, turn: string, count: number): Promise<[string, Action][]> => {
    const path = `${sessions}/${session}/turns/${turn}/actions`;
    const { body } = await eventually(
      () => target().call('GET', path),
      (answer) => Object.keys(answer.body['required_actions'] as object).length === count,
    );
    return Object.entries(body['required_actions'] as Record<string, Action>);
  };
  const answer = (session: string, turn: string, body: unknown, key = freshKey()): Promise<Answer> =>
    target().call('POST', `${sessions}/${session}/turns/${turn}/actions`, { body, key });

  describe('an external execution', () => {
    test('waits for its result, and the model goes on with it', async () => {
      const { call, newSession, submit, settled } = target();
      const session = await newSession();
      const turn = await submit(session, [[{ text: 'Let me look.' }, { tool: { name: 'lookup', input: { q: 'weather' } } }], [{ echo: 'prompt' }]]);
      const [[request_id, action] = ['', undefined]] = await open(session, turn, 1);
      expect(action).toMatchObject({
        kind: 'external_execution',
        turn_id: turn,
        version: expect.any(Number),
        tool_call: { name: 'lookup', input: { q: 'weather' } },
      });
      await eventually(
        () => call('GET', `${sessions}/${session}`),
        ({ body }) => body['status'] === 'requires_action',
      );
      expect((await call('GET', `${sessions}/${session}/required-actions`)).body['required_actions']).toHaveProperty(request_id);
      expect((await call('GET', `${sessions}/${session}/turns/${turn}/capabilities`)).body['available_commands']).toEqual(
        expect.arrayContaining(['cancel', 'actions']),
      );
      const taken = await answer(session, turn, { request_id, payload: { output: 'sunny ☀' } });
      expect(taken).toMatchObject({ status: 202, body: { command: { kind: 'actions', turn_id: turn } } });
      const done = await settled(session, turn);
      expect(done.body).toMatchObject({ status: 'completed' });
      expect(done.body['outputText']).toContain('sunny ☀');
      expect(await call('GET', String(taken.body['status_url']))).toMatchObject({ body: { command: { status: 'completed' } } });
    });

    test('is answered once: the same key repeats, another one is refused', async () => {
      const { newSession, submit, settled } = target();
      const session = await newSession();
      const turn = await submit(session, [[{ tool: { name: 'lookup' } }], [{ text: 'ok' }]]);
      const [[request_id] = ['']] = await open(session, turn, 1);
      const key = freshKey();
      const same = await Promise.all([1, 2, 3].map(() => answer(session, turn, { request_id, payload: { output: 'a' } }, key)));
      expect(same.map(({ status }) => status)).toEqual([202, 202, 202]);
      expect(new Set(same.map(({ body }) => (body['command'] as { id: string }).id)).size).toBe(1);
      expect(await answer(session, turn, { request_id, payload: { output: 'b' } })).toMatchObject({ status: 409, body: { code: 'action_resolved' } });
      expect(await answer(session, turn, { request_id, payload: { output: 'b' } }, key)).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
      await settled(session, turn);
      expect((await answer(session, turn, { request_id, payload: { output: 'a' } }, key)).headers.get('idempotency-replayed')).toBe('true');
    });

    test('of two people who answer at once one is taken', async () => {
      const { newSession, submit, settled } = target();
      const session = await newSession();
      const turn = await submit(session, [[{ tool: { name: 'lookup' } }], [{ text: 'ok' }]]);
      const [[request_id] = ['']] = await open(session, turn, 1);
      const both = await Promise.all(['a', 'b'].map((output) => answer(session, turn, { request_id, payload: { output } })));
      expect(both.map(({ status }) => status).toSorted()).toEqual([202, 409]);
      expect((await settled(session, turn)).body['status']).toBe('completed');
    });

    test('of several calls each has its own answer, in any order or together', async () => {
      const { call, newSession, submit, settled } = target();
      const session = await newSession();
      const three = ['a', 'b', 'c'].map((q) => ({ tool: { name: 'lookup', input: { q } } }));
      for (const together of [true, false]) {
        const turn = await submit(session, [three, [{ text: 'all' }]]);
        const actions = (await open(session, turn, 3)).toReversed();
        const answers = actions.map(([request_id]) => ({ request_id, payload: { output: request_id } }));
        if (together) expect((await answer(session, turn, { answers })).status).toBe(202);
        else for (const one of answers) expect((await answer(session, turn, one)).status).toBe(202);
        expect((await settled(session, turn)).body).toMatchObject({ status: 'completed', outputText: 'all' });
        const { tools } = (await call('GET', `${sessions}/${session}/turns/${turn}/snapshot`)).body as { tools: Record<string, { status: string }> };
        expect(Object.values(tools).map(({ status }) => status)).toEqual(['success', 'success', 'success']);
      }
    });

    test('may fail, be of any JSON, or have its payload beside its id', async () => {
      const { call, newSession, submit, settled } = target();
      const session = await newSession();
      const bodies = [{ payload: { output: { rows: [1, 2] } } }, { payload: { output: 'broken', is_error: true } }, { output: 'as older clients send it' }];
      const ends: string[] = [];
      for (const body of bodies) {
        const turn = await submit(session, [[{ tool: { name: 'lookup' } }], [{ text: 'ok' }]]);
        const [[request_id] = ['']] = await open(session, turn, 1);
        expect((await answer(session, turn, { request_id, ...body })).status).toBe(202);
        await settled(session, turn);
        const { tools } = (await call('GET', `${sessions}/${session}/turns/${turn}/snapshot`)).body as { tools: Record<string, { status: string }> };
        ends.push(...Object.values(tools).map(({ status }) => status));
      }
      expect(ends).toEqual(['success', 'error', 'success']);
    });

    test('that does not exist, has changed, or is answered wrongly is refused, and stays open', async () => {
      const { newSession, submit } = target();
      const session = await newSession();
      const turn = await submit(session, [[{ tool: { name: 'lookup' } }], [{ text: 'ok' }]]);
      const [[request_id, action] = ['', undefined]] = await open(session, turn, 1);
      expect(await answer(session, turn, { request_id: 'act_none', payload: { output: 1 } })).toMatchObject({ status: 404 });
      expect(await answer(session, turn, { request_id, payload: {} })).toMatchObject({ status: 422 });
      expect(await answer(session, turn, { payload: { output: 1 } })).toMatchObject({ status: 422 });
      expect(await answer(session, turn, { answers: [] })).toMatchObject({ status: 422 });
      expect(await answer(session, turn, { request_id, expected_version: (action?.version ?? 0) + 1, payload: { output: 1 } })).toMatchObject({
        status: 409,
        body: { code: 'action_version_conflict' },
      });
      expect((await open(session, turn, 1))[0]?.[0]).toBe(request_id);
    });
  });
};
