import { expect, test } from 'vitest';
import { type Client, createClient } from '../create-client.ts';

/** A client whose requests are written down, and answered with `{}` or what is given. */
const written = (credentials: { token?: string; apiKey?: string } = { token: 't' }, answers: unknown[] = []) => {
  const requests: string[] = [];
  const headers: Headers[] = [];
  const client = createClient({
    baseUrl: 'http://host',
    ...credentials,
    fetch: async (url, init) => {
      requests.push(`${init.method} ${url.replace('http://host', '')}${init.body === undefined ? '' : ` ${String(init.body)}`}`);
      headers.push(new Headers(init.headers));
      return new Response(JSON.stringify(answers.shift() ?? {}));
    },
  });
  return { client, requests, headers };
};

test('every call goes where the protocol says', async () => {
  const { client, requests } = written();
  const calls: ((client: Client) => Promise<unknown>)[] = [
    ({ account }) => account.login('ada', 'secret-secret'),
    ({ tokens }) => tokens.list(),
    ({ tokens }) => tokens.create({ name: 'ci' }),
    ({ tokens }) => tokens.revoke('tok_1'),
    ({ users }) => users.create({ username: 'ada' }),
    ({ users }) => users.patch('usr/1', { status: 'disabled' }),
    ({ users }) => users.setPassword('usr_1', { password: 'long enough' }),
    ({ spaces }) => spaces.create({ id: 'lab' }),
    ({ spaces }) => spaces.members('lab'),
    ({ spaces }) => spaces.putMember('lab', 'usr_1', 'manager'),
    ({ spaces }) => spaces.removeMember('lab', 'usr_1'),
    ({ applications }) => applications.list({ limit: 5 }),
    ({ applications }) => applications.patch('app_1', { version: 1, status: 'disabled' }),
    ({ credentials }) => credentials.create('app_1', { name: 'k', scopes: ['read'], targets: [{ type: 'agent', id: '*' }] }),
    ({ credentials }) => credentials.rotate('app_1', 'cred_1'),
    ({ credentials }) => credentials.revoke('app_1', 'cred_1'),
    ({ secrets }) => secrets.put('MAIL_KEY', 'v'),
    ({ secrets }) => secrets.delete('MAIL_KEY'),
    ({ sessions }) => sessions.usage('ses_1', { includeChildren: true }),
    ({ sessions }) => sessions.resources('ses_1', 'items', { after: 'c', limit: 2 }),
    ({ turns }) => turns.usage('ses_1', 'turn_1'),
    ({ sessions }) => sessions.list({ owner: 'all', status: 'archived', space: 'lab', q: 'é' }),
    ({ sessions }) => sessions.list({ metadata: { 'a b': 4, c: null }, text: '天', activity: 'idle', order: 'updated', updated_from: 1 }),
  ];
  for (const call of calls) await call(client);
  expect(requests).toEqual([
    'POST /api/auth/login {"username":"ada","password":"secret-secret"}',
    'GET /api/v1/tokens',
    'POST /api/v1/tokens {"name":"ci"}',
    'DELETE /api/v1/tokens/tok_1',
    'POST /api/v1/users {"username":"ada"}',
    'PATCH /api/v1/users/usr%2F1 {"status":"disabled"}',
    'PUT /api/v1/users/usr_1/password {"password":"long enough"}',
    'POST /api/v1/spaces {"id":"lab"}',
    'GET /api/v1/spaces/lab/members',
    'PUT /api/v1/spaces/lab/members/usr_1 {"role":"manager"}',
    'DELETE /api/v1/spaces/lab/members/usr_1',
    'GET /api/v1/applications?limit=5',
    'PATCH /api/v1/applications/app_1 {"version":1,"status":"disabled"}',
    'POST /api/v1/applications/app_1/credentials {"name":"k","scopes":["read"],"targets":[{"type":"agent","id":"*"}]}',
    'POST /api/v1/applications/app_1/credentials/cred_1/rotate {}',
    'DELETE /api/v1/applications/app_1/credentials/cred_1',
    'PUT /api/v1/secrets/MAIL_KEY {"value":"v"}',
    'DELETE /api/v1/secrets/MAIL_KEY',
    'GET /api/v1/agent-sessions/ses_1/usage?include_children=true',
    'GET /api/v1/agent-sessions/ses_1/resources/items?after=c&limit=2',
    'GET /api/v1/agent-sessions/ses_1/turns/turn_1/usage',
    'GET /api/v1/agent-sessions?owner=all&status=archived&space=lab&q=%C3%A9',
    'GET /api/v1/agent-sessions?text=%E5%A4%A9&activity=idle&order=updated&updated_from=1&metadata.a+b=4&metadata.c=null',
  ]);
});

test('a key of an application goes into X-API-Key, a token into Authorization', async () => {
  const key = written({ apiKey: 'tk_key' });
  await key.client.account.me();
  expect(key.headers[0]?.get('x-api-key')).toBe('tk_key');
  expect(key.headers[0]?.get('authorization')).toBeNull();
  const token = written({ token: 't' });
  await token.client.account.me();
  expect(token.headers[0]?.get('authorization')).toBe('Bearer t');
  expect(token.headers[0]?.get('x-api-key')).toBeNull();
});

test('audit entries come page by page, and no page is read that nobody wants', async () => {
  const page = (id: string, next: string | null) => ({ data: [{ id }], next_cursor: next, has_more: next !== null });
  const { client, requests } = written({ token: 't' }, [page('a', 'c1'), page('b', null)]);
  const ids: string[] = [];
  for await (const entry of client.audit.entries({ actor: 'user:1', limit: 1 })) ids.push(entry.id);
  expect(ids).toEqual(['a', 'b']);
  expect(requests).toEqual(['GET /api/v1/audit?actor=user%3A1&limit=1', 'GET /api/v1/audit?actor=user%3A1&limit=1&after=c1']);
  const first = written({ token: 't' }, [page('a', 'c1')]);
  for await (const _ of first.client.audit.entries()) break;
  expect(first.requests).toHaveLength(1);
});
