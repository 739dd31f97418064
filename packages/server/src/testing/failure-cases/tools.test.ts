/**
 * Tools that reach outside, in turns: HTTP, MCP by a program and by HTTP, secrets, permissions, cancels and crashes (cases
 * 16, 26, 27, 39). What happens outside takes real time: the clock stands still while it is waited for.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { McpServer, ToolDefinition } from '@turnkeeper/core/protocol/wire/agents';
import { afterEach, expect, test } from 'vitest';
import { checkSession } from '../harness/check-session.ts';
import { type AgentSketch, ann, builtin, type Client, createClient } from '../harness/client.ts';
import { openWorld, type World } from '../harness/world.ts';
import { startApiServer } from '../tools/api-server.ts';
import { inRealTime, runs } from '../tools/in-real-time.ts';
import { startMcpHttpServer } from '../tools/mcp-http-server.ts';

const script = fileURLToPath(new URL('../tools/mcp-stdio-server.ts', import.meta.url));
const token = 'tok-very-secret/1';
const program = (more: Partial<McpServer> = {}, ...args: string[]): McpServer =>
  ({ name: 'files', command: process.execPath, args: [script, ...args], timeoutMs: 600_000, ...more }) as McpServer;
const secrets = { resolve: async (name: string) => (name === 'TOKEN' ? token : undefined) };

let world: World;
const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await world.close();
  // Engines that died in the test left their next beat and their next look behind, which come to nothing. What a tool or a
  // connection leaves would wait for longer.
  await world.clock.advance(10_000);
  expect(world.clock.waiting).toBe(0);
});
const open = async (): Promise<Client> => {
  world = await openWorld({ secrets });
  return createClient(world);
};
const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'turnkeeper-tools-'));
  ends.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
};
const linesOf = (file: string): readonly string[] => {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
};

type Running = { readonly session: string; readonly turn: string; readonly until: (status: string) => Promise<Awaited<ReturnType<Client['turn']>>> };
/** A turn in which the model makes these calls in its first step, then answers "done". */
const begin = async (
  client: Client,
  sketch: AgentSketch,
  ...calls: readonly { readonly call: string; readonly input?: Record<string, unknown> }[]
): Promise<Running> => {
  world.model.when('go', calls, [{ text: 'done' }]);
  const session = await client.session(await client.agent(sketch));
  const turn = await client.submit(session, 'go');
  const until: Running['until'] = (status) =>
    inRealTime(`the turn is ${status}`, async () => {
      const now = await client.turn(session, turn);
      return now.status === status ? now : undefined;
    });
  return { session, turn, until };
};
/** All that is stored and shown of the session, and what holds of it. */
const check = async (session: string): Promise<string> => {
  const { faults, log } = await checkSession(world.store, session, { app: world.engine.app, caller: ann });
  expect([...faults, ...world.model.faults()]).toEqual([]);
  return JSON.stringify([log, world.model.calls]);
};
const results = (): string => JSON.stringify(world.model.calls.at(-1)?.request.messages.at(-1));

const http = (origin: string, more: Partial<ToolDefinition> = {}): ToolDefinition =>
  ({
    type: 'http',
    name: 'order',
    description: 'Finds an order.',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    request: { method: 'GET', url: `${origin}/echo/{{input.id}}`, headers: { authorization: { $secret: 'TOKEN' } } },
    timeoutMs: 600_000,
    ...more,
  }) as ToolDefinition;

test('an HTTP tool in a turn: with its secret, which nothing shows', async () => {
  const api = await startApiServer();
  ends.push(api.close);
  const client = await open();
  const { session, until } = await begin(
    client,
    { tools: [http(api.origin)] },
    { call: 'order', input: { id: 'A-17' } },
    { call: 'order', input: { order: 1 } },
  );
  expect(await until('completed')).toMatchObject({ outputText: 'done' });
  expect(api.asked).toHaveLength(1);
  expect(api.asked[0]?.headers.authorization).toBe(token);
  expect(results()).toContain('[secret TOKEN]');
  expect(results()).toContain("must have required property 'id'");
  expect(await check(session)).not.toContain(token);
});

