import { fileURLToPath } from 'node:url';
import type { McpServer } from '@turnkeeper/core/protocol/wire/agents';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { afterEach, expect, test } from 'vitest';
import { allowNothing } from '../../outbound/allow-list.ts';
import { createOutbound } from '../../outbound/outbound.ts';
import { ManualClock } from '../../testing/harness/manual-clock.ts';
import { inRealTime, runs } from '../../testing/tools/in-real-time.ts';
import { startMcpHttpServer } from '../../testing/tools/mcp-http-server.ts';
import type { McpConnection } from './connection.ts';
import { McpConnections } from './connections.ts';
import { resultBlocks } from './result-blocks.ts';

const script = fileURLToPath(new URL('../../testing/tools/mcp-stdio-server.ts', import.meta.url));
const stdio = (more: Partial<Extract<McpServer, { command: string }>> = {}, ...args: string[]): McpServer => ({
  name: 'files',
  command: process.execPath,
  args: [script, ...args],
  ...more,
});
const token = 'tok-"secret"/1';
const one = 'ses_one' as SessionId;
const two = 'ses_two' as SessionId;

let clock = new ManualClock();
const made: { readonly connections: McpConnections; readonly outbound: ReturnType<typeof createOutbound> }[] = [];
const open = (options: { readonly most?: number } = {}): McpConnections => {
  clock = new ManualClock();
  const outbound = createOutbound({ allow: allowNothing });
  const secrets = { resolve: async (name: string) => (name === 'TOKEN' ? token : undefined) };
  const connections = new McpConnections({ clock, secrets, outbound, environment: { PATH: '/usr/bin:/bin' }, ...options });
  made.push({ connections, outbound });
  return connections;
};
/** Closing waits for processes, and what ignores being asked for the clock. */
const closed = async (work: Promise<void>): Promise<void> => {
  let done = false;
  void work.then(() => {
    done = true;
  });
  await inRealTime('it closed', async () => {
    await clock.advance(50);
    return done;
  });
};
afterEach(async () => {
  for (const { connections, outbound } of made.splice(0)) {
    await closed(connections.close());
    await outbound.close();
  }
  expect(clock.waiting).toBe(0);
});

const quiet = new AbortController().signal;
const say = async (connection: McpConnection, name: string, input = {}, signal = quiet): Promise<string> => {
  const result = await connection.call(name, input, { signal, progress: () => {} });
  return JSON.stringify(connection.redaction.output(resultBlocks(result)));
};
const ask = (connections: McpConnections, session: SessionId, server: McpServer, name: string, input = {}, signal = quiet): Promise<string> =>
  connections.use(session, server, signal, (connection) => say(connection, name, input, signal));
const pidOf = async (answer: Promise<string>): Promise<number> => Number(/\d+/.exec(await answer)?.[0]);

test('R4: each session has a server of its own, which keeps what the session did', async () => {
  const connections = open();
  const count = (session: SessionId) => ask(connections, session, stdio(), 'count');
  expect(await Promise.all([count(one), count(one), count(two)])).toEqual(['1', '2', '1'].map((text) => `[{"type":"text","text":"${text}"}]`));
  expect(connections.open).toBe(2);
});

test('R5: it is closed a while after the run of its session has ended, and not before', async () => {
  const connections = open();
  connections.runBegan(one);
  await ask(connections, one, stdio(), 'count');
  await clock.advance(600_000);
  expect(await ask(connections, one, stdio(), 'count')).toContain('"2"');
  connections.runEnded(one);
  await clock.advance(59_000);
  expect(await ask(connections, one, stdio(), 'count')).toContain('"3"');
  await clock.advance(59_000);
  expect(connections.open).toBe(1);
  await clock.advance(2_000);
  await inRealTime('it closed', () => clock.advance(50).then(() => connections.open === 0));
  expect(await ask(connections, one, stdio(), 'count')).toContain('"1"');
});

test('R1: what a program started ends with it, also when it ignores being asked', async () => {
  const connections = open();
  const pids = await Promise.all([pidOf(ask(connections, one, stdio(), 'family')), pidOf(ask(connections, two, stdio({}, '--deaf'), 'family'))]);
  for (const pid of pids) expect(await runs(pid)).toBe(true);
  await closed(connections.close());
  for (const pid of pids) expect(await runs(pid)).toBe(false);
  await expect(ask(connections, one, stdio(), 'count')).rejects.toThrow('stops');
});

test('R2: a program gets its own environment and where things are, nothing of this server', async () => {
  process.env['TURNKEEPER_TEST_KEY'] = 'hidden';
  const server = stdio({ env: { OWN: 'yes', TOKEN: { $secret: 'TOKEN' } } });
  const answer = await ask(open(), one, server, 'environment');
  delete process.env['TURNKEEPER_TEST_KEY'];
  const [{ text }] = JSON.parse(answer) as [{ text: string }];
  const names = Object.keys(JSON.parse(text) as object).filter((name) => !['PATH', 'HOME', 'LANG'].includes(name));
  expect(names.toSorted()).toEqual(['OWN', 'TOKEN']);
  expect(text).toContain('[secret TOKEN]');
});

