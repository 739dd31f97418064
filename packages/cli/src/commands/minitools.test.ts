import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemAnswer } from '@turnkeeper/client/testing/fake-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
const permissions = { filesystem: 'none', network: true, shell: false, secrets: [], oauth: [], sessions: false, sessionInteractions: false };
const words = [
  { permission: 'network', words: 'Reaches any address of the network.', enforced: true },
  { permission: 'oauth', words: 'Signs in to: "x".', enforced: false },
];
const details = (changes: object = {}) => ({
  id: 'notes',
  name: 'Notes',
  description: '',
  version: '1.0.0',
  status: 'disabled',
  reason: null,
  activity: 'stopped',
  isUser: true,
  unreadCount: 0,
  installedAt: 1,
  updatedAt: 1,
  permissions,
  permissionsInWords: words,
  lastCrash: null,
  containers: [{ id: 'inbox', title: 'In', description: '', icon: null, mode: 'inbox', starterPrompts: [], unread: ['ses_1'], agent: null }],
  tools: [{ name: 'notes_add', title: 'Add', description: '', risk: 'low', exposure: 'startup' }],
  settingsFields: [
    { key: 'days', type: 'number', label: 'Days', description: '', placeholder: '', required: false, secret: false, default: 3, options: [] },
    { key: 'pin', type: 'text', label: 'Pin', description: '', placeholder: '', required: false, secret: true, default: null, options: [] },
  ],
  webhooks: [],
  schedules: [],
  administration: {
    source: 'folder:/notes',
    settings: {},
    secretSettings: ['pin'],
    containerAgents: {},
    users: ['usr_1'],
    consent: null,
    secrets: [{ name: 'token', isSet: true }],
  },
  ...changes,
});
const running = { status: 'enabled', activity: 'running' };

beforeEach(async () => {
  rig = await createCliRig();
  rig.route('GET', /\/users$/, {
    items: [
      { id: 'usr_1', username: 'ada' },
      { id: 'usr_2', username: 'eve' },
    ],
    next_offset: null,
  });
  rig.route('POST', /\/minitools$/, { minitool: details() }, 201);
  rig.route('POST', /\/enable$/, { minitool: details(running) });
  rig.route('GET', /\/minitools\/notes$/, { minitool: details(running) });
});
afterEach(() => rig.stop());
const sent = () => rig.calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path.replace('/api/v1/', ''), body]);

test('add shows what it may do, and enables exactly that', async () => {
  const { code, out, err } = await rig.run(['minitool', 'add', 'some-notes@1.2.0', '--yes']);
  expect([code, out]).toEqual([0, 'notes runs\n']);
  expect(err).toContain('- Reaches any address of the network.\n');
  expect(err).toContain('- Signs in to: "x". (declared, not enforced)\n');
  expect(sent()).toEqual([
    ['POST', 'minitools', { source: 'npm:some-notes@1.2.0' }],
    ['POST', 'minitools/notes/enable', { consent: permissions }],
  ]);
});

test('what is neither a folder nor the name of a package is refused in words', async () => {
  const { code, err } = await rig.run(['minitool', 'add', 'nosuch/none']);
  expect([code, err]).toEqual([2, expect.stringMatching(/^There is no folder .*nosuch\/none, and "nosuch\/none" is no name of an npm package\.\n$/)]);
  expect(sent()).toEqual([]);
});

test('where nobody can be asked add refuses with words, and nothing is enabled', async () => {
  const { code, err } = await rig.run(['minitool', 'add', 'some-notes']);
  expect(code).toBe(2);
  expect(err).toContain('Reaches any address');
  expect(err).toContain('--yes');
  expect(sent()).toEqual([['POST', 'minitools', { source: 'npm:some-notes' }]]);
});

test('at a terminal it asks; without a yes it stays disabled', async () => {
  const { stdin, err, end } = rig.start(['minitool', 'add', 'some-notes']);
  while (!err.text.includes('[y/N]')) await new Promise((resolve) => setTimeout(resolve, 5));
  stdin.write('n\r');
  expect(await end).toBe(1);
  expect(sent()).toHaveLength(1);
});

