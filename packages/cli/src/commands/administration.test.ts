import { readFileSync } from 'node:fs';
import { problemAnswer } from '@turnkeeper/client/testing/fake-server';
import { auditActions } from '@turnkeeper/core/protocol/wire/identity';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
const member = { userId: 'usr_1', roles: ['viewer'] };
const app = {
  id: 'app_1',
  name: 'Bot',
  description: '',
  status: 'active',
  maxConcurrent: 2,
  tokenBudget: null,
  maxUnfinished: null,
  usage: { running: 1, unfinished: 3, tokens: 4_000 },
  members: [member],
  ownerId: 'usr_1',
  version: 7,
  createdAt: 1,
  updatedAt: 1,
};
const key = {
  id: 'cred_1',
  name: 'k',
  prefix: 'tkk_ab',
  scopes: ['read'],
  targets: [{ type: 'agent', id: 'guide' }],
  createdAt: 1,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  rotatedFrom: null,
};
beforeEach(async () => {
  rig = await createCliRig();
  rig.route('GET', /\/applications$/, { items: [app], next_offset: null });
  rig.route('GET', /\/credentials$/, { items: [key], next_offset: null });
  rig.route('GET', /\/users$/, { items: [{ id: 'usr_2', username: 'eve' }], next_offset: null });
});
afterEach(() => rig.stop());
const sent = () => rig.calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path.replace('/api/v1/', ''), body]);

test('apps: made with limits and members; a change keeps who is not named', async () => {
  rig.route('POST', /\/applications$/, { application: app }, 201);
  rig.route('PATCH', /\/app_1$/, { application: app });
  expect((await rig.run(['apps', 'show'])).out).toMatch(/running turns +1 of 2\n[\s\S]*tokens +4,000 no limit\n[\s\S]*member +usr_1: viewer/);
  await rig.run(['apps', 'create', 'Bot', '--max-concurrent', '2', '--token-budget', 'none', '--member', 'eve:operator,approver']);
  await rig.run(['apps', 'set', 'Bot', '--status', 'disabled', '--member', 'eve:approver']);
  await rig.run(['apps', 'set', 'app_1', '--member', 'usr_2:viewer', '--max-concurrent', 'none']);
  expect((await rig.run(['apps', 'set', 'Bot'])).code).toBe(2);
  expect((await rig.run(['apps', 'set', 'Bot', '--member', 'eve:king'])).code).toBe(2);
  const eve = (roles: string[]) => ({ userId: 'usr_2', roles });
  expect(sent()).toEqual([
    ['POST', 'applications', { name: 'Bot', maxConcurrent: 2, tokenBudget: null, members: [eve(['operator', 'approver'])] }],
    ['PATCH', 'applications/app_1', { version: 7, status: 'disabled', members: [member, eve(['approver'])] }],
    ['PATCH', 'applications/app_1', { version: 7, maxConcurrent: null, members: [member, eve(['viewer'])] }],
  ]);
});

test('keys: the new one is all that stdout gets; scopes and targets are checked', async () => {
  rig.route('POST', /\/(credentials|rotate)$/, { credential: key, apiKey: 'tkk_secret' }, 201);
  rig.route('DELETE', /\/cred_1$/, undefined, 204);
  const create = ['keys', 'create', '--app', 'Bot', '--scopes', 'read,invoke'];
  expect(await rig.run([...create, '--target', 'agent:guide', '--target', 'agent:*'])).toMatchObject({ code: 0, out: 'tkk_secret\n' });
  expect((await rig.run(create)).code).toBe(2);
  expect((await rig.run([...create, '--target', 'guide'])).code).toBe(2);
  expect((await rig.run(['keys', 'create', '--scopes', 'read,all', '--target', 'agent:*'])).err).toContain('there is no all');
  expect((await rig.run(['keys', 'ls'])).out).toMatch(/^cred_1 {2}tkk_ab… {2}k {2}read {2}agent:guide {2}never used {2}never expires\n$/);
  expect((await rig.run(['keys', 'rotate', 'cred_1'])).out).toBe('tkk_secret\n');
  expect((await rig.run(['keys', 'revoke', 'k', '--yes'])).out).toBe('revoked cred_1\n');
  expect(sent()).toEqual([
    [
      'POST',
      'applications/app_1/credentials',
      {
        name: 'key',
        scopes: ['invoke', 'read'],
        targets: [
          { type: 'agent', id: 'guide' },
          { type: 'agent', id: '*' },
        ],
      },
    ],
    ['POST', 'applications/app_1/credentials/cred_1/rotate', {}],
    ['DELETE', 'applications/app_1/credentials/cred_1', undefined],
  ]);
});

