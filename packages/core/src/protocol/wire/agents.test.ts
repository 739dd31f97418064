/** Definitions of tools and of tool servers: what is taken, and what is refused where. */
import { describe, expect, it } from 'vitest';
import { agentDefinition } from './agents.ts';

const faultsOf = (more: object): readonly string[] => {
  const read = agentDefinition.safeParse({ system: '', model: 'demo:test', ...more });
  return read.success ? [] : read.error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`);
};
const http = (request: object, more: object = {}) => ({
  tools: [
    {
      type: 'http',
      name: 'find',
      description: 'finds',
      inputSchema: { type: 'object' },
      request: { method: 'GET', url: 'https://api.test/', ...request },
      ...more,
    },
  ],
});
const servers = (...mcpServers: readonly object[]) => ({ mcpServers });
const local = { name: 'files', command: 'npx', args: ['-y', 'files'], env: { TOKEN: { $secret: 'files.token' }, LANG: 'C' } };
const remote = { name: 'crm', url: 'https://crm.test:8443/mcp', headers: { Authorization: { $secret: 'crm' }, 'x-team': 'blue' } };

describe('an HTTP tool', () => {
  it('refers to secrets in its body where a value may stand; what only looks like a reference is refused', () => {
    const sent = (body: unknown) => faultsOf(http({ method: 'POST', body }));
    for (const body of [{ $secret: 'KEY' }, { a: [{ b: { $secret: 'my.key' } }] }]) expect(sent(body)).toEqual([]);
    for (const body of [{ $secret: 'KEY', or: 1 }, { a: [{ $secret: 5 }] }, { $secret: '' }, { $secret: 'no spaces' }])
      expect(sent(body)).toEqual(['/tools/0/request/body: a reference to a secret is {"$secret": "NAME"} and nothing beside it']);
  });
  it('fills path, query, headers and body from the input', () => {
    const request = {
      method: 'POST',
      url: 'http://[::1]:8080/orders/{{input.order.id}}?q={{ input.q }}',
      headers: { 'x-id': 'order {{input.order.id}}', Authorization: { $secret: 'KEY' } },
      body: { all: '{{input}}', list: ['{{input.list.0}}', 1, null, { deep: 'a {{input.größe}} b' }] },
    };
    expect(faultsOf(http(request, { permission: 'always_ask', approver: ['ann'], readOnly: true, timeoutMs: 5_000 }))).toEqual([]);
    for (const url of ['https://a.test', 'https://a.test?x={{input.x}}', 'https://a.test#x', 'https://bücher.test:1/a@b'])
      expect(faultsOf(http({ url }))).toEqual([]);
  });
  it.each([
    'ftp://a.test/',
    'a.test/x',
    'https://',
    'https:///x',
    '{{input.url}}',
    'https://{{input.host}}/x',
    'https://{{input.sub}}.a.test/x',
    'https://a.test{{input.rest}}',
    'https://a.test:{{input.port}}/x',
    'https://a.test:80{{input.port}}/x',
    'https://ann:secret@a.test/x',
    'https://a.test\\@b.test/x',
    'https://a.test :80/x',
    ' https://a.test/x',
  ])('F4 goes where its definition says: %s is refused', (url) => {
    expect(faultsOf(http({ url }))).toContain('/tools/0/request/url: http:// or https:// and a literal host: {{…}} may stand in the path and the query only');
  });
  it.each([
    ['/url', { url: 'https://a.test/{{inptu.x}}' }],
    ['/url', { url: 'https://a.test/{{input.x' }],
    ['/headers/x-a', { headers: { 'x-a': '{{output.x}}' } }],
    ['/body', { method: 'POST', body: { list: [{ text: 'a {{input..x}}' }] } }],
  ])('refuses a template that would be sent as it stands, at %s', (pointer, request) => {
    expect(faultsOf(http(request))).toEqual([expect.stringContaining(`/tools/0/request${pointer}: `)]);
  });
  it.each([
    [{ method: 'TRACE' }],
    [{ method: 'GET', body: {} }],
    [{ headers: { 'bad name': 'x' } }],
    [{ headers: { 'x-a': 'a\r\nHost: b' } }],
    [{ headers: { 'x-a': { $secret: 'no spaces here' } } }],
    [{ headers: { 'x-a': { $secret: 'A', more: 1 } } }],
    [{ headers: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`x-${n}`, ''])) }],
    [{ redirect: 'follow' }],
  ])('refuses %j', (request) => {
    expect(faultsOf(http(request))).not.toEqual([]);
  });
});

describe('approvers', () => {
  const asked = (approver: unknown) => faultsOf({ tools: [{ type: 'builtin', name: 'time', approver }] });
  it('are the owner, the application, or 1 to 50 users', () => {
    for (const approver of ['owner', 'application', ['ann'], Array.from({ length: 50 }, (_, n) => `user_${n}`)]) expect(asked(approver)).toEqual([]);
    for (const approver of ['ann', [], [''], ['ann', 'ann'], Array.from({ length: 51 }, (_, n) => `user_${n}`), { user: 'ann' }])
      expect(asked(approver)).not.toEqual([]);
  });
});

describe('tool servers', () => {
  it('are started or reached, each with what is said of all its tools and of single ones', () => {
    const asking = { permission: 'always_ask', approver: 'application', expiresSeconds: 60, timeoutMs: 2_000 };
    const tools = { 'read/file': { permission: 'always_allow', readOnly: true }, wipe: { destructive: true, approver: ['ann'] } };
    expect(faultsOf(servers({ ...local, ...asking, tools }, { ...remote, tools }))).toEqual([]);
    expect(faultsOf({})).toEqual([]);
  });
  it.each([
    [[local, { ...remote, name: 'files' }]],
    [Array.from({ length: 17 }, (_, n) => ({ ...local, name: `s${n}` }))],
    [[{ ...local, ...remote }]],
    [[{ name: 'neither' }]],
    [[{ ...local, name: 'n'.repeat(33) }]],
    [[{ ...local, name: 'a b' }]],
    [[{ ...local, env: { 'A-B': '1' } }]],
    [[{ ...local, readOnly: true }]],
    [[{ ...local, headers: {} }]],
    [[{ ...remote, url: 'https://{{input.x}}/mcp' }]],
    [[{ ...remote, url: 'https://crm.test/{{input.x}}' }]],
    [[{ ...remote, url: 'file:///etc' }]],
    [[{ ...local, tools: { wipe: { permision: 'never' } } }]],
  ])('refuses %j', (list) => {
    expect(faultsOf(servers(...list))).not.toEqual([]);
  });
  it('have names of their own, as tools have', () => {
    expect(faultsOf(servers(local, { ...remote, name: 'files' }))).toEqual(['/mcpServers: server names must differ']);
    const twice = [...http({}).tools, { type: 'builtin', name: 'find' }];
    expect(faultsOf({ tools: twice })).toEqual(['/tools: tool names must differ']);
  });
});

describe('tools of mini-tools', () => {
  const entry = (more: object = {}) => ({ type: 'minitool', id: 'slack-bot', ...more });
  const named = (name: string) => ({ type: 'builtin', name });
  it('are named, or all others of one, each with its terms', () => {
    const terms = { permission: 'always_ask', approver: ['ann'], expiresSeconds: 60, timeoutMs: 2_000, readOnly: false, destructive: true };
    expect(faultsOf({ tools: [entry(), entry({ tools: ['send', 'drop'], ...terms }), entry({ id: '7' }), named('time')] })).toEqual([]);
  });
  it.each([
    [{ id: 'Bot' }],
    [{ id: '-bot' }],
    [{ id: 'my_bot' }],
    [{ id: 'b'.repeat(63) }],
    [{ id: undefined }],
    [{ tools: [] }],
    [{ tools: ['a', 'a'] }],
    [{ tools: ['a b'] }],
    [{ name: 'slack' }],
    [{ permision: 'never' }],
    [{ onExpiry: 1 }],
  ])('refuses %j', (more) => {
    expect(faultsOf({ tools: [entry(more)] })).not.toEqual([]);
  });
  it('are spoken of once each, and stand for no other tool’s name', () => {
    const differ = ['/tools: tool names must differ'];
    expect(faultsOf({ tools: [entry(), entry()] })).toEqual(differ);
    expect(faultsOf({ tools: [entry({ tools: ['a', 'b'] }), entry({ tools: ['b'] })] })).toEqual(differ);
    expect(faultsOf({ tools: [entry({ tools: ['a'] }), named('slack-bot_a')] })).toEqual(differ);
  });
});
