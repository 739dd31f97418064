import type { AgentDefinition, ToolDefinition } from '@turnkeeper/core/protocol/wire/agents';
import { expect, test } from 'vitest';
import { systemClock } from '../ports/clock.ts';
import type { McpTool } from '../ports/tool.ts';
import { createTools } from '../tools/create-tools.ts';
import { answeringOf } from './tool-permission.ts';
import { createToolSet } from './tool-set.ts';

const lookup: ToolDefinition = { type: 'function', name: 'lookup', description: 'Looks up.', inputSchema: { type: 'object' } };
const setOf = (tools: ToolDefinition[], permissionMode: AgentDefinition['permissionMode'] = 'acceptCalls', mcp: readonly McpTool[] = []) =>
  createToolSet(
    { id: 'a', version: 1, definition: { system: '', model: 'demo:echo', maxIters: 1, tools, permissionMode } },
    createTools({ clock: systemClock }),
    mcp,
  );
const callOf = async (set: ReturnType<typeof setOf>, name: string, text = '{}') =>
  set.requests(await set.check([{ id: 'call_0123456789abcdef', name, arguments: text }]), { n: 1, at: 5 })[0];
const set = setOf([lookup]);
const requested = (text: string) => callOf(set, 'lookup', text);

test('arguments that a model wrote are refused when they cannot be kept, and say why', async () => {
  for (const name of ['__proto__', '\\u005f_proto__']) {
    const call = await requested(`{"a":{"${name}":{"admin":true}}}`);
    expect(call?.refusal).toContain("/a: a member's name must not be __proto__");
    expect(call?.input).toEqual({});
  }
  expect((await requested('{"a":"\\ud800"}'))?.refusal).toContain('/a');
  expect((await requested('[1]'))?.refusal).toContain('not a JSON object');
  expect(await requested('{"a":"__proto__"}')).toMatchObject({ input: { a: '__proto__' }, executor: 'application' });
  expect((await requested('{"a":"__proto__"}'))?.refusal).toBeUndefined();
});

test('arguments are held to the schema of every kind of tool (L6)', async () => {
  const inputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const http: ToolDefinition = { type: 'http', name: 'post', description: 'x', inputSchema, request: { method: 'GET', url: 'https://a.example/{{input.n}}' } };
  const mcp: McpTool = {
    terms: {},
    tool: {
      spec: { name: 'files_read', description: '', inputSchema },
      readOnly: false,
      replaySafe: false,
      timeoutMs: 1,
      run: () => Promise.reject(new Error()),
    },
  };
  const all = setOf([{ ...lookup, inputSchema }, http, { type: 'builtin', name: 'calculator' }], 'acceptCalls', [mcp]);
  for (const name of ['lookup', 'post', 'files_read']) {
    expect((await callOf(all, name, '{"n":"one"}'))?.refusal, name).toContain('/n: must be integer');
    expect((await callOf(all, name, '{"n":1}'))?.refusal, name).toBeUndefined();
  }
  expect((await callOf(all, 'calculator', '{"expr":1}'))?.refusal).toContain("'expression'");
});

const stored = { ...lookup, expiresSeconds: Number.MAX_SAFE_INTEGER };
test('actions expire at a moment that stores can read back, whatever an old definition says', async () => {
  expect(answeringOf(stored, Date.now()).expiresAt).toBe(8.64e15);
  expect((await callOf(setOf([stored]), 'lookup'))?.expiresAt).toBe(8.64e15);
});

const request = { method: 'GET', url: 'https://a.example/' } as const;
const http = (more: Partial<ToolDefinition>): ToolDefinition =>
  ({ type: 'http', name: 't', description: 'x', inputSchema: { type: 'object' }, request, ...more }) as ToolDefinition;
const mcp = (terms: McpTool['terms'], hints: { readOnly?: boolean; destructive?: boolean } = {}): McpTool => ({
  terms,
  tool: {
    spec: { name: 't', description: '', inputSchema: { type: 'object' } },
    readOnly: hints.readOnly ?? false,
    replaySafe: hints.readOnly ?? false,
    destructive: hints.destructive ?? false,
    timeoutMs: 1,
    run: () => Promise.reject(new Error()),
  },
});

test('who is asked first, by permission, hints and mode', async () => {
  const asks = async (mode: 'ask' | 'acceptCalls', tools: ToolDefinition[], offered: McpTool[] = []) => (await callOf(setOf(tools, mode, offered), 't'))?.asks;
  for (const [more, whenAsking, whenAccepting] of [
    [{}, true, false],
    [{ permission: 'always_allow' }, false, false],
    [{ permission: 'always_ask', readOnly: true }, true, true],
    [{ readOnly: true }, false, false],
    [{ destructive: true }, true, true],
    [{ destructive: true, permission: 'always_allow' }, false, false],
  ] as const) {
    expect(await Promise.all([asks('ask', [http(more)]), asks('acceptCalls', [http(more)])]), JSON.stringify(more)).toEqual([whenAsking, whenAccepting]);
    expect(await Promise.all([asks('ask', [], [mcp(more)]), asks('acceptCalls', [], [mcp(more)])]), JSON.stringify(more)).toEqual([whenAsking, whenAccepting]);
  }
  // What a server says of its tool counts, and what the definition says counts more.
  expect(await Promise.all([asks('ask', [], [mcp({}, { readOnly: true })]), asks('acceptCalls', [], [mcp({}, { destructive: true })])])).toEqual([false, true]);
  expect(
    await Promise.all([
      asks('ask', [], [mcp({ readOnly: false }, { readOnly: true })]),
      asks('acceptCalls', [], [mcp({ destructive: false }, { destructive: true })]),
    ]),
  ).toEqual([true, false]);
  expect(await callOf(setOf([http({ permission: 'always_ask' })]), 't')).toMatchObject({ alwaysAsks: true });
  expect((await callOf(setOf([http({ destructive: true })]), 't'))?.alwaysAsks).toBeUndefined();
});