test('a secret that is not there fails the call by its name, and the turn goes on', async () => {
  const api = await startApiServer();
  ends.push(api.close);
  const client = await open();
  const request = { method: 'GET', url: api.origin, headers: { a: { $secret: 'NOT_SET' } } };
  const { until } = await begin(client, { tools: [http(api.origin, { request } as never)] }, { call: 'order', input: { id: '1' } });
  await until('completed');
  expect(results()).toContain('NOT_SET');
  expect(api.asked).toHaveLength(0);
});

test('A12: arguments that a person edited are held to the schema before the answer is taken, an application’s too', async () => {
  const api = await startApiServer();
  ends.push(api.close);
  const client = await open();
  const { request: _, ...described } = http(api.origin, { name: 'mine' }) as Extract<ToolDefinition, { type: 'http' }>;
  const tools = [http(api.origin, { permission: 'always_ask' }), { ...described, type: 'function', permission: 'always_ask' } as ToolDefinition];
  const input = { id: 'A-17' };
  const { session, turn, until } = await begin(client, { tools }, { call: 'order', input }, { call: 'mine', input });
  await until('requires_action');
  for (const { request_id } of await client.actions(session)) {
    const refused = client.answer(session, turn, request_id, { allow: true, input: { id: 17 } });
    await expect(refused).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ pointer: '/payload/input/id', detail: 'must be string' }] },
    });
    await client.answer(session, turn, request_id, { allow: false });
  }
  await until('completed');
  expect(api.asked).toHaveLength(0);
  await check(session);
});

test('MCP by a program: its tools under its name, progress, state of the session, secrets; gone after the run', async () => {
  const client = await open();
  const server = program({ env: { TOKEN: { $secret: 'TOKEN' } } } as never);
  const calls = [
    { call: 'files_count' },
    { call: 'files_leak' },
    { call: 'files_leak', input: { how: 'throw' } },
    { call: 'files_echo', input: {} },
    { call: 'files_family' },
  ];
  const { session, until } = await begin(client, { mcpServers: [server], tools: [builtin('time')] }, ...calls);
  await until('completed');
  const told = world.model.calls[0]?.request.tools.map(({ name }) => name);
  expect(told).toContain('time');
  expect(told?.filter((name) => name.startsWith('files_'))).toHaveLength(14);
  expect(results()).toContain('[secret TOKEN]');
  expect(results()).toContain("required property 'text'");
  expect(await check(session)).not.toContain(token);
  const pid = Number(/"text":"(\d{2,})"/.exec(results())?.[1]);
  expect(await runs(pid)).toBe(true);
  // The next turn of the session finds what this one left.
  world.model.when('again', [{ call: 'files_count' }], [{ text: 'done' }]);
  const next = await client.submit(session, 'again');
  await inRealTime('the next turn', async () => (await client.turn(session, next)).status === 'completed');
  expect(results()).toContain('"2"');
  await inRealTime('its process tree is gone', async () => {
    await world.clock.advance(61_000);
    return !(await runs(pid));
  });
});

test('MCP over HTTP, twice in a session; a run that ends in a stop of the server says goodbye', async () => {
  const remote = await startMcpHttpServer({ token });
  ends.push(remote.close);
  const client = await open();
  const server: McpServer = { name: 'shop', url: remote.url, headers: { authorization: { $secret: 'TOKEN' } }, timeoutMs: 600_000 };
  const { session, until } = await begin(client, { mcpServers: [server] }, { call: 'shop_count' }, { call: 'shop_leak' });
  await until('completed');
  expect(results()).toContain('[secret TOKEN]');
  expect(await check(session)).not.toContain(token);
  expect(remote.opened()).toBe(1);
  await world.stop(0);
  expect(remote.ended()).toBe(1);
  await world.open();
});