test('a folder and a packed file of this machine are found; a path that leads nowhere is said', async () => {
  mkdirSync(join(rig.folder, 'tool'));
  writeFileSync(join(rig.folder, 'tool-1.0.0.tgz'), '"packed"');
  rig.route('POST', /\/minitools\/upload$/, { minitool: details() }, 201);
  await rig.run(['minitool', 'add', './tool', '-y']);
  await rig.run(['minitool', 'add', 'tool-1.0.0.tgz', '-y']);
  expect(sent()[0]).toEqual(['POST', 'minitools', { source: `folder:${join(rig.folder, 'tool')}` }]);
  const upload = rig.calls.find(({ path }) => path.endsWith('/upload'));
  expect(upload?.headers['x-file-name']).toBe('tool-1.0.0.tgz');
  expect((await rig.run(['minitool', 'add', './none', '-y'])).code).toBe(2);
});

test('one that does not come to run is a failure, with the reason', async () => {
  rig.route('GET', /\/minitools\/notes$/, { minitool: details({ status: 'enabled', activity: 'waiting', lastCrash: { at: 1, reason: 'it threw' } }) });
  const { code, out, err } = await rig.run(['minitool', 'enable', 'notes', '-y']);
  expect([code, out]).toEqual([1, 'notes does not run (enabled, waiting)\n']);
  expect(err).toContain('it threw');
});

test('what differs from what was shown is said, and nothing runs', async () => {
  rig.server.on('POST', /\/enable$/, () => problemAnswer('version_conflict'));
  expect((await rig.run(['minitool', 'enable', 'notes', '-y'])).code).toBe(1);
});

test('list, show, disable and remove', async () => {
  rig.route('GET', /\/minitools$/, {
    items: [details({ status: 'broken', reason: 'It crashed' }), details({ ...running, unreadCount: 2 })],
    next_offset: null,
  });
  rig.route('POST', /\/disable$/, { minitool: details() });
  rig.route('DELETE', /\/notes$/, undefined, 204);
  expect((await rig.run(['minitool', 'ls'])).out).toBe('notes  1.0.0  broken   Notes  It crashed\nnotes  1.0.0  running  Notes  2 unread\n');
  const { out } = await rig.run(['minitool', 'show', 'notes']);
  for (const text of [
    /status +enabled +running/,
    /tool +notes_add +risk low/,
    /container +inbox +inbox +In +1 unread/,
    /user +ada/,
    /secret +token +\(set\)/,
    /setting +pin +\(set\)/,
    /setting +days +3 \(default\)/,
  ])
    expect(out).toMatch(text);
  expect((await rig.run(['minitool', 'disable', 'notes'])).out).toBe('notes is disabled\n');
  expect((await rig.run(['minitool', 'remove', 'notes'])).code).toBe(2);
  expect((await rig.run(['minitool', 'remove', 'notes', '-y'])).out).toBe('removed notes\n');
});

test('settings are read as their fields want them', async () => {
  rig.route('PATCH', /\/minitools\/notes$/, { minitool: details() });
  await rig.run(['minitool', 'settings', 'notes', '--set', 'days=5', '--set', 'pin=1=2', '--unset', 'other', '--agent', 'inbox=default', '--user', 'eve']);
  expect(sent()).toEqual([
    ['PATCH', 'minitools/notes', { settings: { days: 5, pin: '1=2', other: null }, containerAgents: { inbox: null }, users: ['usr_1', 'usr_2'] }],
  ]);
  expect((await rig.run(['minitool', 'settings', 'notes', '--set', 'days=soon'])).code).toBe(2);
  expect((await rig.run(['minitool', 'settings', 'notes', '--set', 'days'])).code).toBe(2);
  expect((await rig.run(['minitool', 'settings', 'notes'])).out).toMatch(/setting +days +3 \(default\) +Days/);
  expect(sent()).toHaveLength(1);
});