test('what is never permitted is not offered and not run', async () => {
  const none = setOf([http({ permission: 'never' })], 'acceptCalls', [mcp({ permission: 'never' })]);
  expect([none.specs, none.tool('t')]).toEqual([[], undefined]);
  expect((await callOf(none, 't'))?.refusal).toContain('no tool "t"');
});

test('ask_user asks people, by headers of their own, and never for a confirmation', async () => {
  const asking = setOf([{ type: 'builtin', name: 'ask_user', permission: 'always_ask', approver: ['ann'], expiresSeconds: 60 }], 'ask');
  const ask = (input: object) => callOf(asking, 'ask_user', JSON.stringify(input));
  expect(await ask({ question: 'Which one?', options: ['a', { label: 'b', description: 'the other' }], multi_select: true })).toMatchObject({
    executor: 'person',
    asks: false,
    approver: ['ann'],
    expiresAt: 60_005,
    inquiry: {
      kind: 'question',
      questions: [
        {
          question: 'Which one?',
          header: 'answer',
          multi_select: true,
          options: [
            { label: 'a', description: '' },
            { label: 'b', description: 'the other' },
          ],
        },
      ],
    },
  });
  const several = await ask({ questions: [{ question: 'a' }, { question: 'b' }, { question: 'c', header: 'size' }, { question: 'd', header: 'size' }] });
  const headers = ['answer', 'answer_2', 'size', 'size_2'].map((header) => ({ header }));
  expect(several?.inquiry).toMatchObject({ kind: 'question', questions: headers });
  for (const wrong of [{}, { questions: [] }, { question: 'a', questions: [{ question: 'b' }] }, { question: 'a', options: ['x', 'x'] }, { question: 1 }])
    expect((await ask(wrong))?.refusal, JSON.stringify(wrong)).toBeDefined();
});

const flat = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 }, tags: { type: 'array' } }, required: ['city'] };

test('AF1 ask_form asks for flat fields only, closed against all others', async () => {
  const asking = setOf([{ type: 'builtin', name: 'ask_form' }]);
  const ask = (schema: object) => callOf(asking, 'ask_form', JSON.stringify({ title: 'Trip', schema }));
  expect(await ask(flat)).toMatchObject({
    executor: 'person',
    approver: 'owner',
    inquiry: {
      kind: 'form',
      form: {
        title: 'Trip',
        schema: { type: 'object', required: ['city'], additionalProperties: false, properties: { tags: { type: 'array', items: { type: 'string' } } } },
      },
    },
  });
  const field = (value: object) => ({ properties: { a: value } });
  for (const wrong of [
    {},
    { properties: {} },
    field({ type: 'object' }),
    field({ type: 'string', pattern: '(a+)+$' }),
    field({ $ref: 'https://a.example/x' }),
    field({ type: 'array', items: { type: 'object', enum: [1] } }),
    { ...flat, required: ['town'] },
    { ...flat, $defs: {} },
  ])
    expect((await ask(wrong))?.refusal, JSON.stringify(wrong)).toBeDefined();
});

test('RA1 request_approval asks whom the definition names, by its words, whatever the model writes', async () => {
  const approval = async (approverRef: string | string[], prompt?: string) =>
    callOf(
      createToolSet(
        {
          id: 'a',
          version: 1,
          definition: {
            system: '',
            model: 'demo:echo',
            maxIters: 1,
            tools: [{ type: 'builtin', name: 'request_approval', approverRef, prompt }],
            permissionMode: 'ask',
          },
        },
        createTools({ clock: systemClock }),
        [],
        'app:shop',
      ),
      'request_approval',
      '{"details":"900 to ACME"}',
    );
  expect(await approval('ann')).toMatchObject({ executor: 'person', asks: false, approver: ['ann'], inquiry: { kind: 'approval' } });
  expect(await approval(['ann', 'bob'], 'Pay?')).toMatchObject({ approver: ['ann', 'bob'], inquiry: { kind: 'approval', prompt: 'Pay?\n\n900 to ACME' } });
  expect(await approval('role:approver')).toMatchObject({ approver: 'role:approver', roleOf: 'app:shop' });
  expect(await approval('role:admin')).toMatchObject({ approver: 'role:admin', roleOf: 'installation' });
});
