/**
 * Mini-tools, with one that the suite installs from a folder of this machine: the server that is tested must run on it.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byKey, byToken, newApplication, newKey, newPerson, type Person } from '../client/people.ts';
import { type Answer, eventually, freshKey, sessions, type Target } from '../client/target.ts';

const id = 'conformance-fixture';
const path = `/api/v1/minitools/${id}`;
const folder = join(import.meta.dirname, '..', 'fixtures', 'minitool');
const minitool = ({ body }: Answer) => body['minitool'] as Record<string, unknown>;
const items = ({ body }: Answer) => body['items'] as Record<string, unknown>[];

export const describeMinitools = (target: () => Target): void => {
  describe('mini-tools', () => {
    let person: Person;
    let permissions: unknown;
    beforeAll(async () => {
      const { call } = target();
      const made = await call('POST', '/api/v1/minitools', { body: { source: `folder:${folder}` } });
      expect([made.status, minitool(made)['status']]).toEqual([201, 'disabled']);
      permissions = minitool(made)['permissions'];
      person = await newPerson(target());
    });
    afterAll(() => target().call('DELETE', path));

    const enabled = async (): Promise<Answer> => {
      await target().call('POST', `${path}/enable`, { body: { consent: permissions } });
      return eventually(
        () => target().call('GET', path),
        (answer) => minitool(answer)['activity'] === 'running',
      );
    };
    /** What the tool says to an agent that may use it. */
    const toolSays = async (name: string, input: object): Promise<string> => {
      const { call } = target();
      const definition = { system: 'You play scripts.', model: 'demo:script', tools: [{ type: 'minitool', id, permission: 'always_allow' }] };
      const agentKey = `fixture-${crypto.randomUUID().slice(0, 8)}`;
      await call('POST', '/api/v1/agents', { body: { agentKey, displayName: 'F', definition } });
      const message = JSON.stringify({ steps: [[{ tool: { name: `${id}_${name}`, input } }], [{ text: 'ok' }]] });
      const { body } = await call('POST', sessions, { body: { agent: agentKey, initialMessage: { message } }, key: freshKey() });
      await target().settled(String(body['id']), String(body['turnId']));
      const snapshot = await call('GET', `${sessions}/${body['id']}/turns/${body['turnId']}/snapshot`);
      const [tool] = Object.values(snapshot.body['tools'] as Record<string, { output: { text: string }[] }>);
      return tool?.output[0]?.text ?? '';
    };

    test('run after a person has agreed to what was shown, and to nothing else', async () => {
      const { call } = target();
      const differs = await call('POST', `${path}/enable`, { body: { consent: { ...(permissions as object), network: true } } });
      expect(differs).toMatchObject({ status: 409, body: { code: 'version_conflict', differences: [{ permission: 'network', shown: true, now: false }] } });
      expect(minitool(await call('GET', path))).toMatchObject({ status: 'disabled', activity: 'stopped', tools: [] });
      const running = minitool(await enabled());
      expect(running).toMatchObject({ status: 'enabled', lastCrash: null });
      expect((running['tools'] as { name: string }[]).map(({ name }) => name)).toEqual([`${id}_greet`, `${id}_background`]);
    });

    test('have tools that agents call, with the settings and secrets of the moment', async () => {
      const { call } = target();
      await enabled();
      expect(await toolSays('greet', { name: 'Ada' })).toBe('hello Ada, no token');
      expect((await call('PUT', `${path}/secrets/token`, { body: { value: 'hush' } })).status).toBe(204);
      expect((await call('PUT', `${path}/secrets/other`, { body: { value: 'hush' } })).status).toBe(404);
      expect((await call('PATCH', path, { body: { settings: { greeting: 'good day', pin: '1234' } } })).status).toBe(200);
      const read = await eventually(
        () => call('GET', path),
        (answer) => minitool(answer)['activity'] === 'running',
      );
      expect(JSON.stringify(read.body)).not.toMatch(/hush|1234/);
      expect(await toolSays('greet', { name: 'Ada' })).toBe('good day Ada, hush');
      expect((await call('DELETE', `${path}/secrets/token`)).status).toBe(204);
    });

    test('keep a log, newest entries last', async () => {
      await enabled();
      const log = await target().call('GET', `${path}/logs?lines=500`);
      expect(items(log)).toContainEqual(expect.objectContaining({ level: 'info', message: 'greets with hello' }));
      expect(items(await target().call('GET', `${path}/logs?lines=1`))).toEqual(items(await target().call('GET', `${path}/logs?lines=500`)).slice(-1));
    });

    test('tell admins what came in by their webhooks, and how it was answered; never what it said', async () => {
      const { call, url } = target();
      await enabled();
      const send = async (hook: string, body: string): Promise<number> => (await fetch(`${url}${path}/webhooks/${hook}`, { method: 'POST', body })).status;
      expect([await send('open', '{"id": "m1"}'), await send('open', '{"id": "m1"}'), await send('signed', 'hush'), await send('none', 'x')]).toEqual([
        202, 202, 401, 404,
      ]);
      const told = await call('GET', `${path}/arrivals`);
      const of = (hook: string) => ({ hook, path: `${path}/webhooks/${hook}`, at: expect.any(Number), durationMs: expect.any(Number) });
      expect(items(told)).toMatchObject([
        { ...of('signed'), status: 401, code: 'unauthenticated', outcome: 'refused', signature: 'wrong', bytes: 4, messageId: null },
        { ...of('open'), status: 202, code: null, outcome: 'repeated', signature: 'not_wanted', bytes: 12 },
        { ...of('open'), status: 202, code: null, outcome: 'kept', signature: 'not_wanted', messageId: expect.stringMatching(/./) },
      ]);
      expect(JSON.stringify(told.body)).not.toMatch(/hush|m1/);
    });

    test('are not there for who may not use them, and no key sees them', async () => {
      const { call } = target();
      const other = byToken((await newPerson(target())).token);
      const key = byKey(await newKey(target(), (await newApplication(target())).id));
      const random = await call('GET', '/api/v1/minitools/nothing', { ...other });
      const requests: readonly (readonly [method: string, path: string, body?: unknown])[] = [
        ['GET', path],
        ['PATCH', path, { settings: {} }],
        ['POST', `${path}/enable`, { consent: permissions }],
        ['POST', `${path}/disable`],
        ['DELETE', path],
        ['GET', `${path}/logs`],
        ['GET', `${path}/arrivals`],
        ['PUT', `${path}/secrets/token`, { value: 'v' }],
        ['DELETE', `${path}/secrets/token`],
        ['GET', `${path}/containers`],
        ['POST', `${path}/containers/desk/sessions`, {}],
      ];
      for (const [method, at, body] of requests) {
        const refused = await call(method, at, { ...other, ...(body === undefined ? {} : { body }) });
        expect([method, at, refused.status, refused.body['detail']]).toEqual([method, at, 404, random.body['detail']]);
        expect([method, at, (await call(method, at, { ...key, ...(body === undefined ? {} : { body }) })).status]).toEqual([method, at, 403]);
      }
      expect(items(await call('GET', '/api/v1/minitools', { ...other })).map((item) => item['id'])).not.toContain(id);
    });

    test('show people what they show: to users who ask for it, never to keys; what is not there is not answered', async () => {
      const { call } = target();
      const key = byKey(await newKey(target(), (await newApplication(target())).id));
      const paths = ['GET /api/v1/minitool-shows/stream', 'POST /api/v1/minitool-shows/show_none/answer'] as const;
      const statuses = async (who: object): Promise<number[]> =>
        Promise.all(
          paths.map(async (each) => {
            const [method = '', at = ''] = each.split(' ');
            return (await call(method, at, { ...who, ...(method === 'POST' ? { body: { confirmed: true } } : {}) })).status;
          }),
        );
      expect(await statuses(key)).toEqual([403, 403]);
      expect(await statuses(byToken('none'))).toEqual([401, 401]);
      const missing = await call('POST', '/api/v1/minitool-shows/show_none/answer', { body: { confirmed: true } });
      expect(missing).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(await call('POST', '/api/v1/minitool-shows/show_none/answer', { body: { sure: true } })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: '/sure' }] },
      });
    });

    test('have containers in which their people open sessions, as if they were their own', async () => {
      const { call, agent } = target();
      await call('PATCH', path, { body: { users: [person.id], containerAgents: { desk: agent } } });
      await enabled();
      const by = byToken(person.token);
      const containers = items(await call('GET', `${path}/containers`, { token: person.token, headers: { 'accept-language': 'zh-CN,en;q=0.5' } }));
      expect(containers).toMatchObject([
        { id: 'inbox', title: '收件箱', mode: 'inbox' },
        { id: 'desk', title: 'Desk', mode: 'assistant', starterPrompts: [{ title: '打招呼', prompt: 'Hello!' }] },
      ]);
      const body = { title: 'Mine', initialMessage: { message: JSON.stringify({ steps: [[{ text: 'hi' }]] }) } };
      const key = freshKey();
      const opened = await call('POST', `${path}/containers/desk/sessions`, { body, key, ...by });
      expect(opened).toMatchObject({
        status: 201,
        body: { title: 'Mine', owner: { type: 'minitool', id }, placement: { type: 'container', id: `${id}/desk` } },
      });
      const again = await call('POST', `${path}/containers/desk/sessions`, { body, key, ...by });
      expect([again.body['id'], again.body['turnId']]).toEqual([opened.body['id'], opened.body['turnId']]);
      const session = String(opened.body['id']);
      const turn = await call('GET', `${sessions}/${session}/turns/${opened.body['turnId']}?wait=30`, { ...by });
      expect(turn.body).toMatchObject({ status: 'completed', outputText: 'hi' });
      const message = JSON.stringify({ steps: [[{ text: 'again' }]] });
      expect((await call('POST', `${sessions}/${session}/turns`, { body: { message }, key: freshKey(), ...by })).status).toBe(202);
      expect(items(await call('GET', `${sessions}?container=${id}/desk`, { ...by })).map((item) => item['id'])).toContain(session);
      const stranger = byToken((await newPerson(target())).token);
      expect((await call('GET', `${sessions}/${session}`, { ...stranger })).status).toBe(404);
      expect((await call('POST', `${path}/containers/inbox/sessions`, { body: {}, ...by })).status).toBe(409);
    });

    test('leave a mark where something happened in the background, until somebody has looked', async () => {
      const { call, agent } = target();
      await call('PATCH', path, { body: { users: [person.id], containerAgents: { inbox: agent } } });
      await enabled();
      const session = await toolSays('background', { text: JSON.stringify({ steps: [[{ text: 'done' }]] }) });
      const by = byToken(person.token);
      const unread = async (): Promise<unknown> => items(await call('GET', `${path}/containers`, { ...by }))[0]?.['unread'];
      await eventually(unread, (marks) => (marks as string[]).includes(session));
      expect((await call('POST', `${sessions}/${session}/seen`, { ...by })).status).toBe(204);
      expect(await unread()).not.toContain(session);
    });

    test('say of their sessions whether they notify, and in lists which of them nobody has looked at', async () => {
      const { call, agent } = target();
      await call('PATCH', path, { body: { users: [person.id], containerAgents: { inbox: agent } } });
      await enabled();
      const session = await toolSays('background', { text: JSON.stringify({ steps: [[{ text: 'done' }]] }) });
      const by = byToken(person.token);
      const listed = async () => items(await call('GET', `${sessions}?container=${id}/inbox`, { ...by })).find((item) => item['id'] === session);
      const read = async () => (await call('GET', `${sessions}/${session}`, { ...by })).body;
      const count = async () => items(await call('GET', '/api/v1/minitools', { ...by })).find((item) => item['id'] === id)?.['unreadCount'];
      const before = await eventually(listed, (item) => item?.['unread'] === true);
      expect([before, await read()]).toMatchObject([{ activity: 'background' }, { activity: 'background', unread: true }]);
      expect(await count()).toBeGreaterThan(0);
      await call('POST', `${sessions}/${session}/seen`, { ...by });
      for (const item of [await listed(), await read()]) expect(item).not.toHaveProperty('unread');
      const opened = await call('POST', `${path}/containers/desk/sessions`, { body: {}, ...by });
      expect(opened.body).toMatchObject({ activity: 'interactive' });
    });

    test('place sessions in spaces, where they are in people’s ordinary lists as if they had made them', async () => {
      const { call } = target();
      const [member, stranger] = [await newPerson(target()), await newPerson(target())];
      const space = `team-${crypto.randomUUID().slice(0, 8)}`;
      await call('POST', '/api/v1/spaces', { body: { id: space, name: 'Team' } });
      for (const each of [person, member]) await call('PUT', `/api/v1/spaces/${space}/members/${each.id}`, { body: { role: 'member' } });
      await call('PATCH', path, { body: { users: [person.id] } });
      await enabled();
      const text = JSON.stringify({ steps: [[{ text: 'done' }]] });
      const [placed, alone, kept] = [
        await toolSays('background', { text, space }),
        await toolSays('background', { text, space: 'default' }),
        await toolSays('background', { text }),
      ];
      const mine = async (who: Person): Promise<readonly unknown[]> =>
        items(await call('GET', `${sessions}?owner=me&limit=200`, { ...byToken(who.token) })).map((item) => item['id']);
      expect(await mine(person)).toEqual(expect.arrayContaining([placed, alone]));
      expect(await mine(person)).not.toContain(kept);
      expect(await mine(member)).toEqual([placed]);
      expect(await mine(stranger)).toEqual([]);
      const session = (await call('GET', `${sessions}/${placed}`, { ...byToken(member.token) })).body;
      expect(session).toMatchObject({ owner: { type: 'minitool', id }, placement: { type: 'space', id: space } });
    });

    test('run on the agents that their people choose, who change nothing else', async () => {
      const { call, agent } = target();
      await call('PATCH', path, { body: { users: [person.id], containerAgents: { desk: null } } });
      const by = byToken(person.token);
      const change = (body: object) => call('PATCH', path, { body, ...by });
      const chosen = await change({ containerAgents: { desk: agent } });
      expect([chosen.status, minitool(chosen)['isUser'], minitool(chosen)['administration']]).toEqual([200, true, undefined]);
      const [, desk] = items(await call('GET', `${path}/containers`, { ...by }));
      expect(desk).toMatchObject({ id: 'desk', agent: expect.stringMatching(/./) });
      expect((await change({ containerAgents: { desk: 'nobody' } })).status).toBe(422);
      for (const body of [{}, { settings: { greeting: 'x' } }, { users: [] }, { containerAgents: { desk: agent }, users: [] }])
        expect([body, (await change(body)).status]).toEqual([body, 403]);
      expect(minitool(await call('GET', path))).toMatchObject({ isUser: false, administration: { users: [person.id] } });
    });

    test('leave their sessions behind when they are disabled', async () => {
      const { call } = target();
      await enabled();
      const session = await toolSays('background', { text: JSON.stringify({ steps: [[{ text: 'done' }]] }) });
      expect(minitool(await call('POST', `${path}/disable`))).toMatchObject({ status: 'disabled', activity: 'stopped', tools: [] });
      expect((await call('GET', `${sessions}/${session}`)).status).toBe(200);
    });

    test('are refused with every fault of their manifest', async () => {
      const refused = await target().call('POST', '/api/v1/minitools', { body: { source: `folder:${join(folder, '..', 'faulty-minitool')}` } });
      expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
      expect((refused.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer).toSorted()).toEqual(['/id', '/permissions/network']);
    });
  });
};
