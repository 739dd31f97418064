import { describe, expect, it } from 'vitest';
import type { Disposable } from '../context/lifetime.ts';
import type { ToolDefinition, ToolExecutionContext, ToolResult } from '../context/tools.ts';
import type { RegisteredTool } from '../protocol.ts';
import { eventually, type FakeOptions, startFakeHost } from '../testing/fake-host.ts';

const definition = (name: string, execute: ToolDefinition['execute']): ToolDefinition => ({
  name,
  title: name,
  description: '',
  inputSchema: { type: 'object' },
  execute,
});
const text = (value: string): ToolResult => ({ content: [{ type: 'text', text: value }] });

const start = async (tools: readonly ToolDefinition[], options: FakeOptions = {}) => {
  const handles: Disposable[] = [];
  const host = await startFakeHost({ ...options, entry: { activate: (ctx) => void handles.push(...tools.map((tool) => ctx.tools.register(tool))) } });
  const run = (handle: number, callToken: string, input = {}, signal?: AbortSignal) =>
    host.peer.ask('execute', { handle, callToken, input, toolCallId: `call-${callToken}`, sessionId: 'ses', cwd: '/w' }, signal);
  return { host, handles, run };
};

describe('a tool', () => {
  it('is registered as it is defined, and ends with its handle', async () => {
    const { host, handles } = await start([{ ...definition('look', async () => text('x')), risk: 'high', timeoutMs: 20_000, exposure: 'dynamic' }]);
    await using _ = host;
    const [asked] = host.asked;
    expect(asked).toMatchObject({ method: 'tools.register', params: { handle: 1, name: 'look', risk: 'high', timeoutMs: 20_000, exposure: 'dynamic' } });
    expect(Object.keys(asked?.params as RegisteredTool)).not.toContain('execute');
    handles[0]?.dispose();
    handles[0]?.dispose();
    await eventually(() => host.asked.length === 2);
    expect(host.asked[1]).toEqual({ method: 'tools.unregister', params: { handle: 1 } });
  });

  it('that is none is refused at once', async () => {
    await using host = await startFakeHost();
    const { tools } = host.ctx;
    expect(() => tools.register(definition('no spaces', async () => text('')))).toThrow(/name/);
    expect(() => tools.register({ ...definition('x', async () => text('')), execute: 1 as never })).toThrow(/execute/);
    tools.register(definition('x', async () => text('')));
    expect(() => tools.register(definition('x', async () => text('')))).toThrow(expect.objectContaining({ code: 'already_exists' }));
  });

  it('MX1: keeps its caller while others run', async () => {
    const open: (() => void)[] = [];
    let ctx: Parameters<NonNullable<NonNullable<FakeOptions['entry']>['activate']>>[0] | undefined;
    const seen: unknown[] = [];
    const host = await startFakeHost({
      answers: { 'sessions.call': (params) => void seen.push(params) },
      entry: {
        activate: (given) => {
          ctx = given;
          given.tools.register(
            definition('fork', async () => {
              await new Promise<void>((resolve) => open.push(resolve));
              await given.sessions.create({ containerId: 'c', context: 'caller' });
              return text('forked');
            }),
          );
        },
      },
    });
    await using _ = host;
    const run = (callToken: string) => host.peer.ask('execute', { handle: 1, callToken, input: {}, toolCallId: callToken, sessionId: 's' });
    const both = [run('a'), run('b')];
    await eventually(() => open.length === 2);
    for (const go of open.toReversed()) go();
    await Promise.all(both);
    expect(seen).toEqual(['b', 'a'].map((callToken) => ({ method: 'create', args: [{ containerId: 'c', context: 'caller' }], callToken })));
    await ctx?.sessions.list();
    expect(seen.at(-1)).toEqual({ method: 'list', args: [] });
  });

  it('MX1: finds its caller by exec.sessions where the chain of promises was broken', async () => {
    const tokens: unknown[] = [];
    const jobs: (() => Promise<unknown>)[] = [];
    const { host, run } = await start(
      [
        definition('broken', async (_, exec) => {
          await new Promise<unknown>((resolve) => jobs.push(async () => resolve(await exec.sessions.create({ containerId: 'c', context: 'caller' }))));
          return text('x');
        }),
      ],
      { answers: { 'sessions.call': ({ callToken }) => void tokens.push(callToken) } },
    );
    await using _ = host;
    const running = run(1, 'mine');
    await eventually(() => jobs.length === 1);
    // Run from here, outside of the call.
    await jobs[0]?.();
    await running;
    expect(tokens).toEqual(['mine']);
  });

  it('is told that its call was cancelled', async () => {
    let exec: ToolExecutionContext | undefined;
    const { host, run } = await start([
      definition('slow', async (_, given) => {
        exec = given;
        await new Promise((resolve) => given.signal?.addEventListener('abort', resolve));
        return text('stopped');
      }),
    ]);
    await using _ = host;
    const cancel = new AbortController();
    const running = run(1, 't', {}, cancel.signal);
    await eventually(() => exec !== undefined);
    expect(exec?.signal?.aborted).toBe(false);
    cancel.abort();
    expect(await running).toEqual(text('stopped'));
    expect(exec?.signal?.aborted).toBe(true);
  });

  it('knows its call, reports progress and asks with a form', async () => {
    const { host, run } = await start(
      [
        definition('ask', async (input, exec) => {
          exec.progress.report({ message: 'half', percent: 150, stage: 's' });
          const { submitted, reason } = await exec.ui.requestForm({ title: 'T', fields: [] });
          return text(JSON.stringify([input, exec.toolCallId, exec.sessionId, exec.spaceId ?? 'none', exec.cwd, submitted, reason]));
        }),
      ],
      { answers: { 'form.request': () => ({ submitted: false, values: {}, reason: 'background' }) } },
    );
    await using _ = host;
    const result = await run(1, 'tok', { q: 1 });
    expect(result).toEqual(text(JSON.stringify([{ q: 1 }, 'call-tok', 'ses', 'none', '/w', false, 'background'])));
    expect(host.told).toEqual([{ method: 'progress', params: { callToken: 'tok', message: 'half', stage: 's', percent: 100 } }]);
    expect(host.asked.at(-1)).toEqual({ method: 'form.request', params: { callToken: 'tok', spec: { title: 'T', fields: [] } } });
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no luck')), /no luck/],
    [
      'throws at once',
      () => {
        throw new Error('at once');
      },
      /at once/,
    ],
    ['gives nothing', async () => undefined, /no result/],
    ['gives no content', async () => ({ content: [] }), /no result/],
    ['gives strange content', async () => ({ content: [{ type: 'video' }] }), /neither/],
    ['gives more than a message holds', async () => text('x'.repeat(3 * 1024 * 1024)), /2097152 bytes at most/],
  ])('MY1, RJ1: that %s still comes to an answer', async (_, execute, message) => {
    const { host, run } = await start([definition('odd', execute as ToolDefinition['execute'])]);
    await using __ = host;
    const answer = await run(1, 't').catch((error: unknown) => error);
    if (answer instanceof Error) expect(answer).toMatchObject({ code: 'payload_too_large', message: expect.stringMatching(message) });
    else expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(message) }] });
  });

  it('is found by a provider', async () => {
    await using host = await startFakeHost({
      entry: { activate: ({ tools }) => void tools.registerDiscoveryProvider({ id: 'mcp', search: async ({ query }) => [{ toolName: `found_${query}` }] }) },
    });
    expect(host.asked).toEqual([{ method: 'discovery.register', params: { handle: 1, id: 'mcp' } }]);
    expect(await host.peer.ask('discovery.search', { handle: 1, query: { query: 'x' }, context: {} })).toEqual([{ toolName: 'found_x' }]);
    await expect(host.peer.ask('execute', { handle: 9, callToken: 't', input: {}, toolCallId: 'c', sessionId: 's' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
