import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemAnswer } from '@turnkeeper/client/testing/fake-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
const ada = { id: 'usr_1', username: 'ada', displayName: 'Ada', roles: ['user'], status: 'active', hasPassword: true, createdAt: 1 };
const noToken = { TURNKEEPER_TOKEN: '' };
beforeEach(async () => {
  rig = await createCliRig();
  rig.route('GET', /\/api\/auth\/me$/, { user: ada });
});
afterEach(() => rig.stop());
const file = () => join(rig.folder, 'logins.json');
const bodies = () => rig.calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body]);

test('login keeps the token for this server alone, readable by its owner only; logout forgets it and ends it', async () => {
  rig.server.open('POST', /\/api\/auth\/login$/, (_request, body) =>
    (body as { password: string }).password === 'correct horse'
      ? { status: 200, body: { token: rig.server.token, user: ada } }
      : problemAnswer('unauthenticated'),
  );
  const login = ['login', '--username', 'ada'];
  expect((await rig.run(login, { env: noToken, piped: 'wrong\n' })).code).toBe(6);
  expect(existsSync(file())).toBe(false);
  expect((await rig.run(login, { env: noToken, piped: 'correct horse\n' })).out).toBe(`Signed in to ${rig.server.url} as ada.\n`);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect((await rig.run(['whoami'], { env: noToken })).out).toBe('ada (Ada) · user · usr_1\n');
  // Without an address: the server of the last login. At another one: no token.
  expect((await rig.run(['whoami'], { env: { ...noToken, TURNKEEPER_URL: '' } })).code).toBe(0);
  expect((await rig.run(['whoami'], { env: { ...noToken, TURNKEEPER_URL: 'http://elsewhere.test' } })).code).toBe(6);
  rig.route('POST', /\/api\/auth\/logout$/, undefined, 204);
  expect((await rig.run(['logout'], { env: noToken })).code).toBe(0);
  expect(bodies()).toEqual([['POST', '/api/auth/logout', {}]]);
  expect(readFileSync(file(), 'utf8')).not.toContain(rig.server.token);
  expect((await rig.run(['whoami'], { env: noToken })).code).toBe(6);
});

test('the password is typed without an echo', async () => {
  rig.server.open('POST', /\/api\/auth\/login$/, () => ({ status: 200, body: { token: rig.server.token, user: ada } }));
  const { stdin, out, err, end } = rig.start(['login'], noToken);
  await expect.poll(() => err.text).toContain('Username: ');
  stdin.write('ada\r');
  await expect.poll(() => err.text).toContain('Password: ');
  stdin.write('correct horse\r');
  expect(await end).toBe(0);
  expect(out.text + err.text).toContain('Signed in');
  expect(out.text + err.text).not.toMatch(/correct|horse/);
});

test('login --token tries the token before it keeps it', async () => {
  expect((await rig.run(['login', '--token'], { env: noToken, piped: 'no such token\n' })).code).toBe(6);
  expect((await rig.run(['login', '--token'], { env: noToken, piped: '' })).code).toBe(2);
  expect(existsSync(file())).toBe(false);
  expect((await rig.run(['login', '--token'], { env: noToken, piped: `${rig.server.token}\n` })).code).toBe(0);
  expect(existsSync(file())).toBe(true);
});

test('a login that has run out says so', async () => {
  await rig.run(['login', '--token'], { env: noToken, piped: rig.server.token });
  rig.server.on('GET', /\/agent-sessions$/, () => problemAnswer('unauthenticated'));
  const { code, err } = await rig.run(['ls'], { env: noToken });
  expect(code).toBe(6);
  expect(err).toMatch(/does not accept the token of your last login[\s\S]*turnkeeper login --url/);
});

test('tokens: the new one is all that stdout gets', async () => {
  const token = { id: 'tok_1', name: 'ci', createdAt: 1, expiresAt: null, lastUsedAt: null, current: false };
  rig.route('GET', /\/tokens$/, { items: [token, { ...token, id: 'tok_2', name: 'laptop' }], next_offset: null });
  rig.route('POST', /\/tokens$/, { token: 'tk_secret', personalToken: token }, 201);
  rig.route('DELETE', /\/tokens\/tok_1$/, undefined, 204);
  expect((await rig.run(['tokens', 'ls'])).out).toMatch(/^tok_1 {2}ci .*never used {2}never expires/);
  const created = await rig.run(['tokens', 'create', 'ci', '--expires', '2099-01-01']);
  expect(created).toMatchObject({ code: 0, out: 'tk_secret\n' });
  expect((await rig.run(['tokens', 'create', 'ci', '--expires', 'soon'])).code).toBe(2);
  expect((await rig.run(['tokens', 'revoke', 'ci'])).code).toBe(2);
  expect((await rig.run(['tokens', 'revoke', 'tok_', '--yes'])).code).toBe(2);
  expect((await rig.run(['tokens', 'revoke', 'ci', '--yes'])).out).toBe('revoked tok_1\n');
  expect(bodies()).toEqual([
    ['POST', '/api/v1/tokens', { name: 'ci', expiresAt: Date.UTC(2099, 0, 1) }],
    ['DELETE', '/api/v1/tokens/tok_1', undefined],
  ]);
});

