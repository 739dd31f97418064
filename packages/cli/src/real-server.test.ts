/** The terminal against the server itself, in this process: what the fake server of the other tests stands for. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@turnkeeper/client/create-client';
import { readConfig } from '@turnkeeper/server/config';
import { type RunningServer, startServer } from '@turnkeeper/server/main';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from './run-cli.ts';
import { createFakeIo } from './testing/fake-io.ts';

let server: RunningServer;
let folder: string;
const adminToken = 'admin-token-of-this-test-0123';
const password = 'a long pass phrase';
const script = (...steps: object[][]) => JSON.stringify({ steps });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnkeeper-cli-real-'));
  const env = { TURNKEEPER_ADMIN_TOKEN: adminToken, TURNKEEPER_LOG_LEVEL: 'fatal' };
  server = await startServer(readConfig({ port: '0', data: join(folder, 'data'), demo: false }, env), () => {});
  const tools = [
    { type: 'builtin', name: 'time', permission: 'always_ask' },
    { type: 'function', name: 'weather', description: 'Tells the weather.', inputSchema: { type: 'object' }, readOnly: true },
    { type: 'builtin', name: 'ask_user' },
  ] as const;
  const client = createClient({ baseUrl: server.url, token: adminToken });
  await client.agents.create({ agentKey: 'clerk', displayName: 'Clerk', definition: { system: 'x', model: 'demo:script', tools: [...tools] } });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, maxRetries: 5 });
});

const run = async (args: readonly string[], how: { readonly env?: Record<string, string>; readonly piped?: string } = {}) => {
  const { io, stdin, out, err } = createFakeIo({ TURNKEEPER_URL: server.url, TURNKEEPER_CONFIG_DIR: join(folder, 'config'), ...how.env }, { cwd: folder });
  stdin.end(how.piped ?? '');
  const code = await runCli(args, io);
  return { code, out: out.text, err: err.text, json: <Answer>(): Answer => JSON.parse(out.text) as Answer };
};
const asAdmin = { env: { TURNKEEPER_TOKEN: adminToken } };

test('a user is made, signs in, works, and is shut out', async () => {
  expect(await run(['users', 'create', 'ada', '--name', 'Ada'], { ...asAdmin, piped: password })).toMatchObject({ code: 0 });
  expect((await run(['login', '-u', 'ada'], { piped: 'wrong pass phrase' })).code).toBe(6);
  expect((await run(['login', '-u', 'ada'], { piped: password })).code).toBe(0);
  expect(statSync(join(folder, 'config', 'logins.json')).mode & 0o077).toBe(0);
  expect((await run(['whoami'])).out).toMatch(/^ada \(Ada\) · user/);
  expect((await run(['users', 'ls'])).code).toBe(6);
  expect((await run(['ask', script([{ text: 'Hello.' }]), '--agent', 'clerk'])).out).toBe('Hello.\n');
  expect((await run(['ls', '--owner', 'me', '--json'])).json<{ items: object[] }>().items).toHaveLength(1);
  // Another's sessions are not in one's own list; an admin sees them by asking.
  expect((await run(['ls', '--owner', 'me', '--json'], asAdmin)).json<{ items: object[] }>().items).toHaveLength(0);
  expect((await run(['ls', '--owner', 'all', '--json'], asAdmin)).json<{ items: object[] }>().items).toHaveLength(1);
  await run(['users', 'disable', 'ada', '--yes'], asAdmin);
  expect((await run(['whoami'])).code).toBe(6);
  await run(['users', 'enable', 'ada'], asAdmin);
  expect((await run(['whoami'])).code).toBe(0);
});

test('confirmations, questions and results are answered across sessions, and stand in the audit log', async () => {
  const tool = (name: string, input: object) => ({ tool: { name, input } });
  const asked = { question: 'Which colour?', options: ['red', 'blue'] };
  for (const call of [tool('time', {}), tool('weather', { city: 'Oslo' }), tool('ask_user', asked)])
    expect((await run(['ask', script([call], [{ text: 'done' }]), '--agent', 'clerk'], asAdmin)).code).toBe(4);
  const waiting = await run(['approvals', '--json'], asAdmin);
  expect(waiting.code).toBe(4);
  expect(waiting.json<{ items: { kind: string }[] }>().items.map(({ kind }) => kind)).toEqual(['confirmation', 'external_execution', 'question']);
  expect((await run(['approve'], asAdmin)).out).toBe('allowed: may time() run?\n');
  expect((await run(['answer', '--answer', '2'], asAdmin)).code).toBe(0);
  expect((await run(['answer', '--output', 'snow'], asAdmin)).code).toBe(0);
  expect((await run(['approvals'], asAdmin)).code).toBe(0);
  const { items } = (await run(['ls', '--owner', 'me', '--json'], asAdmin)).json<{ items: { id: string }[] }>();
  for (const { id } of items) expect((await run(['tail', id, '--until', 'done'], asAdmin)).code, id).toBe(0);
  const log = (await run(['audit', '--action', 'action.answered', '--json'], asAdmin)).out.trim().split('\n');
  expect(log).toHaveLength(3);
});

test('an application’s key does what it was made for, until it is revoked', async () => {
  const app = (await run(['apps', 'create', 'Bot', '--max-concurrent', '2', '--json'], asAdmin)).json<{ id: string }>();
  const made = await run(['keys', 'create', '--app', app.id, '--scopes', 'invoke,read', '--target', 'agent:clerk', '--json'], asAdmin);
  const { apiKey, credential } = made.json<{ apiKey: string; credential: { id: string } }>();
  const asKey = { env: { TURNKEEPER_API_KEY: apiKey } };
  expect((await run(['whoami'], asKey)).out).toMatch(/of Bot · scopes invoke, read/);
  expect((await run(['ask', script([{ text: 'Hello.' }]), '--agent', 'clerk'], asKey)).out).toBe('Hello.\n');
  expect((await run(['cancel', '@last', 'turn_1'], asKey)).code).not.toBe(0);
  expect((await run(['audit'], asKey)).code).toBe(6);
  await run(['keys', 'revoke', credential.id, '--app', app.id, '--yes'], asAdmin);
  expect((await run(['ls'], asKey)).code).toBe(6);
});

test('tokens, spaces and secrets; the session’s life; the doctor', async () => {
  const token = (await run(['tokens', 'create', 'ci', '--expires', '1h'], asAdmin)).out.trim();
  expect((await run(['whoami'], { env: { TURNKEEPER_TOKEN: token } })).code).toBe(0);
  await run(['tokens', 'revoke', 'ci', '--yes'], asAdmin);
  expect((await run(['whoami'], { env: { TURNKEEPER_TOKEN: token } })).code).toBe(6);
  await run(['spaces', 'create', 'lab', '--name', 'Lab'], asAdmin);
  await run(['spaces', 'add', 'lab', 'ada'], asAdmin);
  expect((await run(['spaces', 'members', 'lab'], asAdmin)).out).toMatch(/ada {2}.*member/);
  await run(['secrets', 'set', 'MAIL_KEY'], { ...asAdmin, piped: 'hush' });
  const secrets = await run(['secrets', 'ls'], asAdmin);
  expect(secrets.out).toContain('MAIL_KEY');
  expect(secrets.out + (await run(['audit', '--json'], asAdmin)).out).not.toContain('hush');
  expect((await run(['archive', '@last'], asAdmin)).code).toBe(0);
  const { items } = (await run(['ls', '--status', 'archived', '--owner', 'me', '--json'], asAdmin)).json<{ items: { id: string }[] }>();
  const [archived] = items;
  expect((await run(['restore', archived?.id ?? ''], asAdmin)).code).toBe(0);
  expect((await run(['rm', archived?.id ?? '', '--yes'], asAdmin)).code).toBe(0);
  expect((await run(['show', archived?.id ?? ''], asAdmin)).code).toBe(2);
  const doctor = await run(['doctor', '--json'], asAdmin);
  const failed = doctor.json<{ findings: { status: string; check: string }[] }>().findings.filter(({ status }) => status === 'fail');
  expect(failed).toEqual([]);
});

test('a budget stops a turn until it is raised; what is not there is a wrong call', async () => {
  expect((await run(['ask', script([{ text: 'One.' }]), '--agent', 'clerk'], asAdmin)).code).toBe(0);
  await run(['budget', '@last', '--calls', '1'], asAdmin);
  const stopped = await run(['ask', script([{ text: 'Two.' }]), '--session', '@last'], asAdmin);
  expect(stopped).toMatchObject({ code: 4, err: expect.stringMatching(/budget_exceeded: 1 of 1 model calls .*turnkeeper budget ses_\S+ --calls N/) });
  expect(await run(['resume'], asAdmin)).toMatchObject({ code: 4, err: expect.stringContaining('interrupted again: budget_exceeded') });
  await run(['budget', '@last', '--calls', '9'], asAdmin);
  expect((await run(['resume'], asAdmin)).code).toBe(0);
  expect((await run(['tail', '--until', 'done'], asAdmin)).out).toContain('Two.');
  expect((await run(['agents'], asAdmin)).out).toBe('clerk  Clerk  version 1  demo:script\n');
  expect(await run(['ask', 'q', '--agent', 'nobody'], asAdmin)).toMatchObject({ code: 2, err: expect.stringContaining('There are: clerk.') });
  for (const args of [
    ['fork', '--at', 'ckpt_x_1'],
    ['restore-context', '@last', '--to', 'ckpt_x_1'],
    ['download', 'file_x'],
    ['download', 'art_x'],
  ])
    expect((await run(args, asAdmin)).code, args.join(' ')).toBe(2);
});

test('a file goes with what is asked and with what is injected; the same call again is the same turn; results are shown and taken back', async () => {
  writeFileSync(join(folder, 'notes.txt'), 'the house is blue');
  const told = ['--title', 'Notes', '--metadata', 'customer=4711', '--timeout-seconds', '600', '--budget-tokens', '100000'];
  const asking = ['ask', script([{ text: 'Read.' }]), '--agent', 'clerk', '--file', 'notes.txt', '--key', 'notes-1', ...told];
  expect(await run(asking, asAdmin)).toMatchObject({ code: 0, out: 'Read.\n', err: expect.stringMatching(/^uploaded notes\.txt \(17 B\) as file_\w+\n$/) });
  expect(await run(asking, asAdmin)).toMatchObject({ code: 0, out: 'Read.\n' });
  const { items } = (await run(['ls', '--metadata', 'customer=4711', '--json'], asAdmin)).json<{
    items: { id: string; title: string; timeoutSeconds: number }[];
  }>();
  expect(items).toMatchObject([{ title: 'Notes', timeoutSeconds: 600 }]);
  const session = items[0]?.id ?? '';
  expect((await run(['budget', session, '--json'], asAdmin)).out).toContain('100000');
  expect((await run(['files', session, '--json'], asAdmin)).json<{ items: object[] }>().items).toHaveLength(1);

  expect((await run(['inject', 'background', '--session', session, '--file', 'notes.txt'], asAdmin)).code).toBe(0);
  expect((await run(['inputs', session], asAdmin)).out).toMatch(/^inp_\w+ {2}inject {2}accepted .*background \[file\]\n$/);

  expect((await run(['artifacts', 'publish', session, 'notes.txt', '--name', 'What is known'], asAdmin)).code).toBe(0);
  expect((await run(['artifacts', 'publish', session, 'https://example.com/board'], asAdmin)).code).toBe(0);
  expect((await run(['artifacts', 'rm', session, 'board', '--yes'], asAdmin)).code).toBe(0);
  expect((await run(['artifacts', session], asAdmin)).out).toMatch(/^art_\w+ {2}What is known {2}17 B [^\n]*\n$/);

  await run(['schedules', 'add', 'Good morning.', '--session', session, '--cron', '0 9 * * *'], asAdmin);
  const update = ['schedules', 'update', 'Good morning.', '--session', session, '--cron', '0 8 * * *', '--timezone', 'Europe/Berlin', '--message', 'Good day.'];
  expect((await run(update, asAdmin)).code).toBe(0);
  expect((await run(['schedules', 'ls', '--session', session], asAdmin)).out).toMatch(/0 8 \* \* \* \(Europe\/Berlin\) {2}Good day\.\n$/);
});

test('an admin makes another, and takes it back', async () => {
  await run(['users', 'create', 'eve', '--no-password'], asAdmin);
  expect((await run(['users', 'update', 'eve', '--admin', '--json'], asAdmin)).json()).toMatchObject({ roles: ['admin', 'user'] });
  expect((await run(['users', 'update', 'eve', '--no-admin', '--name', 'Eve', '--json'], asAdmin)).json()).toMatchObject({
    roles: ['user'],
    displayName: 'Eve',
  });
});
