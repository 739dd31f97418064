/** What a turn's model was shown and said, call by call, and who may see it. */
import { describe, expect, test } from 'vitest';
import { allScopes, byKey, byToken, newKey, newStaffedApplication } from '../client/people.ts';
import { freshKey, sessions, type Target } from '../client/target.ts';

type Call = { readonly id: string; readonly step: number; readonly status: string };

export const describeModelCalls = (target: () => Target): void => {
  const calls = async (session: string, turn: string): Promise<readonly Call[]> =>
    (await target().call('GET', `${sessions}/${session}/turns/${turn}/model-calls`)).body['items'] as readonly Call[];

  describe('model calls', () => {
    test('of a turn are listed, and each shows what the model was shown then, and said', async () => {
      const { call, submit, settled, newSession } = target();
      const session = await newSession();
      const turn = await submit(session, [[{ text: 'let me see' }, { tool: { name: 'calculator', input: { expression: '6*7' } } }], [{ text: 'forty-two' }]]);
      await settled(session, turn);
      await settled(session, await submit(session, [[{ text: 'said later' }]]));
      const made = await calls(session, turn);
      expect(made.map(({ step, status }) => [step, status])).toEqual([
        [1, 'completed'],
        [2, 'completed'],
      ]);
      const path = `${sessions}/${session}/turns/${turn}/model-calls`;
      const second = await call('GET', `${path}/${made[1]?.id}`);
      expect(second).toMatchObject({
        status: 200,
        body: {
          exact: true,
          differs: [],
          request: { model: 'demo:script', system: 'You play scripts.', messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool' }] },
          response: { complete: true, content: [{ type: 'text', text: 'forty-two' }] },
        },
      });
      const request = second.body['request'] as { readonly messages: unknown; readonly tools: readonly { readonly name: string }[] };
      expect(request.tools.map(({ name }) => name)).toContain('calculator');
      expect(JSON.stringify(request.messages)).toContain('42');
      expect(JSON.stringify(request.messages)).not.toContain('said later');
      const page = await call('GET', `${path}?limit=1`);
      expect([(page.body['items'] as unknown[]).length, page.body['next_offset']]).toEqual([1, 1]);
      expect(await call('GET', `${path}/call_none`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(await call('GET', `${sessions}/${session}/turns/turn_none/model-calls`)).toMatchObject({ status: 404 });
      // What the model was shown stands nowhere else.
      for (const event of await target().history(`${sessions}/${session}/events`)) expect(JSON.stringify(event)).not.toContain('You play scripts.');
    });

    test('are for the owner, operators and admins: no key and no client’s token sees them', async () => {
      const { call, agent } = target();
      const { viewer, operator, stranger, application } = await newStaffedApplication(target());
      const key = await newKey(target(), application.id, { scopes: allScopes });
      const initialMessage = { message: JSON.stringify({ steps: [[{ text: 'hi' }]] }) };
      const made = await call('POST', sessions, { body: { agent, initialMessage }, key: freshKey(), ...byKey(key) });
      const [session, turn] = [String(made.body['id']), String(made.body['turnId'])];
      const client = await call('POST', `${sessions}/${session}/client-tokens`, { body: {}, ...byKey(key) });
      await target().settled(session, turn);
      const path = `${sessions}/${session}/turns/${turn}/model-calls`;
      const [first] = await calls(session, turn);
      for (const at of [path, `${path}/${first?.id}`]) {
        expect((await call('GET', at)).status).toBe(200);
        expect((await call('GET', at, byToken(operator.token))).status).toBe(200);
        for (const by of [byToken(viewer.token), byKey(key), byToken(String(client.body['token']))])
          expect(await call('GET', at, by)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
        expect((await call('GET', at, byToken(stranger.token))).status).toBe(404);
      }
    });
  });
};
