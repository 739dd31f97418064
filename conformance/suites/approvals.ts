/** Confirmations and questions: who is asked, what an answer does, where all of them are found. */
import { describe, expect, test } from 'vitest';
import { byKey, byToken, type Credential, newApplication, newKey, newPerson, openAction } from '../client/people.ts';
import { type Answer, eventually, freshKey, sessions, type Target } from '../client/target.ts';

type Directive = Record<string, unknown>;
type ToolView = { readonly name: string; readonly status: string; readonly input: unknown; readonly result?: unknown };

export const describeApprovals = (target: () => Target): void => {
  const tool = (name: string, input: Directive = {}): Directive => ({ tool: { name, input } });
  const answer = (session: string, turn: string, body: unknown, by: Partial<Credential> = {}): Promise<Answer> =>
    target().call('POST', `${sessions}/${session}/turns/${turn}/actions`, { body, key: freshKey(), ...by });
  const waits = async (session: string, steps: readonly (readonly Directive[])[]) => {
    const turn = await target().submit(session, steps);
    return { turn, action: await openAction(target(), session, turn) };
  };
  const actionOf = async (session: string, turn: string, id: string) =>
    ((await target().call('GET', `${sessions}/${session}/turns/${turn}/actions`)).body['required_actions'] as Record<string, Record<string, unknown>>)[id];
  const toolsOf = async (session: string, turn: string): Promise<readonly ToolView[]> =>
    Object.values((await target().call('GET', `${sessions}/${session}/turns/${turn}/snapshot`)).body['tools'] as Record<string, ToolView>);

  describe('a confirmation', () => {
    test('lets the call go on to its application with the arguments as they were edited', async () => {
      const { newSession, settled } = target();
      const session = await newSession();
      const { turn, action } = await waits(session, [[tool('erase', { what: 'all' })], [{ text: 'done' }]]);
      expect(await actionOf(session, turn, action)).toMatchObject({
        kind: 'confirmation',
        can_remember: true,
        tool_call: { name: 'erase', input: { what: 'all' } },
      });
      expect((await answer(session, turn, { request_id: action, payload: { allow: true, input: { what: 'one' } } })).status).toBe(202);
      const next = await eventually(
        () => openAction(target(), session, turn),
        (id) => id !== action,
      );
      expect(await actionOf(session, turn, next)).toMatchObject({ kind: 'external_execution', tool_call: { name: 'erase', input: { what: 'one' } } });
      await answer(session, turn, { request_id: next, payload: { output: 'erased' } });
      expect((await settled(session, turn)).body).toMatchObject({ status: 'completed', outputText: 'done' });
    });

    test('that is denied tells the model why', async () => {
      const { newSession, settled } = target();
      const session = await newSession();
      const { turn, action } = await waits(session, [[tool('erase')], [{ echo: 'prompt' }]]);
      expect((await answer(session, turn, { request_id: action, decision: 'rejected', payload: { reason: 'not on a Monday' } })).status).toBe(202);
      const { body } = await settled(session, turn);
      expect(body).toMatchObject({ status: 'completed' });
      expect(body['outputText']).toContain('not on a Monday');
      expect(await toolsOf(session, turn)).toMatchObject([{ name: 'erase', status: 'denied' }]);
    });

    test('may hold for the rest of the session, but for a tool that always asks', async () => {
      const { newSession, settled } = target();
      const session = await newSession();
      const first = await waits(session, [[tool('erase')], [{ text: 'done' }]]);
      expect((await answer(session, first.turn, { request_id: first.action, payload: { allow: true, remember: 'session' } })).status).toBe(202);
      const asked = await eventually(
        () => openAction(target(), session, first.turn),
        (id) => id !== first.action,
      );
      await answer(session, first.turn, { request_id: asked, payload: { output: 'x' } });
      await settled(session, first.turn);
      const second = await waits(session, [[tool('erase')], [{ text: 'done' }]]);
      expect(await actionOf(session, second.turn, second.action)).toMatchObject({ kind: 'external_execution' });
      await answer(session, second.turn, { request_id: second.action, payload: { output: 'x' } });
      await settled(session, second.turn);
      const third = await waits(session, [[tool('launch')], [{ text: 'done' }]]);
      expect(await actionOf(session, third.turn, third.action)).toMatchObject({ kind: 'confirmation', can_remember: false });
      expect(await answer(session, third.turn, { request_id: third.action, payload: { allow: true, remember: 'session' } })).toMatchObject({ status: 422 });
      const other = await target().newSession();
      const fourth = await waits(other, [[tool('erase')], [{ text: 'done' }]]);
      expect(await actionOf(other, fourth.turn, fourth.action)).toMatchObject({ kind: 'confirmation' });
    });

    test('in an application’s session is a person’s: no key, no operator', async () => {
      const { call, agent } = target();
      const [operator, approver] = [await newPerson(target(), 'operator'), await newPerson(target(), 'approver')];
      const members = [
        { userId: operator.id, roles: ['viewer', 'operator'] },
        { userId: approver.id, roles: ['approver'] },
      ];
      const application = await newApplication(target(), { members });
      const key = await newKey(target(), application.id);
      const message = JSON.stringify({ steps: [[tool('erase')], [{ text: 'done' }]] });
      const made = await call('POST', sessions, { body: { agent, initialMessage: { message } }, key: freshKey(), ...byKey(key) });
      const { id: session, turnId: turn } = made.body as { id: string; turnId: string };
      const action = await openAction(target(), session, turn);
      const allow = { request_id: action, payload: { allow: true } };
      for (const by of [byKey(key), byToken(operator.token)]) {
        expect(await answer(session, turn, allow, by)).toMatchObject({ status: 403, body: { code: 'approver_required' } });
      }
      expect(await answer(session, turn, allow, byToken(approver.token))).toMatchObject({ status: 202 });
      expect(await answer(session, turn, allow, byToken(approver.token))).toMatchObject({
        status: 409,
        body: { code: 'action_resolved', resolved_by: `user:${approver.id}` },
      });
    });
  });

  describe('a question', () => {
    test('waits for its answer, which the model reads', async () => {
      const { newSession, settled } = target();
      const session = await newSession();
      const input = {
        questions: [
          { question: 'Which colour?', header: 'colour', options: [{ label: 'red' }, { label: 'blue' }] },
          { question: 'How many?', header: 'count' },
        ],
      };
      const { turn, action } = await waits(session, [[tool('ask_user', input)], [{ echo: 'prompt' }]]);
      expect(await actionOf(session, turn, action)).toMatchObject({
        kind: 'question',
        prompt: 'Which colour?',
        questions: [{ header: 'colour' }, { header: 'count' }],
      });
      expect(await answer(session, turn, { request_id: action, payload: { answers: { colour: 'red' } } })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed' },
      });
      expect((await answer(session, turn, { request_id: action, payload: { answers: { colour: 'red', count: 'seventeen' } } })).status).toBe(202);
      const { body } = await settled(session, turn);
      expect(body).toMatchObject({ status: 'completed' });
      expect(body['outputText']).toContain('seventeen');
    });

    test('stands beside other calls, each with its own answer in any order', async () => {
      const { newSession, submit, settled, call } = target();
      const session = await newSession();
      const steps = [[tool('ask_user', { question: 'Well?' }), tool('lookup'), tool('erase'), tool('calculator', { expression: '6*7' })], [{ text: 'all' }]];
      const turn = await submit(session, steps);
      const { body } = await eventually(
        () => call('GET', `${sessions}/${session}/turns/${turn}/actions`),
        (found) => Object.keys(found.body['required_actions'] as object).length === 3,
      );
      const open = Object.entries(body['required_actions'] as Record<string, { kind: string; questions?: { header: string }[] }>);
      const payload = (kind: string, header: string) =>
        kind === 'question' ? { answers: { [header]: 'fine' } } : kind === 'confirmation' ? { allow: false } : { output: 'x' };
      const answers = open.toReversed().map(([request_id, { kind, questions }]) => ({ request_id, payload: payload(kind, questions?.[0]?.header ?? '') }));
      expect((await answer(session, turn, { answers })).status).toBe(202);
      expect((await settled(session, turn)).body).toMatchObject({ status: 'completed', outputText: 'all' });
      expect((await toolsOf(session, turn)).map(({ name, status }) => `${name} ${status}`).toSorted()).toEqual([
        'ask_user success',
        'calculator success',
        'erase denied',
        'lookup success',
      ]);
    });
  });

  describe('all that waits for a caller', () => {
    test('is found in one place, and only by who may answer it', async () => {
      const { call, agent } = target();
      const [owner, stranger] = [await newPerson(target(), 'owner'), await newPerson(target(), 'stranger')];
      const mine = byToken(owner.token);
      const made: string[] = [];
      for (const name of ['erase', 'lookup']) {
        const message = JSON.stringify({ steps: [[tool(name)], [{ text: 'done' }]] });
        const { body } = await call('POST', sessions, { body: { agent, title: name, initialMessage: { message } }, key: freshKey(), ...mine });
        made.push(await openAction(target(), String(body['id']), String(body['turnId'])));
      }
      const inbox = async (by: Credential, query = '') =>
        (await call('GET', `/api/v1/required-actions${query}`, by)).body as {
          required_actions: Record<string, unknown>;
          next_cursor: string | null;
          has_more: boolean;
        };
      const all = await inbox(mine);
      expect(Object.keys(all.required_actions)).toEqual(made);
      expect(all.required_actions[made[0] ?? '']).toMatchObject({ kind: 'confirmation', session_title: 'erase', tool_call: { name: 'erase' } });
      const first = await inbox(mine, '?limit=1');
      const second = await inbox(mine, `?limit=1&after=${first.next_cursor}`);
      expect([Object.keys(first.required_actions), first.has_more]).toEqual([[made[0]], true]);
      expect([Object.keys(second.required_actions), second.has_more]).toEqual([[made[1]], false]);
      expect((await inbox(byToken(stranger.token))).required_actions).toEqual({});
    });

    test('has those that name a user, wherever they are', async () => {
      const { call } = target();
      const [owner, named] = [await newPerson(target(), 'owner'), await newPerson(target(), 'named')];
      const definition = {
        system: 'x',
        model: 'demo:script',
        tools: [{ type: 'function', name: 'pay', description: 'Pays.', inputSchema: { type: 'object' }, permission: 'always_ask', approver: [named.id] }],
      };
      const created = await call('POST', '/api/v1/agents', { body: { agentKey: `pay-${crypto.randomUUID().slice(0, 8)}`, displayName: 'Pay', definition } });
      expect(created.status).toBe(201);
      const { id: payer } = created.body['agent'] as { id: string };
      const message = JSON.stringify({ steps: [[tool('pay')], [{ text: 'done' }]] });
      const { body } = await call('POST', sessions, { body: { agent: payer, initialMessage: { message } }, key: freshKey(), ...byToken(owner.token) });
      const [session, turn] = [String(body['id']), String(body['turnId'])];
      const action = await openAction(target(), session, turn);
      expect(await answer(session, turn, { request_id: action, payload: { allow: true } }, byToken(owner.token))).toMatchObject({ status: 403 });
      const found = (await call('GET', '/api/v1/required-actions', byToken(named.token))).body['required_actions'] as Record<string, { session_id: string }>;
      expect(Object.keys(found)).toEqual([action]);
      expect((await call('GET', `${sessions}/${session}`, byToken(named.token))).status).toBe(404);
      expect((await answer(session, turn, { request_id: action, payload: { allow: false } }, byToken(named.token))).status).toBe(202);
      const nobody = [{ ...definition.tools[0], approver: ['user_nobody'] }];
      const refused = await call('POST', '/api/v1/agents', {
        body: { agentKey: 'pay-nobody', displayName: 'Pay', definition: { ...definition, tools: nobody } },
      });
      expect(refused.status).toBe(422);
    });
  });
};
