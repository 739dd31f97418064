/** Teams: their definitions, and what sessions with them are made of. */
import { describe, expect, test } from 'vitest';
import { freshKey, sessions, type Target } from '../client/target.ts';
import { expectRefused } from './unsupported.ts';

const teams = '/api/v1/teams';

export const describeTeams = (target: () => Target): void => {
  const bodyOf = (over: object = {}) => {
    const agentId = target().agent;
    const members = [
      { name: 'finder', agentId, role: 'Finds things.', timeoutSeconds: 60 },
      { name: 'writer', agentId, role: 'Writes.', description: 'In plain words.', retry: { maxAttempts: 2, backoffSeconds: 1 } },
    ];
    return { name: 'Desk', leader: { agentId }, members, maxParallel: 2, ...over };
  };
  const create = (over: object = {}) => target().call('POST', teams, { body: bodyOf(over) });
  const newTeam = async (): Promise<string> => String(((await create()).body['team'] as { id: string }).id);
  const newSession = (id: string, over: object = {}) => target().call('POST', sessions, { body: { target: { type: 'team', id, ...over } } });

  describe('teams', () => {
    test('have immutable versions; a stale one is refused; sessions keep theirs', async () => {
      const { call } = target();
      const made = await create();
      expect(made).toMatchObject({ status: 201, body: { team: { ...bodyOf(), version: 1, space: 'default' } } });
      const { id } = made.body['team'] as { id: string };
      const before = await newSession(id);
      expect(before).toMatchObject({ status: 201, body: { status: 'idle', target: { type: 'team', id, version: 1, name: 'Desk' } } });
      const changed = await call('PATCH', `${teams}/${id}`, { body: { version: 1, name: 'Newsdesk', maxParallel: null } });
      expect(changed).toMatchObject({ status: 200, body: { team: { name: 'Newsdesk', version: 2, members: [{}, {}] } } });
      expect(changed.body['team']).not.toHaveProperty('maxParallel');
      expect(await call('PATCH', `${teams}/${id}`, { body: { version: 1, name: 'late' } })).toMatchObject({
        status: 409,
        body: { code: 'version_conflict', version: 2 },
      });
      expect(await call('GET', `${teams}/${id}`)).toMatchObject({ status: 200, body: changed.body });
      expect(await call('GET', `${teams}/${id}/versions`)).toMatchObject({ status: 200, body: { items: [{ version: 1 }, { version: 2 }], next_offset: null } });
      expect(await call('GET', `${teams}/${id}/versions/1`)).toMatchObject({ status: 200, body: { definition: { maxParallel: 2 } } });
      expect(await call('GET', `${sessions}/${before.body['id']}`)).toMatchObject({ body: { target: { version: 1 } } });
      expect(await newSession(id)).toMatchObject({ body: { target: { version: 2, name: 'Newsdesk' } } });
      expect(await newSession(id, { version: 1 })).toMatchObject({ body: { target: { version: 1 } } });
      expect(await newSession(id, { version: 9 })).toMatchObject({ status: 404 });
      expect((await call('GET', `${teams}?limit=200`)).body['items']).toContainEqual(expect.objectContaining({ id, version: 2 }));
    });

    test('name every fault by its place', async () => {
      const faulty = await create({ leader: { agentId: 'nobody-x' }, members: [{ name: 'a', agentId: 'nobody-y', role: 'r' }] });
      expect(faulty).toMatchObject({ status: 422, body: { errors: [{ pointer: '/leader/agentId' }, { pointer: '/members/0/agentId' }] } });
      const [member] = bodyOf().members;
      expect(await create({ members: [member, member] })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/members' }] } });
      expect(await create({ members: [] })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/members' }] } });
      expect(await create({ memebers: [] })).toMatchObject({ status: 422 });
      expect(await newSession('team_none')).toMatchObject({ status: 404, body: { code: 'not_found', pointer: '/target/id' } });
    });

    test('failure case 40: what a session with a team does not do is refused, as its capabilities say', async () => {
      const session = String((await newSession(await newTeam())).body['id']);
      const { body } = await target().call('GET', `${sessions}/${session}/capabilities`);
      expect(body['capabilities']).toMatchObject({ files: true, file_input: true, subagents: true, budget: true, actions: true, cancel: true, resume: true });
      await expectRefused(target(), session, body['capabilities'] as Record<string, boolean>);
      const snapshot = await target().call('GET', `${sessions}/${session}/snapshot`);
      expect(snapshot.body).toMatchObject({ items: {}, turns: {}, steps: {}, tools: {}, required_actions: {}, subagents: {} });
    });

    test('take a budget, and an input that its schema judges', async () => {
      const { call } = target();
      const id = await newTeam();
      const inputSchema = { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] };
      const made = await call('POST', sessions, { body: { target: { type: 'team', id }, inputSchema, budget: { maxTokens: 1_000 } } });
      const path = `${sessions}/${String(made.body['id'])}`;
      expect(await call('PUT', `${path}/budget`, { body: { max_model_calls: 5 } })).toMatchObject({ status: 200 });
      const wrong = await call('POST', `${path}/turns`, { body: { input: { topic: 1 } }, key: freshKey() });
      expect(wrong).toMatchObject({ status: 422, body: { errors: [{ pointer: '/input/topic' }] } });
      expect((await call('GET', `${path}/turns`)).body['items']).toEqual([]);
    });
  });
};
