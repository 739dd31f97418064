/** What the installation keeps: lists of it, secrets, spaces, the webhooks of an application; and that it is there for nobody else. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byKey, byToken, type Credential, newApplication, newKey, newPerson } from '../client/people.ts';
import { openReceiver, type Receiver } from '../client/receiver.ts';
import { eventually, freshKey, sessions, type Target } from '../client/target.ts';

export const describeAdministration = (target: () => Target): void => {
  const get = (path: string, by: Partial<Credential> = {}) => target().call('GET', `/api/v1/${path}`, by);
  const idsOf = async (path: string, by: Partial<Credential> = {}): Promise<readonly unknown[]> =>
    ((await get(path, by)).body['items'] as readonly { readonly id?: unknown; readonly name?: unknown }[]).map(({ id, name }) => id ?? name);

  describe('what the installation keeps', () => {
    test('is listed to who may know it', async () => {
      const { agent } = target();
      const person = await newPerson(target());
      const by = byToken(person.token);
      const application = await newApplication(target());
      expect(await idsOf('agents?limit=200')).toContain(agent);
      expect(await idsOf('users?limit=200')).toContain(person.id);
      expect(await get(`users/${person.id}`)).toMatchObject({ status: 200, body: { user: { username: person.username } } });
      expect(await idsOf('applications?limit=200')).toContain(application.id);
      expect(await idsOf('applications', by)).toEqual([]);
      for (const list of ['teams', 'workflows']) expect((await get(list, by)).status, list).toBe(200);
      for (const path of ['users', 'secrets', 'audit']) expect(await get(path, by), path).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(await get(`applications/${application.id}`, by)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    });

    test('has secrets, which go in and never come out', async () => {
      const { call } = target();
      const name = `S_${crypto.randomUUID().replaceAll('-', '')}`;
      const path = `/api/v1/secrets/${name}`;
      expect(await call('PUT', path, { body: { value: 'hush hush' } })).toMatchObject({ status: 200, body: { name } });
      expect(await call('GET', path)).toMatchObject({ status: 200, body: { name } });
      expect(await idsOf('secrets')).toContain(name);
      for (const read of [await call('GET', path), await get('secrets'), await get(`audit?subject=secret:${name}`)])
        expect(JSON.stringify(read)).not.toContain('hush');
      const { token } = await newPerson(target());
      for (const [method, body] of [['GET'], ['PUT', { value: 'x' }], ['DELETE']] as const)
        expect((await call(method, path, { ...byToken(token), ...(body ? { body } : {}) })).status, method).toBe(403);
      expect((await call('DELETE', path)).status).toBe(204);
      expect([(await call('GET', path)).status, (await call('DELETE', path)).status]).toEqual([404, 404]);
    });

    test('has spaces, which are there for their members', async () => {
      const { call } = target();
      const space = `team-${crypto.randomUUID().slice(0, 8)}`;
      const path = `/api/v1/spaces/${space}`;
      const [member, stranger] = [await newPerson(target(), 'member'), await newPerson(target(), 'stranger')];
      expect((await call('POST', '/api/v1/spaces', { body: { id: space, name: 'Team' } })).status).toBe(201);
      expect(await call('PUT', `${path}/members/${member.id}`, { body: {} })).toMatchObject({ status: 200, body: { userId: member.id, role: 'member' } });
      expect(await call('PATCH', path, { body: { name: 'Crew' } })).toMatchObject({ status: 200, body: { space: { id: space, name: 'Crew' } } });
      const by = byToken(member.token);
      expect(await call('GET', path, by)).toMatchObject({ status: 200, body: { space: { name: 'Crew', role: 'member' } } });
      expect(await idsOf('spaces', by)).toContain(space);
      const members = (await call('GET', `${path}/members`, by)).body['items'] as readonly { readonly userId: string }[];
      expect(members.map(({ userId }) => userId)).toContain(member.id);
      expect(await call('PATCH', path, { body: { name: 'Mine' }, ...by })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      const other = byToken(stranger.token);
      expect(await idsOf('spaces', other)).not.toContain(space);
      for (const [method, at, body] of [
        ['GET', path],
        ['GET', `${path}/members`],
        ['PATCH', path, { name: 'Mine' }],
        ['PUT', `${path}/members/${stranger.id}`, {}],
        ['DELETE', `${path}/members/${member.id}`],
      ] as const)
        expect((await call(method, at, { ...other, ...(body ? { body } : {}) })).status, `${method} ${at}`).toBe(404);
    });

    test('has an agent for mini-tools that have none, set by admins', async () => {
      const { call, agent } = target();
      const path = '/api/v1/minitool-defaults';
      const { body: before } = await call('GET', path);
      expect(await call('PUT', path, { body: { defaultAgent: agent } })).toMatchObject({ status: 200, body: { defaultAgent: agent } });
      // What else is kept there stays as it was.
      expect((await call('GET', path)).body).toEqual({ ...before, defaultAgent: agent });
      expect((await call('PUT', path, { body: { defaultAgent: 'nobody' } })).status).toBe(422);
      const person = byToken((await newPerson(target())).token);
      const key = byKey(await newKey(target(), (await newApplication(target())).id));
      for (const by of [person, key]) {
        expect((await call('GET', path, by)).status).toBe(403);
        expect((await call('PUT', path, { body: { defaultAgent: null }, ...by })).status).toBe(403);
      }
      const { defaultAgent } = before;
      expect((await call('PUT', path, { body: { defaultAgent } })).body).toEqual(before);
    });
  });

  describe('webhooks of an application', () => {
    let receiver: Receiver;
    beforeAll(async () => {
      receiver = await openReceiver();
    });
    afterAll(() => receiver.close());

    test('are read, tried, sent again, given a new secret and deleted by who may, and are there for nobody else', async () => {
      const { call, agent } = target();
      const application = await newApplication(target());
      const key = byKey(await newKey(target(), application.id));
      const hooks = `/api/v1/applications/${application.id}/webhooks`;
      const made = await call('POST', hooks, { body: { url: receiver.url, event_types: ['turn.completed'] }, key: freshKey(), ...key });
      const hook = `${hooks}/${made.body['id']}`;
      const initialMessage = { message: JSON.stringify({ steps: [[{ text: 'hi' }]] }) };
      const { body: session } = await call('POST', sessions, { body: { agent, initialMessage }, key: freshKey(), ...key });
      const [told] = await receiver.got(({ notice }) => notice['session_id'] === session['id']);
      const listed = await eventually(
        () => call('GET', `${hook}/deliveries`, key),
        (answer) => JSON.stringify(answer.body).includes('"delivered"'),
      );
      const delivery = (listed.body['items'] as readonly { readonly id: string }[])[0]?.id;
      const ways: readonly (readonly [method: string, path: string])[] = [
        ['GET', hook],
        ['GET', `${hook}/deliveries`],
        ['GET', `${hook}/deliveries/${delivery}`],
        ['POST', `${hook}/deliveries/${delivery}/redeliver`],
        ['POST', `${hook}/retry`],
        ['POST', `${hook}/test`],
        ['POST', `${hook}/rotate-secret`],
        ['DELETE', hook],
      ];
      const stranger = byToken((await newPerson(target())).token);
      const foreign = byKey(await newKey(target(), (await newApplication(target())).id));
      const narrow = byKey(await newKey(target(), application.id, { scopes: ['invoke', 'read'] }));
      for (const [method, path] of ways) {
        for (const by of [stranger, foreign]) expect((await call(method, path, by)).status, `${method} ${path}`).toBe(404);
        expect(await call(method, path, narrow), `${method} ${path}`).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
      }
      for (const [method, path] of ways) expect((await call(method, path, key)).status, `${method} ${path}`).toBe(method === 'DELETE' ? 204 : 200);
      const again = await receiver.got(({ notice }) => notice['id'] === told?.notice['id'], 2);
      expect(again.map(({ body }) => body)).toEqual([told?.body, told?.body]);
      expect((await call('GET', hook, key)).status).toBe(404);
    });
  });
};
