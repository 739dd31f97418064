/** Sessions on another model than their agent's own: who may choose which, and what keeps holding. */
import { describe, expect, test } from 'vitest';
import { byKey, byToken, newApplication, newKey, newPerson } from '../client/people.ts';
import { eventually, freshKey, sessions, type Target } from '../client/target.ts';

export const describeSessionModels = (target: () => Target): void => {
  describe('the model of a session', () => {
    const newAgent = async (models?: readonly string[]): Promise<string> => {
      const definition = { system: '', model: 'demo:script', ...(models ? { models } : {}) };
      const made = await target().call('POST', '/api/v1/agents', {
        body: { agentKey: `models-${crypto.randomUUID().slice(0, 8)}`, displayName: 'Models', definition },
      });
      return (made.body as { agent: { id: string } }).agent.id;
    };
    const create = (body: object, more: object = {}) => target().call('POST', sessions, { body, ...more });
    const on = (model: string) => ({ status: 201, body: { target: { model } } });

    test('CH2 is one that an admin chooses for it alone: the agent stays as it is, and a repeat is the same session', async () => {
      const { call, settled } = target();
      const agent = await newAgent();
      const body = { agent, model: 'demo:echo', initialMessage: { message: 'Say it again' } };
      const key = freshKey();
      const made = await create(body, { key });
      expect(made).toMatchObject({ status: 201, body: { target: { id: agent, version: 1, model: 'demo:echo' } } });
      const { id, turnId } = made.body as { id: string; turnId: string };
      expect((await settled(id, turnId)).body).toMatchObject({ status: 'completed', outputText: expect.stringContaining('Say it again') });
      expect((await call('GET', `${sessions}/${id}/usage`)).body).toMatchObject({ data: { by_model: { 'demo:echo': { model_calls: 1 } } } });
      expect((await create(body, { key })).body).toMatchObject({ id, turnId });
      expect(await create({ ...body, model: 'demo:script' }, { key })).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
      expect((await call('GET', `/api/v1/agents/${agent}`)).body).toMatchObject({ agent: { version: 1 }, definition: { model: 'demo:script' } });
      expect(await create({ agent })).toMatchObject(on('demo:script'));
      // What goes on from there goes on with it.
      expect(await call('POST', `${sessions}/${id}/fork`, { body: { reason: 'on' }, key: freshKey() })).toMatchObject(on('demo:echo'));
    });

    test('CH1 is for everybody else one that the agent allows', async () => {
      const person = byToken((await newPerson(target())).token);
      const [closed, some, all] = [await newAgent(), await newAgent(['demo:echo']), await newAgent(['*'])];
      const refused = { status: 403, body: { code: 'forbidden', pointer: '/model' } };
      expect(await create({ agent: closed, model: 'demo:echo' }, person)).toMatchObject(refused);
      expect(await create({ agent: closed, model: 'demo:script' }, person)).toMatchObject(on('demo:script'));
      expect(await create({ agent: some, model: 'demo:echo' }, person)).toMatchObject(on('demo:echo'));
      expect(await create({ agent: some, model: 'demo:welcome' }, person)).toMatchObject(refused);
      expect(await create({ target: { type: 'agent', id: all }, model: 'demo:welcome' }, person)).toMatchObject(on('demo:welcome'));
      expect(await create({ agent: all, model: 'demo:nowhere' }, person)).toMatchObject(refused);
      // A key has a grant for the agent, and chooses no more than that allows.
      const targets = [closed, some].map((id) => ({ type: 'agent', id }));
      const key = byKey(await newKey(target(), (await newApplication(target())).id, { targets }));
      expect(await create({ agent: some, model: 'demo:echo' }, key)).toMatchObject(on('demo:echo'));
      expect(await create({ agent: closed, model: 'demo:echo' }, key)).toMatchObject(refused);
    });

    test('is refused where the server has none of the name, and where the target is no agent', async () => {
      const { call } = target();
      const agent = await newAgent(['*']);
      const wrong = { status: 422, body: { code: 'validation_failed', errors: [{ pointer: '/model' }] } };
      for (const model of ['demo:nowhere', 'nobody:nothing', 'echo', '']) expect(await create({ agent, model })).toMatchObject(wrong);
      const made = await call('POST', '/api/v1/teams', {
        body: { name: 'Pair', leader: { agentId: agent }, members: [{ name: 'one', agentId: agent, role: 'Helps.' }] },
      });
      const team = (made.body as { team: { id: string } }).team.id;
      expect(await create({ target: { type: 'team', id: team }, model: 'demo:echo' })).toMatchObject(wrong);
      const definition = { system: '', model: 'demo:script', models: ['demo:nowhere'] };
      expect(await call('POST', '/api/v1/agents', { body: { agentKey: 'models-wrong', displayName: 'Wrong', definition } })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/definition/models/0' }] },
      });
    });

    test('is held to the budget of the session, as its own would be', async () => {
      const { call, settled } = target();
      const made = await create({ agent: await newAgent(), model: 'demo:echo' });
      const path = `${sessions}/${String(made.body['id'])}`;
      await call('PUT', `${path}/budget`, { body: { max_model_calls: 1 } });
      const first = await call('POST', `${path}/turns`, { body: { message: 'one' }, key: freshKey() });
      expect((await settled(String(made.body['id']), String(first.body['id']))).body).toMatchObject({ status: 'completed' });
      const second = await call('POST', `${path}/turns`, { body: { message: 'two' }, key: freshKey() });
      const stopped = await eventually(
        async () => (await call('GET', `${path}/turns/${String(second.body['id'])}`)).body,
        ({ status }) => status === 'interrupted',
      );
      expect(stopped).toMatchObject({ errorCode: 'budget_exceeded' });
    });
  });
};
