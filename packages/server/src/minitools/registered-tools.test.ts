/** Tools, discovery and capabilities of processes that a test plays. */

import type { RegisteredTool } from '@turnkeeper/minitool/protocol';
import { describe, expect, it } from 'vitest';
import { ToolLost } from '../ports/minitool-tools.ts';
import type { ToolRun } from '../ports/tool.ts';
import { ManualClock } from '../testing/harness/manual-clock.ts';
import { settle } from '../testing/harness/settle.ts';
import { CallsInProgress } from './calls.ts';
import { Capabilities } from './capabilities.ts';
import { MinitoolDown, MinitoolFailure } from './host-api.ts';
import type { MinitoolProcess } from './process/minitool-process.ts';
import { clampedTimeout, RegisteredTools } from './registered-tools.ts';
import { toolAnswerOf } from './tool-answer.ts';

const play = (answer: (method: string, params: object) => Promise<unknown>): MinitoolProcess => ({ request: answer }) as unknown as MinitoolProcess;
const silent = play(() => new Promise(() => {}));
const described = (name: string, more: Partial<RegisteredTool> = {}): RegisteredTool => ({
  handle: 1,
  name,
  title: '',
  description: '',
  inputSchema: {},
  ...more,
});
const runOf = (signal = new AbortController().signal): ToolRun =>
  ({ sessionId: 'ses_1', turnId: 'turn_1', callId: 'call_1', signal, progress: () => {} }) as unknown as ToolRun;

const open = () => {
  const clock = new ManualClock();
  const calls = new CallsInProgress();
  const ran: string[] = [];
  return {
    clock,
    calls,
    ran,
    tools: new RegisteredTools({
      calls,
      clock,
      placeOf: async () => ({ spaceId: 'space_1' }),
      ran: (minitoolId, outcome) => ran.push(`${minitoolId} ${outcome}`),
    }),
  };
};