test('users: made with a password from standard input or none, shut out, let in', async () => {
  rig.route('GET', /\/users$/, { items: [ada], next_offset: null });
  rig.route('POST', /\/users$/, { user: ada }, 201);
  rig.route('PATCH', /\/users\/usr_1$/, { user: ada });
  rig.route('PUT', /\/password$/, undefined, 204);
  expect((await rig.run(['users', 'ls'])).out).toContain('usr_1  ada  Ada');
  expect((await rig.run(['users', 'create', 'ada', '--admin'], { piped: 'long pass phrase\n' })).out).toBe('made ada (usr_1)\n');
  await rig.run(['users', 'create', 'bot', '--no-password', '--name', 'Bot']);
  expect((await rig.run(['users', 'create', 'ada'])).code).toBe(2);
  expect((await rig.run(['users', 'disable', 'ada'])).code).toBe(2);
  await rig.run(['users', 'disable', 'ada', '--yes']);
  await rig.run(['users', 'enable', 'usr_1']);
  await rig.run(['users', 'password', 'ada'], { piped: 'long pass phrase\nanother pass phrase\n' });
  expect(bodies()).toEqual([
    ['POST', '/api/v1/users', { username: 'ada', roles: ['admin', 'user'], password: 'long pass phrase' }],
    ['POST', '/api/v1/users', { username: 'bot', roles: ['user'], displayName: 'Bot' }],
    ['PATCH', '/api/v1/users/usr_1', { status: 'disabled' }],
    ['PATCH', '/api/v1/users/usr_1', { status: 'active' }],
    ['PUT', '/api/v1/users/usr_1/password', { password: 'another pass phrase', currentPassword: 'long pass phrase' }],
  ]);
});

test('users update gives and takes the role of an admin, and changes the name; what is not named stays', async () => {
  rig.route('GET', /\/users$/, { items: [ada], next_offset: null });
  rig.route('PATCH', /\/users\/usr_1$/, { user: ada });
  expect((await rig.run(['users', 'update', 'ada', '--admin'])).out).toBe('changed ada (usr_1)\n');
  await rig.run(['users', 'update', 'ada', '--no-admin', '--name', 'Ada L.']);
  await rig.run(['users', 'update', 'usr_1', '--name', 'Ada']);
  expect((await rig.run(['users', 'update', 'ada'])).code).toBe(2);
  expect(bodies()).toEqual([
    ['PATCH', '/api/v1/users/usr_1', { roles: ['admin', 'user'] }],
    ['PATCH', '/api/v1/users/usr_1', { roles: ['user'], displayName: 'Ada L.' }],
    ['PATCH', '/api/v1/users/usr_1', { displayName: 'Ada' }],
  ]);
});

test('a new password is typed twice, and one’s own wants the present one', async () => {
  rig.route('PUT', /\/password$/, undefined, 204);
  const { stdin, err, end } = rig.start(['users', 'password']);
  for (const [question, text] of [
    ['Present password: ', 'old pass phrase'],
    ['New password: ', 'new pass phrase'],
    ['New password again: ', 'new pass phrase'],
  ] as const) {
    await expect.poll(() => err.text).toContain(question);
    stdin.write(`${text}\r`);
  }
  expect(await end).toBe(0);
  expect(bodies()).toEqual([['PUT', '/api/v1/users/usr_1/password', { password: 'new pass phrase', currentPassword: 'old pass phrase' }]]);
});

test('piped passwords are lines: one, or one’s own present one above the new one; any other number is refused', async () => {
  rig.route('PUT', /\/password$/, undefined, 204);
  rig.route('GET', /\/users$/, { items: [ada, { ...ada, id: 'usr_2', username: 'bob' }], next_offset: null });
  for (const [ref, piped] of [
    ['bob', 'old pass phrase\nnew pass phrase\n'],
    ['ada', 'new pass phrase\n'],
    ['ada', 'old pass phrase\n\nnew pass phrase\n'],
    ['ada', '\nnew pass phrase\n'],
  ] as const)
    expect(await rig.run(['users', 'password', ref], { piped }), piped).toMatchObject({ code: 2, out: '' });
  expect((await rig.run(['users', 'create', 'eve'], { piped: 'one line\nand another\n' })).code).toBe(2);
  expect(bodies()).toEqual([]);
  expect((await rig.run(['users', 'password', 'bob'], { piped: 'new pass phrase\r\n' })).code).toBe(0);
  for (const args of [[], ['ada'], ['usr_1']])
    expect((await rig.run(['users', 'password', ...args], { piped: 'old pass phrase\nnew pass phrase\n' })).code).toBe(0);
  const own = ['PUT', '/api/v1/users/usr_1/password', { password: 'new pass phrase', currentPassword: 'old pass phrase' }];
  expect(bodies()).toEqual([['PUT', '/api/v1/users/usr_2/password', { password: 'new pass phrase' }], own, own, own]);
});

test('where the machine’s own token steps in for a login, it is said', async () => {
  const data = join(rig.folder, 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'server.json'), JSON.stringify({ url: rig.server.url, pid: process.pid }));
  writeFileSync(join(data, 'cli-token'), rig.server.token);
  rig.server.open('POST', /\/api\/auth\/login$/, () => problemAnswer('unauthenticated'));
  rig.route('POST', /\/api\/auth\/logout$/, undefined, 204);
  const said = /now act as admin, by this machine's own token/;
  const here = { env: noToken, piped: 'wrong\n' };
  expect((await rig.run(['login', '--user', 'ada', '--data', data], here)).err).toMatch(said);
  expect((await rig.run(['logout', '--data', data], here)).err).toMatch(said);
  expect((await rig.run(['logout'], here)).err).not.toMatch(said);
});

test('a refused credential is named with the variable that holds it', async () => {
  rig.server.on('GET', /\/agent-sessions$/, () => problemAnswer('unauthenticated'));
  expect((await rig.run(['ls'])).err).toMatch(/the token in TURNKEEPER_TOKEN\. Set TURNKEEPER_TOKEN/);
  expect((await rig.run(['ls'], { env: { ...noToken, TURNKEEPER_API_KEY: 'tkk_gone' } })).err).toMatch(
    /the key in TURNKEEPER_API_KEY\. Set TURNKEEPER_API_KEY/,
  );
});
