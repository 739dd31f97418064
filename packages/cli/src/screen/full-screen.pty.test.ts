/** The full screen on a real pseudo-terminal, before the server itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@turnkeeper/client/create-client';
import { readConfig } from '@turnkeeper/server/config';
import { type RunningServer, startServer } from '@turnkeeper/server/main';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PseudoTerminal } from '../testing/pseudo-terminal.ts';

let server: RunningServer;
let client: Client;
let folder: string;
let terminal: PseudoTerminal | undefined;
const token = 'admin-token-of-this-test-0123';
const program = join(import.meta.dirname, '../../bin/turnkeeper.js');
/** Other modes of a terminal than a shell knows would be left behind. */
const modesOfShell = [7, 25];

const start = (port: string): Promise<RunningServer> =>
  startServer(readConfig({ port, data: join(folder, 'data'), demo: false }, { TURNKEEPER_ADMIN_TOKEN: token, TURNKEEPER_LOG_LEVEL: 'fatal' }), () => {});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnkeeper-pty-test-'));
  server = await start('0');
  client = createClient({ baseUrl: server.url, token });
  const tools = [{ type: 'builtin', name: 'time', permission: 'always_ask' }] as const;
  await client.agents.create({ agentKey: 'clerk', displayName: 'Clerk', definition: { system: 'x', model: 'demo:script', tools: [...tools] } });
});
afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
});
afterAll(async () => {
  client.close();
  await server.stop();
  rmSync(folder, { recursive: true, maxRetries: 5 });
});

const modesOf = ({ screen }: PseudoTerminal): readonly number[] => [...screen.modes].toSorted((a, b) => a - b);

const open = (args: readonly string[]): PseudoTerminal => run([program, ...args]);

const run = (args: readonly string[]): PseudoTerminal => {
  const env = { TURNKEEPER_URL: server.url, TURNKEEPER_TOKEN: token, TURNKEEPER_CONFIG_DIR: join(folder, 'config'), EDITOR: '', VISUAL: '', NO_COLOR: '' };
  terminal = new PseudoTerminal([process.execPath, ...args], { env });
  return terminal;
};
const seen = (pattern: RegExp) => expect.poll(() => terminal?.screen.text, { interval: 40 }).toMatch(pattern);
const script = (...steps: object[][]): string => JSON.stringify({ steps });
const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`;

test('a chat: streaming, steering, an answer by one key, a queue, a stop, another size; Ctrl+C only detaches', async () => {
  const shown = open(['chat', '--agent', 'clerk']);
  const { screen } = shown;
  await seen(/begins with your first message[\s\S]*› Message/);
  expect([...screen.modes]).toEqual(expect.arrayContaining([1049, 2004, 1000, 1006]));
  const first = script([{ text: '报告 slowly' }, { delay_ms: 4_000 }, { tool: { name: 'time', input: {} } }], [{ text: 'It is late.' }]);
  shown.type(`${paste(`first\nline ${first}`)}\r`);
  await seen(/running · live[\s\S]*报告 slowly/);
  shown.type('!be quick\r');
  await seen(/! be quick ✓(?!✓)/);
  await seen(/\? may time\(\) run\?[\s\S]*\[y\]es {2}\[n\]o/);
  // A word that begins with an answer is none; Tab goes back to the card.
  await new Promise((resolve) => setTimeout(resolve, 500));
  shown.type('n');
  shown.type('o way');
  await seen(/› no way/);
  shown.type('\u0015\t');
  await seen(/one key answers/);
  shown.type('y');
  await seen(/! be quick ✓✓[\s\S]*It is late\.[\s\S]*completed/);
  shown.type(`${paste(script([{ text: 'Never ' }, { delay_ms: 60_000 }]))}\r`);
  await seen(/Never\s*\n/);
  shown.type('and then?\r');
  await seen(/queued, 1 ahead of it: and then\?/);
  shown.resize(60, 30);
  await expect.poll(() => screen.lines.at(-1)).toMatch(/^Enter queues/);
  expect(screen.lines).toHaveLength(30);
  shown.type('\u001b');
  await seen(/cancelled[\s\S]*› and then\?[\s\S]*completed/);
  shown.type(`${paste(script([{ text: 'Going ' }, { delay_ms: 3_000 }, { text: 'on.' }]))}\r`);
  await seen(/Going/);
  shown.type('\u0003');
  expect(await shown.exit).toBe(130);
  expect(modesOf(shown)).toEqual(modesOfShell);
  expect(shown.isRestored).toBe(true);
  const sessionId = /Return with: turnkeeper chat (ses_[0-9a-f]+)/.exec(shown.output.replaceAll('\r\n', ''))?.[1] ?? '';
  const { items } = await client.turns.list(sessionId);
  expect(await client.waitForTurn(sessionId, items.at(-1)?.id ?? '')).toMatchObject({ done: true, turn: { status: 'completed', outputText: 'Going on.' } });
}, 60_000);

test('a tail goes on after a restart of the server, and gives the terminal back when it is ended from outside', async () => {
  const idempotencyKey = 'a-key-of-this-test';
  const message = script([{ text: 'One. ' }], [{ text: 'x' }]);
  const session = await client.sessions.create({ agent: 'clerk', initialMessage: { message } }, { idempotencyKey });
  const shown = open(['tail', session.id]);
  await seen(/idle · live[\s\S]*One\.[\s\S]*q or Ctrl\+C leaves/);
  const { port } = new URL(server.url);
  await server.stop();
  await seen(/reconnecting/);
  server = await start(port);
  await seen(/resumed at /);
  await client.turns.submit(session.id, { message: script([{ text: 'Two.' }]) }, { idempotencyKey: 'another-key-of-this-test' });
  await seen(/Two\.[\s\S]*completed/);
  shown.signal('SIGTERM');
  await shown.exit;
  expect(modesOf(shown)).toEqual(modesOfShell);
  expect(shown.isRestored).toBe(true);
}, 60_000);

test('TY1: a crash gives the terminal back before it says what went wrong', async () => {
  const shown = run([join(import.meta.dirname, '../testing/crash-on-full-screen.ts')]);
  await seen(/about to fail/);
  expect(await shown.exit).toBe(1);
  expect(modesOf(shown)).toEqual(modesOfShell);
  expect(shown.screen.text).toContain('failed on purpose');
  expect(shown.isRestored).toBe(true);
});