test('R8: the list of a version is found once, whatever the server offers later', async () => {
  const client = await open();
  const path = folder();
  const file = join(path, 'except');
  // The same definition, another program behind it.
  const wrapper = join(path, 'server.mjs');
  writeFileSync(
    wrapper,
    `import fs from 'node:fs'; if (fs.existsSync(${JSON.stringify(file)})) process.argv.push('--except=echo'); await import(${JSON.stringify(script)});`,
  );
  const server = program({ args: [wrapper] } as never);
  world.model.when('go', [{ call: 'files_echo', input: { text: 'hello' } }], [{ text: 'done' }]);
  const agent = await client.agent({ mcpServers: [server] });
  const ask = async (): Promise<void> => {
    const session = await client.session(agent);
    const turn = await client.submit(session, 'go');
    await inRealTime('the turn', async () => (await client.turn(session, turn)).status === 'completed');
  };
  await ask();
  expect(results()).toContain('hello');
  writeFileSync(file, '');
  await world.restart();
  await ask();
  expect(world.model.calls.at(-1)?.request.tools.map(({ name }) => name)).toContain('files_echo');
  expect(results()).toContain('there is no tool echo');
});

test('a server that cannot be reached fails the attempt, which is made again; then the turn, by its code', async () => {
  const client = await open();
  const server = program({ env: { TOKEN: { $secret: 'TOKEN' } } } as never, '--broken');
  const { session, turn } = await begin(client, { mcpServers: [server] }, { call: 'files_count' });
  let attempts = 0;
  const failed = await inRealTime('the turn has failed', async () => {
    // Time passes between the attempts only: a program takes its time to start.
    const { log } = await checkSession(world.store, session);
    const told = JSON.stringify(log).match(/"tools_unavailable"/g)?.length ?? 0;
    if (told > attempts) await world.clock.advance(20_000);
    attempts = told;
    const now = await client.turn(session, turn);
    return now.status === 'failed' ? now : undefined;
  });
  expect(failed).toMatchObject({ errorCode: 'tools_unavailable' });
  const shown = JSON.stringify(failed);
  expect(shown).toContain('\\"files\\"');
  expect(shown).toContain('[secret TOKEN]');
  const log = await check(session);
  expect(log).not.toContain(token);
  expect(log.match(/"tools_unavailable"/g)?.length).toBeGreaterThanOrEqual(4);
  expect(world.model.calls).toHaveLength(0);
});

test('case 16: cancel while a program works: it is told, its process tree ends, the next turn runs', async () => {
  const client = await open();
  const file = join(folder(), 'wait');
  const { session, turn, until } = await begin(
    client,
    { mcpServers: [program({}, '--deaf')] },
    { call: 'files_family' },
    { call: 'files_wait', input: { file } },
  );
  await inRealTime('it works', () => linesOf(file).includes('began'));
  const pid = await inRealTime('it tells of its child', async () => {
    const shown = JSON.stringify((await checkSession(world.store, session)).log);
    return Number(/"text":"(\d{2,})"/.exec(shown)?.[1]) || undefined;
  });
  expect(await runs(pid)).toBe(true);
  await client.cancel(session, turn);
  const done = await inRealTime('it is cancelled', async () => {
    await world.clock.advance(50);
    const now = await client.turn(session, turn);
    return now.status === 'cancelled' ? now : undefined;
  });
  expect(done).toBeDefined();
  expect(await runs(pid)).toBe(false);
  const next = await client.submit(session, 'next');
  await inRealTime('the next turn', async () => (await client.turn(session, next)).status === 'completed');
  await check(session);
  await until('cancelled');
});

test('a program ends with the server, also in the middle of a call', async () => {
  const client = await open();
  const file = join(folder(), 'wait');
  const { session } = await begin(client, { mcpServers: [program()] }, { call: 'files_family' }, { call: 'files_wait', input: { file } });
  await inRealTime('it works', () => linesOf(file).includes('began'));
  const pid = Number(/"text":"(\d{2,})"/.exec(JSON.stringify((await checkSession(world.store, session)).log))?.[1]);
  let stopped = false;
  void world.stop(0).then(() => {
    stopped = true;
  });
  await inRealTime('it stopped', () => world.clock.advance(50).then(() => stopped));
  expect(await runs(pid)).toBe(false);
  await world.open();
});

