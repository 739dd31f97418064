/** What is asked before a handler is: of every message that a process may send. */
import { type Manifest, manifest as manifestSchema } from '@turnkeeper/minitool/manifest/schema';
import { describe, expect, it } from 'vitest';
import type { ToolRun } from '../../ports/tool.ts';
import { CallsInProgress } from '../calls.ts';
import type { AskingMinitool, MinitoolFailure } from '../host-api.ts';
import { type AllAnswers, answerRequest, readNotice } from './dispatch.ts';
import { requestSchemas } from './request-schemas.ts';

const manifestWith = (more: object = {}): Manifest => manifestSchema.parse({ manifestVersion: 1, id: 'thing', name: 'Thing', ...more });
const asked: [string, unknown][] = [];
const answers = Object.fromEntries(
  Object.keys(requestSchemas).map((method) => [
    method,
    async (_: unknown, params: unknown) => {
      asked.push([method, params]);
      return 'answered';
    },
  ]),
) as unknown as AllAnswers;

const ask = async (method: string, params: unknown, manifest = manifestWith(), calls = new CallsInProgress()): Promise<unknown> => {
  asked.length = 0;
  return answerRequest(answers, calls, { id: 'thing', manifest } as AskingMinitool, method, params).catch(
    (error: MinitoolFailure) => `${error.code}: ${error.message}`,
  );
};

const run = { sessionId: 'ses_1', turnId: 'turn_1', callId: 'call_1', signal: new AbortController().signal, progress: () => {} } as unknown as ToolRun;
const tool = { handle: 1, name: 'x', title: '', description: '', inputSchema: {} };

describe('a request', () => {
  it.each<[string, object, object, string]>([
    ['sessions.call', { method: 'list', args: [] }, { permissions: { sessions: true } }, 'permissions.sessions'],
    ['subscribe', { to: 'events' }, { permissions: { sessions: true } }, 'permissions.sessions'],
    ['consume.begin', { name: 'x' }, { permissions: { sessions: true } }, 'permissions.sessions'],
    ['secrets.get', { key: 'KEY' }, { permissions: { secrets: ['KEY'] } }, 'permissions.secrets'],
    ['secrets.set', { key: 'mcp.a', value: 'x' }, { permissions: { secrets: ['mcp.*'] } }, 'permissions.secrets'],
    ['tools.register', tool, { contributes: { tools: true } }, 'contributes.tools'],
    ['schedules.begin', { id: 'a' }, { contributes: { schedules: [{ id: 'a', everySeconds: 60 }] } }, 'contributes.schedules'],
    ['capabilities.provide', { name: 'x', methods: [] }, { provides: { capabilities: ['x'] } }, 'provides.capabilities'],
    ['capabilities.invoke', { name: 'x', method: 'y', args: [] }, { requires: { capabilities: ['x'] } }, 'requires.capabilities'],
  ])('MR2: %s needs its field in the manifest', async (method, params, declared, field) => {
    expect(await ask(method, params)).toMatch(new RegExp(`^permission_denied: .*${field.replace('.', '\\.')}`));
    expect(asked).toEqual([]);
    expect(await ask(method, params, manifestWith(declared))).toBe('answered');
    expect(asked).toHaveLength(1);
  });

  it('names what the manifest does not: a webhook or a schedule of another id', async () => {
    const declared = manifestWith({ contributes: { schedules: [{ id: 'a', everySeconds: 60 }], webhooks: [{ id: 'a', verify: 'none' }] } });
    expect(await ask('schedules.begin', { id: 'b' }, declared)).toBe('invalid_argument: "b" is not in contributes.schedules.');
    expect(await ask('webhooks.begin', { id: 'b' }, declared)).toBe('invalid_argument: "b" is not in contributes.webhooks.');
    expect(asked).toEqual([]);
  });

  it('DP2: is denied before its arguments are spoken of', async () => {
    expect(await ask('sessions.call', { method: 'nonsense' })).toMatch(/^permission_denied/);
    expect(await ask('sessions.call', { method: 'nonsense', args: [] }, manifestWith({ permissions: { sessions: true } }))).toMatch(
      /^invalid_argument: method/,
    );
  });

  it.each<[string, unknown]>([
    ['storage.get', { key: '' }],
    ['storage.get', { key: 1 }],
    ['storage.get', null],
    ['storage.set', { key: 'a' }],
    ['ui.show', { kind: 'window', options: {} }],
    ['form.request', { spec: {} }],
    ['subscribe', { to: 'everything' }],
  ])('%s is held to its schema', async (method, params) => {
    expect(await ask(method, params)).toMatch(/^invalid_argument/);
    expect(asked).toEqual([]);
  });

  it('that is none is refused', async () => {
    for (const method of ['nothing', 'constructor', '__proto__', 'log']) expect(await ask(method, {})).toMatch(/^not_supported/);
  });

  it('DP1: with a token is that of a run of the same mini-tool, while it goes on', async () => {
    const calls = new CallsInProgress();
    const own = calls.begin('thing', run);
    const other = calls.begin('other', run);
    const spec = (callToken: string) => ['form.request', { callToken, spec: {} }, manifestWith(), calls] as const;
    expect(await ask(...spec(own.token))).toBe('answered');
    expect(await ask(...spec(other.token))).toMatch(/^caller_context_unavailable/);
    expect(await ask(...spec('guessed'))).toMatch(/^caller_context_unavailable/);
    calls.end(own.token);
    expect(await ask(...spec(own.token))).toMatch(/^caller_context_unavailable/);
    expect(own.signal.aborted).toBe(true);
  });
});

it('a notice that does not fit is none', () => {
  expect(readNotice('log', { level: 'info', message: 'x' })).toEqual({ name: 'log', body: { level: 'info', message: 'x' } });
  for (const [name, body] of [
    ['log', { level: 'loud', message: 'x' }],
    ['progress', { callToken: 'a', message: 1 }],
    ['toString', {}],
  ] as const)
    expect(readNotice(name, body)).toBeUndefined();
});
