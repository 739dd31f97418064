/** Mini-tools over HTTP: who sees which, what is agreed to, what is kept and audited. None runs here. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openedSettings } from '../app/minitools/sealed-settings.ts';
import { createSecretBox } from '../app/secrets.ts';
import type { MinitoolRow } from '../ports/minitools.ts';
import { type Answer, type OpenHttp, openHttp } from '../testing/http/open-http.ts';

let server: OpenHttp;
let folder: string;
beforeAll(async () => {
  server = await openHttp({ rateLimits: { requests: 1_000_000 } });
  folder = mkdtempSync(join(tmpdir(), 'turnkeeper-minitools-'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const bob = () => ({ authorization: `Bearer ${server.otherToken}` });
const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
  server.call(method, `/api/v1${path}`, body, headers);
const minitool = ({ body }: Answer) => body['minitool'] as Record<string, unknown>;
const administration = (answer: Answer) => minitool(answer)['administration'] as Record<string, unknown>;

const none = { filesystem: 'none', network: false, shell: false, secrets: [], oauth: [], sessions: false, sessionInteractions: false };

let count = 0;
const fresh = (name: string): string => {
  count += 1;
  return `${name}-${count}`;
};
const write = (manifest: object, at = join(folder, fresh('package'))): string => {
  mkdirSync(join(at, 'dist'), { recursive: true });
  writeFileSync(join(at, 'finch.json'), JSON.stringify({ manifestVersion: 1, name: 'Notes', ...manifest }));
  writeFileSync(join(at, 'dist', 'index.js'), 'export const activate = () => {};\n');
  return at;
};
const install = async (manifest: object = {}): Promise<{ readonly id: string; readonly permissions: object; readonly path: string }> => {
  const id = fresh('notes');
  const path = write({ id, ...manifest });
  const made = await call('POST', '/minitools', { source: `folder:${path}` });
  expect([made.status, minitool(made)['id']]).toEqual([201, id]);
  return { id, path, permissions: minitool(made)['permissions'] as object };
};
const enable = (id: string, consent: object): Promise<Answer> => call('POST', `/minitools/${id}/enable`, { consent });

test('a mini-tool is installed disabled, and what it may do is said in words', async () => {
  const id = fresh('planner');
  const path = write({ id, name: { default: 'Planner', 'zh-CN': '规划' }, permissions: { network: true, secrets: ['token', 'mcp.*'] } });
  const made = await call('POST', '/minitools', { source: `folder:${path}` });
  expect(made.status).toBe(201);
  expect(minitool(made)).toMatchObject({ id, name: 'Planner', version: '0.0.0', status: 'disabled', activity: 'stopped', lastCrash: null });
  expect(minitool(made)['permissions']).toEqual({ ...none, network: true, secrets: ['token', 'mcp.*'] });
  const words = minitool(made)['permissionsInWords'] as { permission: string; words: string; enforced: boolean }[];
  expect(words.map(({ permission }) => permission)).toEqual(['filesystem', 'network', 'shell', 'secrets', 'sessions', 'sessionInteractions']);
  expect(words[1]).toMatchObject({ words: expect.stringContaining('any address'), enforced: true });
  expect(administration(made)).toMatchObject({
    consent: null,
    users: [],
    secrets: [
      { name: 'token', isSet: false },
      { name: 'mcp.*', isSet: false },
    ],
  });
  const chinese = await call('GET', `/minitools/${id}`, undefined, { 'accept-language': 'fr, zh-CN;q=0.9, en;q=0.4' });
  expect(minitool(chinese)['name']).toBe('规划');
});

test('with a shell nothing holds it to the rest, and the words say so', async () => {
  const { id } = await install({ permissions: { shell: true } });
  const words = minitool(await call('GET', `/minitools/${id}`))['permissionsInWords'] as { permission: string; enforced: boolean }[];
  expect(words.filter(({ enforced }) => !enforced).map(({ permission }) => permission)).toEqual(['filesystem', 'network']);
});

test('a faulty manifest is refused with every fault, and leaves nothing', async () => {
  const path = write({ id: 'Bad Id', permissions: { network: 'yes', filesystem: 'all' } });
  const refused = await call('POST', '/minitools', { source: `folder:${path}` });
  expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
  expect((refused.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer).toSorted()).toEqual([
    '/id',
    '/permissions/filesystem',
    '/permissions/network',
  ]);
  expect(await call('POST', '/minitools', { source: 'npm:../../etc' })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/source' }] } });
  expect(await call('POST', '/minitools', { source: 'npm:left', link: true })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/link' }] } });
});

test('it is enabled by what was shown and by nothing else', async () => {
  const { id, permissions } = await install({ permissions: { sessions: true, secrets: ['a', 'b'] } });
  const stale = await enable(id, { ...permissions, sessions: false });
  expect(stale).toMatchObject({ status: 409, body: { code: 'version_conflict', differences: [{ permission: 'sessions', shown: false, now: true }] } });
  const fewer = await enable(id, { ...permissions, secrets: ['a'] });
  expect(fewer).toMatchObject({ status: 409, body: { differences: [{ permission: 'secrets' }] } });
  expect((await enable(id, {})).status).toBe(422);
  expect(minitool(await call('GET', `/minitools/${id}`))).toMatchObject({ status: 'disabled', administration: { consent: null, users: [] } });
  const done = await enable(id, { ...permissions, secrets: ['b', 'a'] });
  expect(minitool(done)).toMatchObject({ status: 'enabled', administration: { users: ['user_1'], consent: { sessions: true } } });
  expect(minitool(await call('POST', `/minitools/${id}/disable`))).toMatchObject({ status: 'disabled', reason: null });
});

test('a version that asks for more than was agreed to is disabled, one that asks for less goes on', async () => {
  const { id, path, permissions } = await install({ permissions: { sessions: true } });
  await enable(id, permissions);
  const again = (manifest: object) => call('POST', '/minitools', { source: `folder:${write({ id, ...manifest }, path)}` });
  expect(minitool(await again({}))).toMatchObject({ status: 'enabled', permissions: none });
  expect(minitool(await again({ permissions: { sessions: true, network: true } }))).toMatchObject({
    status: 'disabled',
    reason: expect.stringContaining('more than was agreed'),
    administration: { consent: { network: false } },
  });
});

test('MI4 another package of the same id takes nothing over by itself: it is disabled until somebody agrees to it', async () => {
  const { id, permissions } = await install();
  await enable(id, permissions);
  const other = await call('POST', '/minitools', { source: `folder:${write({ id, name: 'Somebody else' })}` });
  expect(minitool(other)).toMatchObject({ status: 'disabled', reason: expect.stringContaining('comes from elsewhere') });
  expect(minitool(await enable(id, permissions))).toMatchObject({ status: 'enabled' });
});

test('to those who may not use it it is not there; to those who may, it can be seen and not changed', async () => {
  const { id, permissions } = await install({ contributes: { sessionContainers: [{ id: 'inbox', title: { default: 'In', 'zh-CN': '收件箱' } }] } });
  await enable(id, permissions);
  const asBob: readonly (readonly [method: string, path: string, body?: unknown])[] = [
    ['PATCH', '', { users: ['user_2'] }],
    ['POST', '/enable', { consent: permissions }],
    ['POST', '/disable'],
    ['DELETE', ''],
    ['GET', '/logs'],
    ['GET', '/logs?follow=true'],
    ['PUT', '/secrets/token', { value: 'v' }],
    ['DELETE', '/secrets/token'],
  ];
  const statuses = async () => Promise.all(asBob.map(async ([method, path, body]) => (await call(method, `/minitools/${id}${path}`, body, bob())).status));
  const unknown = await call('GET', '/minitools/nothing', undefined, bob());
  const hidden = await call('GET', `/minitools/${id}`, undefined, bob());
  expect([hidden.status, hidden.body['detail']]).toEqual([404, unknown.body['detail']]);
  expect(await statuses()).toEqual(asBob.map(() => 404));
  expect((await call('GET', '/minitools', undefined, bob())).body['items']).toEqual([]);

  expect((await call('PATCH', `/minitools/${id}`, { users: ['user_2', 'user_2'] })).status).toBe(200);
  const shown = await call('GET', `/minitools/${id}`, undefined, bob());
  expect(minitool(shown)).toMatchObject({ id, status: 'enabled' });
  expect(minitool(shown)).not.toHaveProperty('administration');
  expect((await call('GET', '/minitools', undefined, bob())).body['items']).toMatchObject([{ id }]);
  expect(await statuses()).toEqual(asBob.map(() => 403));
  expect((await call('POST', '/minitools', { source: 'folder:/x' }, bob())).status).toBe(403);
  const containers = await call('GET', `/minitools/${id}/containers`, undefined, { ...bob(), 'accept-language': 'zh' });
  expect(containers.body['items']).toEqual([
    { id: 'inbox', title: '收件箱', description: '', icon: null, mode: 'inbox', starterPrompts: [], unread: [], agent: null },
  ]);
  expect(await call('POST', `/minitools/${id}/containers/inbox/sessions`, {}, bob())).toMatchObject({ status: 409, body: { code: 'not_supported' } });
  expect((await call('POST', `/minitools/${id}/containers/none/sessions`, {}, bob())).status).toBe(404);
});

test('settings are held to their fields; secret ones are never read back', async () => {
  const fields = [
    { key: 'lang', type: 'select', options: ['de', { value: 'en', label: 'English' }] },
    { key: 'days', type: 'number', default: 3 },
    { key: 'pin', type: 'text', secret: true },
  ];
  const { id } = await install({ settings: { fields }, contributes: { sessionContainers: [{ id: 'inbox' }] } });
  const patch = (body: object) => call('PATCH', `/minitools/${id}`, body);
  const faulty = await patch({ settings: { lang: 'fr', days: '3', more: 1 } });
  expect((faulty.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer)).toEqual(['/settings/lang', '/settings/days', '/settings/more']);
  expect(administration(await patch({ settings: { lang: 'en', pin: 'hush' } }))).toMatchObject({ settings: { lang: 'en' }, secretSettings: ['pin'] });
  // ST1
  const kept = await server.minitools.store.minitool(id);
  expect(JSON.stringify(kept)).not.toContain('hush');
  expect(openedSettings(createSecretBox(Buffer.alloc(32, 1)), kept as MinitoolRow)).toEqual({ lang: 'en', pin: 'hush' });
  const changed = await patch({ settings: { lang: null, days: 5 } });
  expect(administration(changed)).toMatchObject({ settings: { days: 5 }, secretSettings: ['pin'] });
  expect(JSON.stringify(changed.body)).not.toContain('hush');
  expect(minitool(changed)['settingsFields']).toMatchObject([
    {
      key: 'lang',
      options: [
        { value: 'de', label: 'de' },
        { value: 'en', label: 'English' },
      ],
    },
    { key: 'days', default: 3 },
    { key: 'pin', secret: true },
  ]);
  expect((await patch({ containerAgents: { inbox: 'nobody', other: 'script' } })).body['errors']).toMatchObject([
    { pointer: '/containerAgents/inbox' },
    { pointer: '/containerAgents/other' },
  ]);
  const chosen = administration(await patch({ containerAgents: { inbox: 'script' } }))['containerAgents'] as Record<string, string>;
  expect(chosen['inbox']).toMatch(/^agent_/);
  expect(administration(await patch({ containerAgents: { inbox: null } }))['containerAgents']).toEqual({});
  expect((await patch({ users: ['user_1', 'nobody'] })).body['errors']).toMatchObject([{ pointer: '/users/1' }]);
});

test('secrets: of declared names only, and they go in and never come out', async () => {
  const { id } = await install({ permissions: { secrets: ['token', 'mcp.*'] } });
  const secret = (method: string, name: string, body?: unknown) => call(method, `/minitools/${id}/secrets/${name}`, body);
  expect((await secret('PUT', 'token', { value: 'hush-hush' })).status).toBe(204);
  expect((await secret('PUT', 'mcp.files', { value: 'v' })).status).toBe(204);
  for (const name of ['other', 'mcp.', 'mcp', 'tokens']) expect([name, (await secret('PUT', name, { value: 'v' })).status]).toEqual([name, 404]);
  const read = await call('GET', `/minitools/${id}`);
  expect(administration(read)['secrets']).toEqual([
    { name: 'token', isSet: true },
    { name: 'mcp.*', isSet: false },
  ]);
  expect(JSON.stringify(read.body)).not.toContain('hush');
  expect(await server.minitools.store.secret(id, 'token')).toMatch(/^v1\./);
  expect((await secret('DELETE', 'token')).status).toBe(204);
  expect((await secret('DELETE', 'token')).status).toBe(404);
});

test('each act of an admin is in the audit log; values are not', async () => {
  const { id, permissions } = await install({ settings: { fields: [{ key: 'a', type: 'text' }] }, permissions: { secrets: ['s'] } });
  await enable(id, permissions);
  await call('PATCH', `/minitools/${id}`, { settings: { a: 'quiet-value' } });
  await call('PUT', `/minitools/${id}/secrets/s`, { value: 'quiet-value' });
  await call('DELETE', `/minitools/${id}/secrets/s`);
  await call('POST', `/minitools/${id}/disable`);
  expect((await call('DELETE', `/minitools/${id}`)).status).toBe(204);
  expect((await call('GET', `/minitools/${id}`)).status).toBe(404);
  const { body } = await call('GET', `/audit?subject=minitool:${id}`);
  const actions = (body['data'] as { action: string; actor: string }[]).map(({ action, actor }) => `${action} ${actor}`);
  expect(actions.toReversed()).toEqual(
    ['installed', 'enabled', 'changed', 'secret_set', 'secret_deleted', 'disabled', 'removed'].map((action) => `minitool.${action} user:user_1`),
  );
  expect(JSON.stringify(body)).not.toContain('quiet-value');
});

test('its log is read from its end, and followed', async () => {
  const { id } = await install();
  const log = (server.minitools.host as unknown as { logOf: (id: string) => { write: (level: string, message: string) => void } }).logOf(id);
  for (const message of ['one', 'two\nlines "and" quotes', 'three']) log.write('info', message);
  expect((await call('GET', `/minitools/${id}/logs?lines=2`)).body['items']).toMatchObject([
    { level: 'info', message: 'two\nlines "and" quotes' },
    { level: 'info', message: 'three' },
  ]);
  const leave = new AbortController();
  const response = await fetch(`${server.url}/api/v1/minitools/${id}/logs?follow=true&lines=1`, {
    headers: { authorization: `Bearer ${server.token}` },
    signal: leave.signal,
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  const until = async (text: string): Promise<void> => {
    while (!heard.includes(text)) heard += (await reader?.read())?.value ?? '';
  };
  await until('three');
  log.write('error', 'four');
  await until('four');
  expect(
    heard
      .split('\n\n')
      .filter(Boolean)
      .map((frame) => (JSON.parse(frame.replace('data: ', '')) as { message: string }).message),
  ).toEqual(['three', 'four']);
  leave.abort();
});

test('the unread mark of a session goes when somebody who controls it has looked', async () => {
  const session = await server.newSession();
  expect((await call('POST', `/agent-sessions/${session}/seen`)).status).toBe(204);
  expect((await call('POST', `/agent-sessions/${session}/seen`, undefined, bob())).status).toBe(404);
});

test('the agent of containers that have none of their own: set by admins, by key, audited, and taken back', async () => {
  const body = { agentKey: fresh('guide'), displayName: 'Guide', definition: { system: '', model: 'demo:echo', tools: [] } };
  const made = await call('POST', '/agents', body);
  expect(made.status).toBe(201);
  const put = (defaultAgent: unknown, headers?: Record<string, string>) => call('PUT', '/minitool-defaults', { defaultAgent }, headers);
  const language = { locale: null, localeInForce: 'en-US' };
  const get = async () => (await call('GET', '/minitool-defaults')).body;
  expect(await get()).toEqual({ defaultAgent: null, ...language });
  const set = await put(body.agentKey);
  const { defaultAgent } = set.body as { defaultAgent: string };
  expect(JSON.stringify(made.body)).toContain(`"${defaultAgent}"`);
  expect(await get()).toEqual({ defaultAgent, ...language });
  expect((await put('nobody')).status).toBe(422);
  expect([(await put(null, bob())).status, (await call('GET', '/minitool-defaults', undefined, bob())).status]).toEqual([403, 403]);
  expect(await get()).toEqual({ defaultAgent, ...language });
  expect((await put(null)).body).toEqual({ defaultAgent: null, ...language });
  expect(await get()).toEqual({ defaultAgent: null, ...language });
  const { data } = (await call('GET', '/audit?action=minitool.default_agent_set')).body as { data: { details: unknown }[] };
  expect(data.map(({ details }) => details)).toEqual([{ agent: null }, { agent: defaultAgent }]);
});

test('the language of mini-tools: set by admins, audited, in force at once, and taken back; what is left out stays', async () => {
  const put = (body: unknown, headers?: Record<string, string>) => call('PUT', '/minitool-defaults', body, headers);
  const get = async () => (await call('GET', '/minitool-defaults')).body;
  expect((await put({ locale: 'zh-CN' })).body).toEqual({ defaultAgent: null, locale: 'zh-CN', localeInForce: 'zh-CN' });
  expect([(await put({ locale: 'de-DE' })).status, (await put({ locale: 'en-US' }, bob())).status, (await put({})).status]).toEqual([422, 403, 200]);
  expect(await get()).toEqual({ defaultAgent: null, locale: 'zh-CN', localeInForce: 'zh-CN' });
  expect((await put({ locale: null })).body).toEqual({ defaultAgent: null, locale: null, localeInForce: 'en-US' });
  const { data } = (await call('GET', '/audit?action=minitool.locale_set')).body as { data: { details: unknown }[] };
  expect(data.map(({ details }) => details)).toEqual([{ locale: null }, { locale: 'zh-CN' }]);
});

test('what runs is looked at again when one is removed, also where somebody enabled it at that moment', async () => {
  const { id } = await install();
  const { store, host } = server.minitools;
  const done: string[] = [];
  const remove = store.remove.bind(store);
  const spies = [
    vi.spyOn(store, 'remove').mockImplementation(async (...args) => {
      await store.change(id, { status: 'enabled' }, 1);
      done.push('removed');
      return remove(...args);
    }),
    vi.spyOn(host, 'look').mockImplementation(async () => {
      done.push((await store.minitool(id)) ? 'looked, there' : 'looked, gone');
    }),
  ];
  expect((await call('DELETE', `/minitools/${id}`)).status).toBe(204);
  for (const spy of spies) spy.mockRestore();
  expect(done).toEqual(['looked, there', 'removed', 'looked, gone']);
});

test('what came in by its webhooks is told to admins, and to nobody else', async () => {
  const { id } = await install({ contributes: { webhooks: [{ id: 'chat', verify: 'none' }] } });
  const kept = {
    id: 'arr_1',
    at: 5,
    hook: 'chat',
    status: 202,
    code: null,
    outcome: 'kept',
    signature: 'not_wanted',
    bytes: 3,
    durationMs: 1,
    messageId: 'whm_1',
  } as const;
  server.minitools.arrivals.add(id, kept);
  server.minitools.arrivals.add('gone', kept);
  const told = await call('GET', `/minitools/${id}/arrivals`);
  expect([told.status, told.body['items']]).toEqual([200, [{ ...kept, path: `/api/v1/minitools/${id}/webhooks/chat` }]]);
  expect((await call('GET', `/minitools/${id}/arrivals`, undefined, bob())).status).toBe(404);
  await call('PATCH', `/minitools/${id}`, { users: ['user_2'] });
  expect((await call('GET', `/minitools/${id}/arrivals`, undefined, bob())).status).toBe(403);
  expect((await call('GET', '/minitools/gone/arrivals')).status).toBe(404);
});