test('a call that may not be repeated is unknown after a crash, one that may is made again', async () => {
  const client = await open();
  const path = folder();
  const [file, gate] = [join(path, 'effects'), join(path, 'gate')];
  const sketch: AgentSketch = { mcpServers: [program({ tools: { again: { permission: 'always_allow' } } } as never)] };
  const { session, turn, until } = await begin(client, sketch, { call: 'files_effect', input: { file, until: gate } }, { call: 'files_again' });
  await inRealTime('it had its effect', () => linesOf(file).length === 1);
  await world.restart();
  const interrupted = await until('interrupted');
  expect(interrupted).toMatchObject({ errorCode: 'tool_result_unknown' });
  const [action] = await client.actions(session);
  expect(action).toMatchObject({ kind: 'reconciliation', tool_call: { name: 'files_effect' } });
  await client.answer(session, turn, action?.request_id ?? '', { outcome: 'succeeded', output: 'it is there', reason: 'looked' });
  await until('completed');
  expect(linesOf(file)).toHaveLength(1);
  await check(session);
});

test('a read-only call of a server is made again after a crash, found by its name', async () => {
  const client = await open();
  const path = folder();
  const [file, gate] = [join(path, 'effects'), join(path, 'gate')];
  const sketch: AgentSketch = { mcpServers: [program({ tools: { effect: { idempotent: true } } } as never)] };
  const { session, until } = await begin(client, sketch, { call: 'files_effect', input: { file, until: gate } });
  await inRealTime('it began', () => linesOf(file).length === 1);
  await world.restart();
  await inRealTime('it began again', () => linesOf(file).length === 2);
  writeFileSync(gate, '');
  await until('completed');
  await check(session);
});

test('case 27: a gated tool of a server never runs unasked, by whatever makes it gated', async () => {
  const client = await open();
  const file = join(folder(), 'effects');
  const effect = { call: 'files_effect', input: { file } };
  for (const [sketch, call] of [
    [{ mode: 'ask', mcpServers: [program()] }, effect],
    [{ mcpServers: [program({ permission: 'always_ask' })] }, effect],
    [{ mcpServers: [program({ permission: 'always_allow', tools: { effect: { permission: 'always_ask' } } } as never)] }, effect],
    [{ mcpServers: [program({ tools: { effect: { destructive: true } } } as never)] }, effect],
    [{ mcpServers: [program()] }, { call: 'files_erase' }],
  ] as const) {
    const { session, turn, until } = await begin(client, sketch as AgentSketch, call);
    await until('requires_action');
    await world.restart();
    const [action] = await client.actions(session);
    expect(action).toMatchObject({ kind: 'confirmation', tool_call: { name: call.call } });
    if (call.call === 'files_erase') expect(action).toMatchObject({ tool_note: { title: 'Erase all', destructive: true } });
    expect(linesOf(file)).toEqual([]);
    await client.answer(session, turn, action?.request_id ?? '', { allow: false, reason: 'no' });
    await until('completed');
    expect(linesOf(file)).toEqual([]);
  }
  const never = await begin(client, { mcpServers: [program({ tools: { effect: { permission: 'never' } } } as never)] }, effect);
  await never.until('completed');
  expect(results()).toContain('There is no tool');
  const asked = await begin(client, { mode: 'ask', mcpServers: [program()] }, effect);
  await asked.until('requires_action');
  const [action] = await client.actions(asked.session);
  await client.answer(asked.session, asked.turn, action?.request_id ?? '', { allow: true });
  await asked.until('completed');
  expect(linesOf(file)).toHaveLength(1);
}, 120_000);

test('case 39: what a server gives back is held to the limits before it is stored', async () => {
  const client = await open();
  const { session, until } = await begin(client, { mcpServers: [program()] }, { call: 'files_huge' }, { call: 'files_blocks' });
  await until('completed');
  const log = await check(session);
  expect(log).toContain('[cut: 150000 characters in all]');
  expect(log).toContain('image/png');
});

test('ask_user: the turn waits for people, and the answer is the result', async () => {
  const client = await open();
  const ask = { call: 'ask_user', input: { question: 'Which colour?', header: 'colour', options: ['red', 'blue'] } };
  const { session, turn, until } = await begin(client, { mode: 'ask', tools: [{ type: 'builtin', name: 'ask_user' }] }, ask);
  await until('requires_action');
  const [action] = await client.actions(session);
  expect(action).toMatchObject({ kind: 'question', tool_call: { name: 'ask_user' } });
  await client.answer(session, turn, action?.request_id ?? '', { answers: { colour: 'blue' } });
  await until('completed');
  expect(results()).toContain('blue');
  await check(session);
});