test('R3: secrets are taken out of results, errors and last words', async () => {
  const connections = open();
  const server = stdio({ env: { TOKEN: { $secret: 'TOKEN' } } });
  const result = await ask(connections, one, server, 'leak');
  expect(result.match(/\[secret TOKEN\]/g)).toHaveLength(3);
  const thrown = await ask(connections, one, server, 'leak', { how: 'throw' }).catch((error: Error) => error.message);
  const died = await ask(connections, one, server, 'leak', { how: 'die' }).catch((error: Error) => error.message);
  const broken = await ask(connections, two, stdio({ env: { TOKEN: { $secret: 'TOKEN' } } }, '--broken'), 'echo').catch((error: Error) => error.message);
  for (const said of [result, thrown, died, broken]) {
    expect(said).toContain('[secret TOKEN]');
    expect(said).not.toMatch(/tok-/);
  }
  const missing = ask(connections, two, stdio({ name: 'other', env: { TOKEN: { $secret: 'NONE' } } }), 'echo');
  await expect(missing).rejects.toThrow('"NONE"');
  // After its end it is started anew.
  expect(await ask(connections, one, server, 'count')).toContain('"1"');
});

test('a program that is not there says so', async () => {
  await expect(ask(open(), one, stdio({ command: 'no-such-program-at-all' }), 'echo')).rejects.toThrow('no-such-program-at-all was not found');
});

test('R6: beyond the bound the unused one makes room; when all are used, one waits', async () => {
  const connections = open({ most: 2 });
  await ask(connections, one, stdio(), 'count');
  await ask(connections, two, stdio(), 'count');
  const other = stdio({ name: 'other' });
  let answered = false;
  const third = ask(connections, two, other, 'count').then(() => {
    answered = true;
  });
  await inRealTime('room was made', () => clock.advance(5).then(() => answered));
  await third;
  expect(connections.open).toBe(2);
  // The first session's was unused for the longest time.
  expect(await ask(connections, two, stdio(), 'count')).toContain('"2"');
  const stop = new AbortController();
  const busy = [connections, connections].map((of, at) =>
    of.use(two, [stdio(), other][at] as McpServer, quiet, () => new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()))),
  );
  await inRealTime('both are in use', () => connections.open === 2);
  const waits = new AbortController();
  const refused = ask(connections, one, stdio(), 'count', {}, waits.signal);
  waits.abort(new Error('enough'));
  await expect(refused).rejects.toThrow('enough');
  stop.abort();
  await Promise.all(busy);
});

test('R7: a call that is given up is cancelled, and its program ends when nobody else uses it', async () => {
  const connections = open();
  const pid = await pidOf(ask(connections, one, stdio(), 'family'));
  const abort = new AbortController();
  let told = '';
  const tell = (text: string): void => {
    told = text;
  };
  let over = false;
  const waiting = connections
    .use(one, stdio(), abort.signal, (connection) => connection.call('wait', {}, { signal: abort.signal, progress: tell }))
    .finally(() => {
      over = true;
    });
  waiting.catch(() => {});
  await inRealTime('it makes progress', () => told === 'half way');
  abort.abort(new Error('stopped by a person'));
  await inRealTime('its process is gone', () => clock.advance(50).then(() => over));
  await expect(waiting).rejects.toThrow('stopped by a person');
  expect(await runs(pid)).toBe(false);
  expect(await ask(connections, one, stdio(), 'count')).toContain('"1"');
});

test('a remote server is asked with its secret, told when it is over, and found again after it forgot', async () => {
  const server = await startMcpHttpServer({ token });
  const elsewhere = await startMcpHttpServer({ redirect: server.url });
  const connections = open();
  const remote: McpServer = { name: 'remote', url: server.url, headers: { authorization: { $secret: 'TOKEN' } } };
  expect(await ask(connections, one, remote, 'leak')).not.toMatch(/tok-/);
  expect(server.headers('authorization').every((value) => value === token)).toBe(true);
  const before = server.opened();
  server.forget();
  const fault = await ask(connections, one, remote, 'count').catch((error: unknown) => error);
  expect(fault).toMatchObject({ unheard: true, stale: true });
  expect(await ask(connections, one, remote, 'count')).toContain('"1"');
  expect(server.opened()).toBe(before + 1);
  const unknown = ask(connections, two, { name: 'remote', url: server.url, headers: { authorization: 'wrong' } }, 'count');
  await expect(unknown).rejects.toThrow('HTTP 401');
  // Never followed: the secret would go where the definition does not lead.
  await expect(ask(connections, two, { ...remote, name: 'moved', url: elsewhere.url }, 'count')).rejects.toThrow('307');
  await expect(ask(connections, two, { name: 'meta', url: 'http://169.254.169.254/mcp' }, 'count')).rejects.toThrow('metadata');
  await closed(connections.close());
  expect(server.ended()).toBe(1);
  await server.close();
  await elsewhere.close();
  await expect(ask(open(), one, remote, 'count')).rejects.toThrow('refused the connection');
});

test('the list is read page by page', async () => {
  const tools = await open().use(one, stdio({}, '--except=die'), quiet, (connection) => connection.list());
  expect(tools).toHaveLength(13);
  expect(tools.map(({ name }) => name)).not.toContain('die');
});

test('results become blocks of output', async () => {
  const connections = open();
  const [blocks, data, fail] = await Promise.all(['blocks', 'data', 'fail'].map((name) => ask(connections, one, stdio(), name)));
  expect(JSON.parse(blocks ?? '')).toMatchObject([
    { type: 'text', text: 'one\ntwo' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png' } },
    { type: 'text', text: 'three\nfour: https://example.com/\n[left out: file:///a.bin, application/zip]' },
  ]);
  expect(JSON.parse(data ?? '')).toEqual([{ type: 'data', data: { a: [1, 2] } }]);
  expect(fail).toContain('it did not work');
});