test('a secret comes from standard input and is shown nowhere', async () => {
  rig.route('PUT', /\/secrets\//, undefined, 204);
  const set = await rig.run(['minitool', 'secret', 'set', 'notes', 'token'], { piped: 'hush\n' });
  expect(set).toEqual({ code: 0, out: 'set token of notes\n', err: '' });
  expect(sent()).toEqual([['PUT', 'minitools/notes/secrets/token', { value: 'hush' }]]);
});

test('logs: time, level and message, the message as it was said', async () => {
  const items = [
    { time: '2026-01-01T00:00:00.000Z', level: 'info', message: 'it said "a\\nb"\nand more' },
    { time: '2026-01-01T00:00:01.000Z', level: 'error', message: 'no\u001b[2J' },
  ];
  rig.route('GET', /\/logs$/, { items });
  const { out } = await rig.run(['minitool', 'logs', 'notes', '--lines', '2']);
  expect(out).toBe('2026-01-01T00:00:00.000Z info it said "a\\nb"\n  and more\n2026-01-01T00:00:01.000Z error no[2J\n');
  expect(rig.calls.at(-1)?.path).toBe('/api/v1/minitools/notes/logs?lines=2');
});

test('arrivals: when, at which hook, how it was answered, signed or not, how large and how long', async () => {
  const arrival = { id: 'arr_1', at: 0, hook: 'chat', path: '/p', status: 202, code: null, outcome: 'kept', signature: 'verified', bytes: 12, durationMs: 3 };
  const refused = { ...arrival, status: 401, code: 'unauthenticated', outcome: 'refused', signature: 'wrong' };
  rig.route('GET', /\/notes\/arrivals$/, { items: [refused, arrival], next_offset: null });
  const { out } = await rig.run(['minitool', 'arrivals', 'notes']);
  expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['1970-01-01T00:00:00.000Z', 'chat', '401', 'unauthenticated', 'wrongly signed', '12 B', '3 ms'],
    ['1970-01-01T00:00:00.000Z', 'chat', '202', 'kept', 'signed', '12 B', '3 ms'],
    [''],
  ]);
});

test('new writes a mini-tool that can run at once, and the doctor finds nothing in it; neither needs a server', async () => {
  await rig.server.stop();
  const made = await rig.run(['minitool', 'new', 'My_Notes']);
  const folder = join(rig.folder, 'My_Notes');
  expect([made.code, made.out]).toEqual([0, `${folder}\n`]);
  expect(JSON.parse(readFileSync(join(folder, 'finch.json'), 'utf8'))).toMatchObject({ id: 'my-notes', name: 'My notes' });
  expect(existsSync(join(folder, 'dist', 'index.js'))).toBe(true);
  const built = (await import(join(folder, 'dist', 'index.js'))) as { activate: (ctx: unknown) => void };
  const tools: { name: string; execute: (input: object) => Promise<unknown> }[] = [];
  built.activate({ subscriptions: [], tools: { register: (tool: (typeof tools)[number]) => tools.push(tool) }, logger: { info: () => {} } });
  expect(await tools[0]?.execute({ text: 'one two 三' })).toEqual({ content: [{ type: 'text', text: '3' }] });
  const doctor = await rig.run(['minitool', 'doctor', 'My_Notes']);
  expect([doctor.code, doctor.out]).toEqual([0, 'Nothing was found.\n']);
  expect((await rig.run(['minitool', 'new', 'My_Notes'])).code).toBe(2);
  writeFileSync(join(folder, 'finch.json'), '{"manifestVersion":1,"id":"my-notes","name":"x"}');
  const faulty = await rig.run(['minitool', 'doctor', 'My_Notes', '--json']);
  expect(faulty.code).toBe(1);
  expect(JSON.parse(faulty.out)).toMatchObject({ ok: false });
  await rig.server.start();
});

test('language says which one is in force, sets it, and takes it back', async () => {
  rig.route('GET', /\/minitool-defaults$/, { defaultAgent: null, locale: null, localeInForce: 'zh-CN' });
  rig.route('PUT', /\/minitool-defaults$/, { defaultAgent: null, locale: 'en-US', localeInForce: 'en-US' });
  expect((await rig.run(['minitool', 'language'])).out).toMatch(/^zh-CN .*none is set/);
  expect((await rig.run(['minitool', 'language', 'en-US'])).out).toBe('en-US\n');
  expect((await rig.run(['minitool', 'language', '--unset'])).code).toBe(0);
  expect([(await rig.run(['minitool', 'language', 'en-US', '--unset'])).code, (await rig.run(['minitool', 'language', 'de'])).code]).toEqual([2, 2]);
  expect(rig.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([{ locale: 'en-US' }, { locale: null }]);
});

test('default-agent says which one is set, sets it, and takes it back', async () => {
  rig.route('GET', /\/minitool-defaults$/, { defaultAgent: null });
  rig.route('PUT', /\/minitool-defaults$/, { defaultAgent: 'agent_1' });
  expect((await rig.run(['minitool', 'default-agent'])).out).toContain('none is set');
  expect((await rig.run(['minitool', 'default-agent', 'guide'])).out).toBe('agent_1\n');
  expect((await rig.run(['minitool', 'default-agent', '--unset'])).code).toBe(0);
  expect((await rig.run(['minitool', 'default-agent', 'guide', '--unset'])).code).toBe(2);
  expect(rig.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([{ defaultAgent: 'guide' }, { defaultAgent: null }]);
});