test('secrets: the value comes from standard input and is shown nowhere', async () => {
  rig.route('PUT', /\/secrets\//, undefined, 204);
  rig.route('DELETE', /\/secrets\//, undefined, 204);
  rig.route('GET', /\/secrets$/, { items: [{ name: 'MAIL_KEY', updatedAt: 1, updatedBy: 'usr_2' }], next_offset: null });
  expect((await rig.run(['secrets', 'ls'])).out).toBe('MAIL_KEY  1970-01-01 00:00Z  eve\n');
  const set = await rig.run(['secrets', 'set', 'MAIL_KEY'], { piped: 'hush\n' });
  expect(set).toEqual({ code: 0, out: 'set MAIL_KEY\n', err: '' });
  expect((await rig.run(['secrets', 'set', 'MAIL_KEY', 'hush'])).code).toBe(2);
  expect((await rig.run(['secrets', 'set', 'MAIL_KEY'])).code).toBe(2);
  expect((await rig.run(['secrets', 'rm', 'MAIL_KEY'])).code).toBe(2);
  await rig.run(['secrets', 'rm', 'MAIL_KEY', '-y']);
  expect(sent()).toEqual([
    ['PUT', 'secrets/MAIL_KEY', { value: 'hush' }],
    ['DELETE', 'secrets/MAIL_KEY', undefined],
  ]);
});

test('spaces: who may not list users names a member by id', async () => {
  rig.route('PUT', /\/members\//, undefined, 204);
  rig.route('GET', /\/members$/, { items: [{ userId: 'usr_2', username: 'eve', displayName: 'Eve', role: 'member' }], next_offset: null });
  rig.route('DELETE', /\/members\//, undefined, 204);
  await rig.run(['spaces', 'add', 'lab', 'eve', '--manager']);
  await rig.run(['spaces', 'remove', 'lab', 'eve']);
  rig.server.on('GET', /\/users$/, () => problemAnswer('forbidden'));
  await rig.run(['spaces', 'add', 'lab', 'eve', '--role', 'member']);
  await rig.run(['spaces', 'add', 'lab', 'user_3']);
  const unknown = await rig.run(['spaces', 'add', 'lab', 'bob']);
  expect(unknown.code).toBe(2);
  expect(unknown.err).toMatch(/id instead[\s\S]*bob sees it with: turnkeeper whoami/);
  expect(sent()).toEqual([
    ['PUT', 'spaces/lab/members/usr_2', { role: 'manager' }],
    ['DELETE', 'spaces/lab/members/usr_2', undefined],
    ['PUT', 'spaces/lab/members/usr_2', { role: 'member' }],
    ['PUT', 'spaces/lab/members/user_3', { role: 'member' }],
  ]);
});

test('audit reads no more than asked for; with --json an entry a line', async () => {
  const entry = (n: number) => ({ id: `a${n}`, at: n, actor: 'system', actorName: '', action: 'user.created', subject: 'user:1', address: null, details: {} });
  rig.route('GET', /\/audit$/, { data: [entry(1), entry(2)], next_cursor: 'c', has_more: true });
  const { out } = await rig.run(['audit', '--limit', '3', '--action', 'user.created', '--json']);
  expect(out.trim().split('\n')).toHaveLength(3);
  expect(rig.calls.map(({ path }) => path)).toEqual(['/api/v1/audit?action=user.created&limit=3', '/api/v1/audit?action=user.created&limit=3&after=c']);
  expect((await rig.run(['audit', '--actor', 'eve', '--limit', '1'])).code).toBe(0);
  expect(rig.calls.at(-1)?.path).toBe('/api/v1/audit?actor=user%3Ausr_2&limit=1');
  expect((await rig.run(['audit', '--action', 'user.made'])).err).toMatch(/there is no user\.made\. There are: .*user\.created/);
  expect((await rig.run(['audit', '--actor', 'nobody'])).code).toBe(2);
  expect((await rig.run(['audit', '--limit', '1'])).out).toMatch(/^1970-01-01 00:00Z {2}system {2}user\.created {2}user:1/);
});

test('the actions of the audit log are those that its document lists', () => {
  const text = readFileSync(new URL('../../../../docs/identity.md', import.meta.url), 'utf8');
  const table = text.slice(text.indexOf('| action | subject |'));
  expect([...table.matchAll(/`(\w+\.\w+)`/g)].map(([, action]) => action)).toEqual([...auditActions]);
});

test('a name means the key that works, not one that was revoked; several are told with their states', async () => {
  const old = { ...key, id: 'cred_0', name: 'main', revokedAt: 5 };
  const main = { ...key, id: 'cred_2', name: 'main' };
  let items = [old, main];
  rig.server.on('GET', /\/credentials$/, () => ({ status: 200, body: { items, next_offset: null } }));
  rig.route('POST', /\/rotate$/, { credential: key, apiKey: 'tkk_secret' }, 201);
  expect((await rig.run(['keys', 'rotate', 'main'])).code).toBe(0);
  expect(sent()[0]?.[1]).toBe('applications/app_1/credentials/cred_2/rotate');
  items = [old, main, { ...main, id: 'cred_3', expiresAt: 1_000 as unknown as null }];
  const twice = await rig.run(['keys', 'rotate', 'main']);
  expect(twice.code).toBe(2);
  expect(twice.err).toMatch(/fits 2 keys: cred_2 \(never expires\), cred_3 \(expired 1970/);
  items = [old];
  await rig.run(['keys', 'rotate', 'main']);
  expect(sent()[1]?.[1]).toBe('applications/app_1/credentials/cred_0/rotate');
  expect((await rig.run(['keys', 'create', '--scopes', ' ', '--target', 'agent:*'])).err).toMatch(/^--scopes is empty/);
});
