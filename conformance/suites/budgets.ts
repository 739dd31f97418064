/** Budgets: what a session may use, the stop at a limit, and the way on. */
import { describe, expect, test } from 'vitest';
import { eventually, freshKey, sessions, type Target } from '../client/target.ts';

const twoCalls = [[{ tool: { name: 'calculator', input: { expression: '2 + 2' } } }, { usage: { input: 10, output: 5 } }], [{ text: 'four' }]];

export const describeBudgets = (target: () => Target): void => {
  const pathOf = (session: string): string => `${sessions}/${session}`;
  const put = (session: string, body: object) => target().call('PUT', `${pathOf(session)}/budget`, { body });
  const get = async (session: string) => (await target().call('GET', `${pathOf(session)}/budget`)).body;
  const resume = (session: string, turn: string) => target().call('POST', `${pathOf(session)}/turns/${turn}/resume`, { body: {}, key: freshKey() });
  const stopped = (session: string, turn: string) =>
    eventually(
      () => target().call('GET', `${pathOf(session)}/turns/${turn}`),
      ({ body }) => body['status'] === 'interrupted',
    );
  const dataOf = async (session: string, type: string) =>
    (await target().history(`${pathOf(session)}/events`)).filter((event) => event.type === type).map(({ data }) => data);

  describe('budgets', () => {
    test('are set as a whole, read with what is used, and cleared by {}', async () => {
      const { newSession, call } = target();
      const session = await newSession();
      const none = { model_calls: 0, total_tokens: 0, cost: 0, unreported_calls: 0, unpriced_calls: 0, turn_tokens: null };
      expect(await get(session)).toEqual({ used: none });
      const limits = { max_model_calls: 30, max_total_tokens: 100_000, max_cost: 2.5, currency: 'EUR', max_tokens_per_turn: 5_000 };
      expect(await put(session, limits)).toMatchObject({ status: 200, body: { ...limits, used: none } });
      expect(await get(session)).toEqual({ ...limits, used: none });
      await put(session, { max_cost: 1, max_model_calls: null });
      expect(await get(session)).toEqual({ max_cost: 1, currency: 'USD', used: none });
      expect((await put(session, {})).body).toEqual({ used: none });
      expect((await call('GET', `${pathOf(session)}/capabilities`)).body).toMatchObject({ capabilities: { budget: true } });
      expect(await dataOf(session, 'budget.changed')).toHaveLength(3);
    });

    test('that say nothing sensible are refused, each fault by its pointer', async () => {
      const session = await target().newSession();
      const faulty = [
        { max_model_calls: -1 },
        { max_model_calls: 1.5 },
        { max_total_tokens: 'many' },
        { max_cost: 1, currency: 'XQQ' },
        { max_cost: -1 },
        { currency: 'USD' },
      ];
      for (const body of faulty) {
        const answer = await put(session, body);
        expect([answer.status, answer.body['code'], JSON.stringify(body)]).toEqual([422, 'validation_failed', JSON.stringify(body)]);
      }
      expect(await put(`ses_${'0'.repeat(32)}`, { max_model_calls: 1 })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    });

    test('stop a turn between two model calls; raised and resumed the same turn goes on, and nothing is done again', async () => {
      const { newSession, submit, settled, call } = target();
      const session = await newSession();
      await put(session, { max_model_calls: 1 });
      const turn = await submit(session, twoCalls);
      const next = await submit(session, [[{ text: 'next' }]]);
      expect((await stopped(session, turn)).body).toMatchObject({ status: 'interrupted', errorCode: 'budget_exceeded' });
      expect((await call('GET', `${pathOf(session)}/turns/${next}`)).body).toMatchObject({ status: 'queued' });
      expect((await call('GET', `${pathOf(session)}/turns/${turn}/capabilities`)).body['available_commands']).toEqual(
        expect.arrayContaining(['resume', 'cancel']),
      );
      expect(await dataOf(session, 'budget.exceeded')).toEqual([{ turn_id: turn, limit: 'max_model_calls', reason: 'reached', used: 1, max: 1 }]);
      await put(session, { max_model_calls: 3 });
      expect(await resume(session, turn)).toMatchObject({ status: 202, body: { command: { kind: 'resume' } } });
      expect((await settled(session, turn)).body).toMatchObject({ status: 'completed', outputText: 'four', runs: 2, usage: { model_calls: 2 } });
      expect((await settled(session, next)).body).toMatchObject({ status: 'completed' });
      expect(await dataOf(session, 'tool.dispatched')).toHaveLength(1);
      expect(await get(session)).toMatchObject({ used: { model_calls: 3 } });
    });

    test('of cost go by the price that the definition says, as it was when the session was made', async () => {
      const { call, submit, settled } = target();
      const definition = { system: '', model: 'demo:script', pricing: { input: 1_000_000, output: 2_000_000, currency: 'EUR' } };
      const agentKey = `priced-${crypto.randomUUID().slice(0, 8)}`;
      const body = { agentKey, displayName: 'Priced', definition };
      for (const [pricing, pointer] of [
        [{ input: -1, output: 1 }, '/definition/pricing/input'],
        [{ input: 1 }, '/definition/pricing/output'],
        [{ input: 1, output: 1, currency: 'XQQ' }, '/definition/pricing/currency'],
      ] as const)
        expect(await call('POST', '/api/v1/agents', { body: { ...body, definition: { ...definition, pricing } } })).toMatchObject({
          status: 422,
          body: { errors: [{ pointer }] },
        });
      expect(await call('POST', '/api/v1/agents', { body })).toMatchObject({ status: 201, body: { definition: { pricing: definition.pricing } } });
      const session = String((await call('POST', sessions, { body: { agent: agentKey } })).body['id']);
      const cheaper = { ...definition, pricing: { input: 0, output: 0 } };
      expect((await call('PATCH', `/api/v1/agents/${agentKey}/definition`, { body: { version: 1, definition: cheaper } })).status).toBe(200);
      await put(session, { max_cost: 20, currency: 'EUR' });
      const turn = await submit(session, [[{ text: 'dear' }, { usage: { input: 10, output: 5 } }]]);
      expect((await settled(session, turn)).body).toMatchObject({ status: 'completed', usage: { estimated_cost: 20, currency: 'EUR', cost_complete: true } });
      await stopped(session, await submit(session, [[{ text: 'dearer' }]]));
      expect(await dataOf(session, 'budget.exceeded')).toMatchObject([{ limit: 'max_cost', used: 20, max: 20, currency: 'EUR' }]);
    });

    test('of tokens count what was reported; a missing report makes them refuse until they are taken away', async () => {
      const { newSession, submit, settled } = target();
      const session = await newSession();
      await put(session, { max_total_tokens: 15 });
      const turn = await submit(session, twoCalls);
      await stopped(session, turn);
      expect(await dataOf(session, 'budget.exceeded')).toMatchObject([{ limit: 'max_total_tokens', reason: 'reached', used: 15, max: 15 }]);
      await put(session, {});
      await resume(session, turn);
      expect((await settled(session, turn)).body).toMatchObject({ status: 'completed' });

      const other = await newSession();
      await settled(other, await submit(other, [[{ text: 'silent' }, { usage: false }]]));
      await put(other, { max_total_tokens: 1_000_000 });
      const refused = await submit(other, [[{ text: 'later' }]]);
      await stopped(other, refused);
      expect(await dataOf(other, 'budget.exceeded')).toMatchObject([{ reason: 'unreported', used: 0 }]);
      expect(await get(other)).toMatchObject({ used: { unreported_calls: 1 } });
      await put(other, { max_model_calls: 9 });
      await resume(other, refused);
      expect((await settled(other, refused)).body).toMatchObject({ status: 'completed', outputText: 'later' });
    });

    test('let go when the turn is cancelled, and warn once at each of 50, 80 and 100 percent', async () => {
      const { newSession, submit, settled, call } = target();
      const session = await newSession();
      await put(session, { max_model_calls: 2 });
      await settled(session, await submit(session, [[{ text: 'a' }]]));
      const turn = await submit(session, twoCalls);
      await stopped(session, turn);
      await call('POST', `${pathOf(session)}/turns/${turn}/cancel`, { body: {}, key: freshKey() });
      expect((await settled(session, turn)).body).toMatchObject({ status: 'cancelled' });
      const warnings = await dataOf(session, 'budget.warning');
      expect(warnings.map((warning) => [warning['limit'], warning['percent']])).toEqual([50, 80, 100].map((percent) => ['max_model_calls', percent]));
    });

    test('of a session’s creation hold for each turn, until others are set in their place', async () => {
      const { agent, call, submit, settled } = target();
      const { body } = await call('POST', sessions, { body: { agent, budget: { maxTokens: 15 } } });
      const session = String(body['id']);
      expect(await get(session)).toMatchObject({ max_tokens_per_turn: 15 });
      const cheap = [[{ text: 'a' }, { usage: { input: 10, output: 5 } }]];
      for (const steps of [cheap, cheap]) expect((await settled(session, await submit(session, steps))).body).toMatchObject({ status: 'completed' });
      const turn = await submit(session, twoCalls);
      await stopped(session, turn);
      expect(await dataOf(session, 'budget.exceeded')).toMatchObject([{ limit: 'max_tokens_per_turn', used: 15, max: 15 }]);
      await put(session, { max_tokens_per_turn: 1_000_000 });
      await resume(session, turn);
      expect((await settled(session, turn)).body).toMatchObject({ status: 'completed' });
      expect(await call('POST', sessions, { body: { agent, budget: { maxTokens: 0 } } })).toMatchObject({ status: 422 });
    });
  });
};
