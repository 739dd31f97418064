/** Sessions with schemas: what their turns may be given, and what they come to. */
import { describe, expect, test } from 'vitest';
import { freshKey, sessions, type Target } from '../client/target.ts';

const trip = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'], additionalProperties: false };

export const describeStructuredOutput = (target: () => Target): void => {
  const create = async (body: object) => target().call('POST', sessions, { body: { agent: target().agent, ...body } });
  const session = async (schemas: object): Promise<string> => String((await create(schemas)).body['id']);
  const says = (...texts: readonly string[]) => texts.map((text) => [{ text }]);

  describe('an output schema', () => {
    test('makes the answer a result: on the turn, in its outcome, in the snapshot', async () => {
      const { submit, settled, call, history } = target();
      const id = await session({ outputSchema: trip });
      const turn = await submit(id, says('{"city":"Rome","days":3}'));
      const result = { city: 'Rome', days: 3 };
      expect((await settled(id, turn)).body).toMatchObject({ status: 'completed', result });
      const path = `${sessions}/${id}/turns/${turn}`;
      expect((await call('GET', `${path}/snapshot`)).body['turn']).toMatchObject({ result });
      expect((await history(`${path}/events`)).find(({ type }) => type === 'turn.completed')?.data).toMatchObject({ result });
    });

    test('is told to the agent again, once, with what is wrong; then the turn fails', async () => {
      const { submit, settled } = target();
      const id = await session({ outputSchema: trip });
      const repaired = await submit(id, says('Rome!', '{"city":"Rome"}'));
      expect((await settled(id, repaired)).body).toMatchObject({ status: 'completed', result: { city: 'Rome' } });
      const wrong = await submit(id, says('{"town":"Rome"}', '{"city":1}', '{"city":"Rome"}'));
      expect((await settled(id, wrong)).body).toMatchObject({ status: 'failed', errorCode: 'output_schema_violation', result: null });
    });

    test('may be mapped to the result by pointers; one that leads to nothing fails the turn', async () => {
      const { submit, settled } = target();
      const mapped = await session({ outputSchema: trip, resultMapping: { where: '/city', all: '' } });
      const turn = await submit(mapped, says('{"city":"Rome"}'));
      expect((await settled(mapped, turn)).body).toMatchObject({ result: { where: 'Rome', all: { city: 'Rome' } } });
      const broken = await session({ outputSchema: trip, resultMapping: { days: '/days' } });
      const lost = await submit(broken, says('{"city":"Rome"}'));
      expect((await settled(broken, lost)).body).toMatchObject({ status: 'failed', errorCode: 'output_mapping_failed' });
    });
  });

  describe('an input schema', () => {
    test('refuses what does not fit before anything runs, by its places', async () => {
      const { call, settled } = target();
      const id = await session({ inputSchema: trip });
      const jsonInput = async (of: string): Promise<unknown> =>
        ((await target().call('GET', `${sessions}/${of}/capabilities`)).body['capabilities'] as Record<string, boolean>)['json_input'];
      expect([await jsonInput(id), await jsonInput(await session({}))]).toEqual([true, false]);
      const submit = (body: object) => call('POST', `${sessions}/${id}/turns`, { body, key: freshKey() });
      const wrong = await submit({ input: { city: 1, days: 2 } });
      expect(wrong).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [{ pointer: '/input/city' }] } });
      expect(await submit({ message: 'Rome' })).toMatchObject({ status: 422 });
      expect((await call('GET', `${sessions}/${id}/turns`)).body['items']).toEqual([]);
      const taken = await submit({ input: { city: 'Rome' } });
      expect(taken.status).toBe(202);
      expect((await settled(id, String(taken.body['id']))).body).toMatchObject({ status: 'completed' });
      const block = { type: 'data', data: { city: 'Bonn' } };
      expect((await submit({ input: [{ role: 'user', content: [block] }] })).status).toBe(202);
    });

    test('refuses the first message of a session, which then is not made', async () => {
      const { agent, call } = target();
      const body = { agent, inputSchema: trip, initialMessage: { input: { town: 'Rome' } }, title: `never ${crypto.randomUUID()}` };
      const refused = await call('POST', sessions, { body, key: freshKey() });
      expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
      expect((refused.body['errors'] as { pointer: string }[])[0]?.pointer).toMatch(/^\/initialMessage\/input/);
      expect((await call('GET', `${sessions}?q=${encodeURIComponent(body.title)}`)).body['items']).toEqual([]);
    });
  });

  test('a schema or a pointer that cannot be used is refused when the session is made', async () => {
    for (const [member, value] of [
      ['inputSchema', { type: 'objekt' }],
      ['outputSchema', { $ref: 'https://example.com/schema.json' }],
      ['outputSchema', 'string'],
      ['resultMapping', { a: 'city' }],
      ['resultMapping', {}],
    ] as const) {
      const refused = await create({ [member]: value });
      expect([member, refused.status]).toEqual([member, 422]);
      expect((refused.body['errors'] as { pointer: string }[])[0]?.pointer).toMatch(new RegExp(`^/${member}`));
    }
  });
};