describe('a tool', () => {
  it('RG1: has its mini-tool’s name before its own, once, and goes with its process', () => {
    const { tools } = open();
    tools.register('a-b', silent, described('read'));
    expect(() => tools.register('a-b', silent, described('read', { handle: 2 }))).toThrow(MinitoolFailure);
    tools.register(
      'other',
      play(async () => null),
      described('read'),
    );
    expect(() => tools.register('other', silent, described('x'.repeat(70)))).toThrow(/64/);
    expect(tools.list().map(({ name }) => name)).toEqual(['a-b_read', 'other_read']);
    const { version } = tools;
    tools.drop(silent);
    expect(tools.list().map(({ name }) => name)).toEqual(['other_read']);
    expect(tools.version).toBeGreaterThan(version);
  });

  it('says whose it is by the name that its mini-tool has now', () => {
    let name = 'Mail bot';
    const tools = new RegisteredTools({ calls: new CallsInProgress(), clock: new ManualClock(), placeOf: async () => ({}), nameOf: () => name, ran: () => {} });
    tools.register('a', silent, described('t'));
    expect(tools.list()).toMatchObject([{ minitoolId: 'a', minitoolName: 'Mail bot' }]);
    const { version } = tools;
    name = '邮件';
    tools.renamed();
    expect(tools.list()).toMatchObject([{ minitoolName: '邮件' }]);
    expect(tools.version).toBeGreaterThan(version);
  });

  it('has its time clamped', () => {
    expect([undefined, 1, 15_000, 600_000, 10 ** 9].map(clampedTimeout)).toEqual([120_000, 15_000, 15_000, 600_000, 600_000]);
  });

  it('is run with its place and a token that ends with the answer', async () => {
    const { tools, calls, ran } = open();
    const seen: object[] = [];
    const process = play(async (_, params) => {
      seen.push(params);
      return { content: [{ type: 'text', text: 'x' }], isError: true };
    });
    tools.register('a', process, described('t', { handle: 7 }));
    expect(await tools.list()[0]?.run({ q: 1 }, runOf())).toEqual({ output: [{ type: 'text', text: 'x' }], isError: true });
    expect(seen).toMatchObject([{ handle: 7, input: { q: 1 }, toolCallId: 'call_1', sessionId: 'ses_1', spaceId: 'space_1', callToken: expect.any(String) }]);
    expect(calls.size).toBe(0);
    expect(ran).toEqual(['a completed']);
  });

  it('RG2: whose process ends is lost, one that fails says why', async () => {
    const { tools, calls, ran } = open();
    tools.register(
      'a',
      play(() => Promise.reject(new MinitoolDown('gone'))),
      described('lost'),
    );
    tools.register(
      'b',
      play(() => Promise.reject(new Error('no such city'))),
      described('bad'),
    );
    await expect(tools.list()[0]?.run({}, runOf())).rejects.toBeInstanceOf(ToolLost);
    await expect(tools.list()[1]?.run({}, runOf())).rejects.toThrow('no such city');
    expect(ran).toEqual(['a lost', 'b failed']);
    expect(calls.size).toBe(0);
  });

  it('RG2: that does not stop when it is cancelled is given up', async () => {
    const { tools, clock, calls } = open();
    tools.register('a', silent, described('deaf'));
    const cancelled = new AbortController();
    const answer = tools.list()[0]?.run({}, runOf(cancelled.signal));
    answer?.catch(() => {});
    await settle();
    cancelled.abort();
    await clock.advance(29_999);
    expect(calls.size).toBe(1);
    await clock.advance(1);
    await expect(answer).rejects.toThrow(/did not stop/);
    expect(calls.size).toBe(0);
    expect(clock.waiting).toBe(0);
  });

  it.each([
    null,
    'text',
    { content: 'text' },
    { content: [{ type: 'video' }] },
    { content: [{ type: 'image', data: 'no base64!', mimeType: 'image/png' }] },
    { content: [{ type: 'image', data: 'AAAA', mimeType: 'text/html' }] },
  ])('gives no result with %j', (value) => {
    expect(() => toolAnswerOf(value)).toThrow(/no result/);
  });

  it('gives texts and images', () => {
    expect(toolAnswerOf({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png', more: 1 }], structured: {} })).toEqual({
      output: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
      isError: false,
    });
  });
});

it('a search asks those that are named, and leaves out who fails, is slow or answers nonsense', async () => {
  const { tools, clock } = open();
  const providers: readonly [string, MinitoolProcess][] = [
    ['good', play(async () => [{ toolName: 'one', title: 'One' }, { toolName: 'two' }])],
    ['bad', play(() => Promise.reject(new Error('no')))],
    ['slow', silent],
    ['odd', play(async () => [{ name: 'three' }])],
    ['unasked', play(async () => [{ toolName: 'four' }])],
  ];
  for (const [minitoolId, process] of providers) tools.registerProvider({ process, minitoolId, handle: 1, id: 'files' });
  const found = tools.search(['good', 'bad', 'slow', 'odd'], { query: 'x', limit: 10 }, 'ses_1');
  await clock.advance(5_000);
  expect(await found).toEqual([
    { toolName: 'one', title: 'One', source: 'files' },
    { toolName: 'two', source: 'files' },
  ]);
});

describe('a capability', () => {
  it('CB1: has one provider, and goes with it', async () => {
    let changes = 0;
    const capabilities = new Capabilities(() => {
      changes += 1;
    });
    const process = play(async (_, params) => params);
    capabilities.provide('mcp', { process, minitoolId: 'a', methods: new Set(['list']) });
    expect(() => capabilities.provide('mcp', { process: silent, minitoolId: 'b', methods: new Set() })).toThrow(MinitoolFailure);
    const { signal } = new AbortController();
    expect(await capabilities.invoke('mcp', 'list', [1], signal)).toEqual({ name: 'mcp', method: 'list', args: [1] });
    await expect(capabilities.invoke('mcp', 'constructor', [], signal)).rejects.toMatchObject({ code: 'not_found' });
    expect(capabilities.present(['mcp', 'none'])).toEqual(['mcp']);
    capabilities.withdraw('mcp', silent);
    expect(capabilities.present(['mcp'])).toEqual(['mcp']);
    capabilities.drop(process);
    expect(capabilities.present(['mcp'])).toEqual([]);
    await expect(capabilities.invoke('mcp', 'list', [], signal)).rejects.toMatchObject({ code: 'not_found' });
    expect(changes).toBe(2);
  });
});
