/** `migrate`, `backup` and `restore --from` against real servers and a real PostgreSQL. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@turnkeeper/client/create-client';
import { readConfig } from '@turnkeeper/server/config';
import { type RunningServer, startServer } from '@turnkeeper/server/main';
import { type PrivatePostgres, startPrivatePostgres } from '@turnkeeper/server/testing/private-postgres';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCli } from './run-cli.ts';
import { createFakeIo } from './testing/fake-io.ts';

let postgres: PrivatePostgres;
let folder: string;
let data: string;
const servers: RunningServer[] = [];
const token = 'admin-token-of-this-test-0123';
const env = { TURNKEEPER_ADMIN_TOKEN: token, TURNKEEPER_LOG_LEVEL: 'fatal' };

beforeAll(async () => {
  postgres = await startPrivatePostgres();
});
afterAll(() => postgres?.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnkeeper-cli-store-'));
  data = join(folder, 'data');
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  rmSync(folder, { recursive: true, maxRetries: 5 });
});

const serve = async (flags: { readonly data: string; readonly database?: string }): Promise<RunningServer> => {
  const server = await startServer(readConfig({ port: '0', demo: false, ...flags }, env), () => {});
  servers.push(server);
  return server;
};
const stop = async (server: RunningServer): Promise<void> => {
  servers.splice(servers.indexOf(server), 1);
  await server.stop();
};
const run = async (args: readonly string[], how: { readonly tty?: boolean; readonly env?: Record<string, string> } = {}) => {
  const { io, out, err } = createFakeIo({ TERM: 'xterm', NO_COLOR: '1', ...how.env }, { cwd: folder, tty: how.tty === true });
  const code = await runCli(args, io);
  return { code, out: out.text, err: err.text };
};
/** A session with an answer, on a server of its own. */
const lived = async (): Promise<{ readonly server: RunningServer; readonly id: string }> => {
  const server = await serve({ data });
  const client = createClient({ baseUrl: server.url, token });
  await client.agents.create({ agentKey: 'clerk', displayName: 'Clerk', definition: { system: 'x', model: 'demo:script' } });
  const steps = JSON.stringify({ steps: [[{ text: 'Hello.' }]] });
  expect(await run(['ask', steps, '--agent', 'clerk'], { env: { TURNKEEPER_URL: server.url, TURNKEEPER_TOKEN: token } })).toMatchObject({ out: 'Hello.\n' });
  const { items } = JSON.parse((await run(['ls', '--json'], { env: { TURNKEEPER_URL: server.url, TURNKEEPER_TOKEN: token } })).out) as {
    items: { id: string }[];
  };
  return { server, id: items[0]?.id ?? '' };
};
const shown = async ({ url }: RunningServer, id: string): Promise<string> =>
  (await run(['tail', id, '--until', 'done'], { env: { TURNKEEPER_URL: url, TURNKEEPER_TOKEN: token } })).out;

test('migrate: not from a server that runs; then with a table of what was compared, and the new server has it all', async () => {
  const { server, id } = await lived();
  const url = await postgres.freshDatabase();
  const busy = await run(['migrate', '--from', 'data', '--to', url]);
  expect(busy).toMatchObject({ code: 1, out: '' });
  expect(busy.err).toContain(server.url);
  const before = await shown(server, id);
  expect(before).toContain('Hello.');
  await stop(server);

  const moved = await run(['migrate', '--from', 'data', '--to', url]);
  expect(moved.code).toBe(0);
  expect(moved.out).toMatch(/^sessions +1 +1 +[0-9a-f]{12} +[0-9a-f]{12} +same$/m);
  expect(moved.out).not.toContain('DIFFERENT');
  expect(moved.err).toMatch(/copying 100%\n[\s\S]*comparing 100%\n/);
  expect(moved.err).toContain('TURNKEEPER_SECRET_KEY');
  expect(moved.err + moved.out).not.toContain(readFileSync(join(data, 'secret.key'), 'utf8').trim());
  const next = await serve({ data: join(folder, 'other'), database: url });
  expect(await shown(next, id)).toBe(before);

  const again = await run(['migrate', '--from', 'data', '--to', url, '--json']);
  expect(again.code).toBe(1);
  expect(JSON.parse(again.err)).toMatchObject({ error: { code: 'storage_unavailable', message: expect.stringContaining('sessions (1)') as unknown } });
});

test('migrate draws a bar on a terminal, and tells everything in JSON', async () => {
  const { server } = await lived();
  await stop(server);
  const drawn = await run(['migrate', '--from', 'data', '--to', await postgres.freshDatabase()], { tty: true });
  expect(drawn).toMatchObject({ code: 0 });
  expect(drawn.err.replaceAll('\u001b', 'ESC')).toMatch(/\rESC\[2Kcomparing +█{30} 100% {2}[\d,]+ of [\d,]+ rows/);
  const { code, out } = await run(['migrate', '--from', 'data', '--to', await postgres.freshDatabase(), '--json']);
  expect(code).toBe(0);
  const told = JSON.parse(out) as { same: boolean; to: string; tables: { table: string; same: boolean }[] };
  expect(told).toMatchObject({ same: true, to: expect.stringContaining('postgres://127.0.0.1') as unknown });
  expect(told.tables.every(({ same }) => same)).toBe(true);
  expect((await run(['migrate', '--from', 'data'])).code).toBe(2);
  expect((await run(['migrate', '--from', 'nowhere', '--to', 'postgres://u:hush@127.0.0.1:1/x'])).err).not.toContain('hush');
});

test('backup while the server runs, and restore: into a folder, and into a database', async () => {
  const { server, id } = await lived();
  const made = await run(['backup', '--to', 'b.db', '--data', 'data']);
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/b\.db: 1 sessions, \d+ events\n$/) as unknown });
  const before = await shown(server, id);
  expect((await run(['restore', '--from', 'b.db', '--data', 'data'])).err).toContain(server.url);
  expect((await run(['restore', '--from', 'none.db', '--data', 'new'])).code).toBe(1);
  const restored = await run(['restore', '--from', 'b.db', '--data', 'new']);
  expect(restored).toMatchObject({ code: 0, err: expect.stringContaining('cursor_ahead') as unknown });
  expect((await run(['restore', '--from', 'b.db', '--data', 'new'])).err).toContain('--force');
  expect(await run(['restore', '--from', 'b.db', '--data', 'new', '--force'])).toMatchObject({ code: 0, err: expect.stringContaining('replaced-') as unknown });
  expect(await shown(await serve({ data: join(folder, 'new') }), id)).toBe(before);

  const url = await postgres.freshDatabase();
  expect((await run(['restore', '--from', 'b.db', '--database', url])).code).toBe(0);
  const onPostgres = await serve({ data: join(folder, 'third'), database: url });
  expect(await shown(onPostgres, id)).toBe(before);
  const second = await run(['backup', '--to', 'c.db', '--json'], { env: { TURNKEEPER_DATABASE_URL: url } });
  expect(JSON.parse(second.out)).toMatchObject({ from: 'postgres', tables: { sessions: { rows: 1 } } });
  expect((await run(['restore'])).code).toBe(2);
  expect((await run(['restore', id, '--from', 'b.db'])).code).toBe(2);
});
